/** What the configurations of all formats say in the same words. */
import type { Template } from '@symbolon/core/documents/model';
import type { JsonObject } from '@symbolon/wire/json/json';

/** Names have no language of their own: this one is said of them. */
export const displayLocale = 'en';

/** How keys of holders are named and proved. */
export const walletBinding = {
  cryptographic_binding_methods_supported: ['jwk', 'did:key', 'did:jwk', 'did:zid'],
  proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519'] } },
};

/** What a holder is told stays public. */
const publicNote =
  'A salted fingerprint of what is issued, its template, validity and status stay public on a ledger; its contents do not.';

/** `above` leads to where a credential of the format has its attributes. */
export const credentialMetadata = (
  { name, attributes, remark }: Template,
  above: readonly string[] = [],
): JsonObject => ({
  display: [
    { name, locale: displayLocale, description: `${remark === undefined ? '' : `${remark} `}${publicNote}` },
  ],
  claims: attributes.map(({ key, label, mandatory }) => ({
    path: [...above, key],
    mandatory,
    display: [{ name: label, locale: displayLocale }],
  })),
});
