/** Clients that the operator has registered: the keys by which they show who they are, and where browsers come back to. */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { assert } from '@symbolon/core/basics/assert';
import { readPublicJwk } from '@symbolon/formats/jose/public-keys';
import type { ClientKey } from '@symbolon/formats/oid4vci/client-assertions';
import type { ServiceConfig } from '../../parts/service-config.ts';

export interface OpenidClient {
  /** None for a public client, which cannot keep a key to itself. */
  readonly keys: readonly ClientKey[];
  readonly redirectUris: readonly string[];
}

/** By their names. */
export type OpenidClients = ReadonlyMap<string, OpenidClient>;

export const openidClientsOf = (clients: ServiceConfig['openid']['clients']): OpenidClients =>
  new Map(
    clients.map(({ clientId, jwks, redirectUris }) => {
      const keys = (jwks?.keys ?? []).map((jwk) => {
        const key = readPublicJwk(jwk);
        assert(!isComplaint(key), 'keys of clients were looked at when the settings were read');
        return { key, ...(jwk.kid !== undefined && { kid: jwk.kid }) };
      });
      return [clientId, { keys, redirectUris }];
    }),
  );
