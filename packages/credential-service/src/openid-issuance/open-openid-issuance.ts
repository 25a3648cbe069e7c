/** The parts of this plane, opened with the service. */
import type { KeyFormat } from '@symbolon/core/keys/keys';
import type { Clock } from '@symbolon/host/work/clock';
import type { LedgerClient } from '@symbolon/sdk/index';
import type { ServiceDatabase } from '../database/schema.ts';
import { eddsaSigner, type ProvingParts, secureWhole } from '../ldp-credentials/issuer-proofs.ts';
import type { CredentialLedger } from '../ledger/credential-ledger.ts';
import type { OwnChain } from '../ledger/own-chain.ts';
import type { ServiceConfig } from '../parts/service-config.ts';
import type { IssuerKeys } from '../standards/issuer-keys.ts';
import type { StandardsParts } from '../standards/standards-parts.ts';
import { openServiceLists } from '../status-lists/service-lists.ts';
import type { KeyVault } from '../vault/vault.ts';
import { createLdpIssuers } from './credentials/ldp-issuers.ts';
import { ownCredentialFormat } from './credentials/own-format.ts';
import { createSdJwtIssuer } from './credentials/sd-jwt-issuer.ts';
import { issuerToken } from './parts/issuer-tokens.ts';
import { openidClientsOf } from './parts/openid-clients.ts';
import { createOpenidSecrets } from './parts/openid-secrets.ts';

export interface OpenidFoundation {
  readonly database: ServiceDatabase;
  readonly vault: KeyVault;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly openid: ServiceConfig['openid'];
  readonly keys: KeyFormat;
  readonly client: LedgerClient;
  readonly ledger: CredentialLedger;
  readonly chain: OwnChain;
  readonly standards: Pick<StandardsParts, 'issuerKeys' | 'places'>;
  readonly proofs: ProvingParts['proofs'];
}

export function openOpenidIssuance(foundation: OpenidFoundation) {
  const { publicUrl, openid, standards, proofs } = foundation;
  const { issuerKeys, places } = standards;
  const proving = { keys: issuerKeys, proofs, webDidOf: (did: string) => places().webDid(did) };
  return {
    statusLists: openStatusLists(foundation, issuerKeys, proving),
    openidSecrets: createOpenidSecrets(foundation),
    openidClients: openidClientsOf(openid.clients),
    formatIssuers: [
      createSdJwtIssuer({
        keys: issuerKeys,
        publicUrl,
        identify: ({ did, identifier }, kid) => {
          if (openid.sdJwtIssuer === 'https') return { iss: identifier, kid };
          const iss = places().webDid(did);
          return { iss, kid: `${iss}#${kid}` };
        },
      }),
      ...createLdpIssuers({ ...proving, publicUrl }),
      ownCredentialFormat,
    ],
  };
}

/** Tokens for SD-JWT VCs, credentials with a proof of data integrity for the others. */
const openStatusLists = (
  { database, clock, keys, client, ledger, chain, publicUrl }: OpenidFoundation,
  issuerKeys: IssuerKeys,
  proving: ProvingParts,
) =>
  openServiceLists({
    parts: { database, clock, keys, ledger, chain, settings: { publicUrl } },
    client,
    signers: {
      tokenSigner: async (issuer) => {
        const { signer, kid, publicKey } = await issuerToken(issuerKeys, issuer);
        return { ...signer, header: { kid, jwk: publicKey } };
      },
      secure: async (issuer, credential) => {
        const signer = await eddsaSigner(proving, issuer);
        return JSON.stringify(await secureWhole(credential, { signer }));
      },
      nameOf: proving.webDidOf,
    },
  });
