/** The parts of this plane, opened with the service. */
import type { Clock } from '@symbolon/host/work/clock';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import type { ServiceDatabase } from '../database/schema.ts';
import { createIssuerSigningKeys } from '../vault/issuer-signing-keys.ts';
import type { KeyVault } from '../vault/vault.ts';
import { createSdJwtIssuer } from './credentials/sd-jwt-issuer.ts';
import { createOpenidSecrets } from './offers/openid-secrets.ts';

export interface OpenidFoundation {
  readonly database: ServiceDatabase;
  readonly vault: KeyVault;
  readonly clock: Clock;
  readonly profile: NetworkProfile;
  readonly publicUrl: string;
}

export function openOpenidIssuance(foundation: OpenidFoundation) {
  const { publicUrl } = foundation;
  const issuerSigningKeys = createIssuerSigningKeys(foundation);
  return {
    issuerSigningKeys,
    openidSecrets: createOpenidSecrets(foundation),
    formatIssuers: [
      createSdJwtIssuer({
        keys: issuerSigningKeys,
        publicUrl,
        identify: ({ identifier: iss }, kid) => ({ iss, kid }),
      }),
    ],
  };
}
