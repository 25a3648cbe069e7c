/** SD-JWT VCs (`dc+sd-jwt`): the type of a template's version, and instances that nothing but their values links. */
import { randomBytes } from 'node:crypto';
import type { Template } from '@symbolon/core/documents/model';
import { isTakenClaim } from '@symbolon/formats/sd-jwt/claim-names';
import { issueSdJwts } from '@symbolon/formats/sd-jwt/issuing';
import { integrityOf, typeMetadataText } from '@symbolon/formats/sd-jwt/type-metadata';
import { sha256 } from '@symbolon/host/work/sha256';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { IssuerKeys } from '../../standards/issuer-keys.ts';
import { listUri } from '../../status-lists/list-requests.ts';
import { displayLocale } from '../metadata/issuer-documents.ts';
import { configurationId } from '../parts/configurations.ts';
import type { FormatIssuer } from '../parts/format-issuer.ts';
import { issuerToken } from '../parts/issuer-tokens.ts';
import type { OpenidIssuer } from '../parts/openid-parts.ts';

export interface SdJwtIssuerParts {
  readonly keys: IssuerKeys;
  /** Where types are published. */
  readonly publicUrl: string;
  /** What stands in `iss`, and by what a verifier finds the key. */
  readonly identify: (issuer: OpenidIssuer, kid: string) => { readonly iss: string; readonly kid: string };
}

/** The address of a template's version as a type, which never changes. */
export const typeOf = (publicUrl: string, { id, version }: Pick<Template, 'id' | 'version'>): string =>
  `${publicUrl}/types/${id.slice(id.lastIndexOf(':') + 1)}/${version}`;

export const typeTextOf = (publicUrl: string, template: Template): string =>
  typeMetadataText(template, { vct: typeOf(publicUrl, template), locale: displayLocale });

/** What a holder is told stays public. */
const publicNote =
  'A salted fingerprint of what is issued, its template, validity and status stay public on a ledger; its contents do not.';

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

/** How keys of holders are named and proved, for every format. */
export const walletBinding = {
  cryptographic_binding_methods_supported: ['jwk', 'did:key', 'did:jwk', 'did:zid'],
  proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519'] } },
};

export const credentialMetadata = ({ name, attributes, remark }: Template): JsonObject => ({
  display: [
    { name, locale: displayLocale, description: `${remark === undefined ? '' : `${remark} `}${publicNote}` },
  ],
  claims: attributes.map(({ key, label, mandatory }) => ({
    path: [key],
    mandatory,
    display: [{ name: label, locale: displayLocale }],
  })),
});
