/** Clients that the operator has registered, with the keys by which they show who they are. */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { assert } from '@symbolon/core/basics/assert';
import { readPublicJwk } from '@symbolon/formats/jose/public-keys';
import type { ClientKey } from '@symbolon/formats/oid4vci/client-assertions';
import type { ServiceConfig } from '../../parts/service-config.ts';

/** Keys of each, by its name. */
export type OpenidClients = ReadonlyMap<string, readonly ClientKey[]>;

export const openidClientsOf = (clients: ServiceConfig['openid']['clients']): OpenidClients =>
  new Map(
    clients.map(({ clientId, jwks }) => [
      clientId,
      jwks.keys.map((jwk) => {
        const key = readPublicJwk(jwk);
        assert(!isComplaint(key), 'keys of clients were looked at when the settings were read');
        return { key, ...(jwk.kid !== undefined && { kid: jwk.kid }) };
      }),
    ]),
  );
