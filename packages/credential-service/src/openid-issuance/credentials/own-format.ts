/** Our own credential (`symbolon-bbs-2026`) as a format of OpenID4VCI: what the metadata say, and whose proof it takes. */
import { keyOfJwk } from '@symbolon/core/did/public-jwk';
import { suites } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import type { ProvenKey } from '@symbolon/formats/oid4vci/key-proofs';
import { isKeyOfHolder, type OwnContents } from '../datasets/own-contents.ts';
import { credentialMetadata, walletBinding } from '../parts/configuration-members.ts';
import type { OfferedFormat } from '../parts/format-issuer.ts';
import type { OpenidParts } from '../parts/openid-parts.ts';

/** Nobody asks for it by a scope: whoever only logs in has named no holder when it is signed. */
export const ownCredentialFormat: OfferedFormat = {
  suffix: 'range',
  name: suites.bbs,
  configurationOf: (template) => ({
    format: suites.bbs,
    template_id: template.id,
    template_version: template.version,
    ...walletBinding,
    proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['EdDSA', 'Ed25519'] } },
    credential_signing_alg_values_supported: [suites.bbs],
    credential_metadata: credentialMetadata(template, ['credentialSubject']),
  }),
};

/** The credential is of one holder, whose DID is a key: proved by that key, however it is named. Throws `keyProofInvalid`. */
export function requireHolderKeys(
  parts: Pick<OpenidParts, 'keys'>,
  own: OwnContents,
  proven: readonly ProvenKey[],
): void {
  const isHolders = ({ key }: ProvenKey): boolean => {
    const named = keyOfJwk(key);
    return named?.keyType === 'ed25519' && isKeyOfHolder(parts, own, named.publicKey);
  };
  if (!proven.every(isHolders))
    throw new Fault('keyProofInvalid', {
      detail: 'a proof is not by the key of the holder for whom the credential is',
    });
}
