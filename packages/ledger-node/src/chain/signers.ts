/** Who really signed a transaction: the addresses of the public keys whose signatures verify. */

import type { KeyFormat } from '@symbolon/core/keys/keys';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';

const signatureBytes = 64;

/** One Ed25519 verdict; undefined when the verifier is overloaded. */
export type VerifySignature = (
  publicKey: Uint8Array,
  signature: Uint8Array,
  message: Uint8Array,
) => Promise<boolean | undefined>;

/**
 * A signature that does not verify is ignored, not an error: the weights decide. Undefined when the verifier
 * could not take the work.
 */
export async function signersOf(
  signed: SignedTransaction,
  keys: KeyFormat,
  verify: VerifySignature,
): Promise<ReadonlySet<string> | undefined> {
  const signers = await signerOfEach(signed, keys, verify);
  return signers && new Set(signers.filter((address) => address !== undefined));
}

/** The signer of each signature, in their order; undefined where it does not verify. */
export async function signerOfEach(
  { blob, signatures }: SignedTransaction,
  keys: KeyFormat,
  verify: VerifySignature,
): Promise<readonly (string | undefined)[] | undefined> {
  const claimed = signatures.map(({ publicKey, signData }) =>
    signData.length === signatureBytes ? keys.signerOf(publicKey) : undefined,
  );
  const verdicts = await Promise.all(
    claimed.map((signer, index) => {
      const signData = signatures[index]?.signData;
      return signer && signData ? verify(signer.publicKey, signData, blob) : false;
    }),
  );
  if (verdicts.includes(undefined)) return undefined;
  return claimed.map((signer, index) => (verdicts[index] ? signer?.address : undefined));
}
