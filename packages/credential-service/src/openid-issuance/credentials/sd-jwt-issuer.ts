/** SD-JWT VCs (`dc+sd-jwt`): the type of a template's version, and instances that nothing but their values links. */
import { randomBytes } from 'node:crypto';
import { isTakenClaim } from '@symbolon/formats/sd-jwt/claim-names';
import { issueSdJwts } from '@symbolon/formats/sd-jwt/issuing';
import { integrityOf } from '@symbolon/formats/sd-jwt/type-metadata';
import { sha256 } from '@symbolon/host/work/sha256';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { IssuerKeys } from '../../standards/issuer-keys.ts';
import { listUri } from '../../status-lists/list-requests.ts';
import { credentialMetadata, walletBinding } from '../parts/configuration-members.ts';
import { configurationId } from '../parts/configurations.ts';
import type { FormatIssuer } from '../parts/format-issuer.ts';
import { issuerToken } from '../parts/issuer-tokens.ts';
import type { OpenidIssuer } from '../parts/openid-parts.ts';
import { typeOf, typeTextOf } from '../parts/template-places.ts';

export interface SdJwtIssuerParts {
  readonly keys: IssuerKeys;
  /** Where types are published. */
  readonly publicUrl: string;
  /** What stands in `iss`, and by what a verifier finds the key. */
  readonly identify: (issuer: OpenidIssuer, kid: string) => { readonly iss: string; readonly kid: string };
}

export const createSdJwtIssuer = ({ keys, publicUrl, identify }: SdJwtIssuerParts): FormatIssuer => ({
  suffix: 'sd',
  name: 'dc+sd-jwt',
  configurationOf(template): JsonObject | undefined {
    if (template.attributes.some(({ key }) => isTakenClaim(key))) return undefined;
    return {
      format: 'dc+sd-jwt',
      scope: configurationId(template, 'sd'),
      vct: typeOf(publicUrl, template),
      ...walletBinding,
      credential_signing_alg_values_supported: ['ES256'],
      credential_metadata: credentialMetadata(template),
    };
  },
  async issue({ issuer, template, dataset, holders, slots, now }) {
    const { signer, kid } = await issuerToken(keys, issuer.did);
    const named = identify(issuer, kid);
    const contents = {
      template,
      values: dataset.values,
      issuer: named.iss,
      vct: typeOf(publicUrl, template),
      vctIntegrity: integrityOf(typeTextOf(publicUrl, template), sha256),
      issuedAt: now,
      validFrom: Date.parse(dataset.validFrom),
      validUntil: Date.parse(dataset.validUntil),
    };
    const instances = holders.map(({ key }, index) => {
      const { list, slot } = slots[index];
      const uri = listUri(publicUrl)({ issuer: issuer.did, list }, 'token');
      return { holderKey: key, status: { uri, idx: slot } };
    });
    const tools = { signer: { ...signer, header: { kid: named.kid } }, sha256, randomBytes };
    return issueSdJwts(contents, instances, tools);
  },
});
