/** Who really signed a transaction: the addresses of the public keys whose signatures verify. */

import type { KeyFormat } from '@symbolon/core/keys';
import type { SignedTransaction } from '@symbolon/core/ledger/transaction';

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
  { blob, signatures }: SignedTransaction,
  keys: KeyFormat,
  verify: VerifySignature,
): Promise<ReadonlySet<string> | undefined> {
  const claimed: string[] = [];
  const verdicts: Promise<boolean | undefined>[] = [];
  for (const { publicKey, signData } of signatures) {
    const signer = keys.signerOf(publicKey);
    if (!signer || signData.length !== signatureBytes) continue;
    claimed.push(signer.address);
    verdicts.push(verify(signer.publicKey, signData, blob));
  }
  const settled = await Promise.all(verdicts);
  return settled.includes(undefined) ? undefined : new Set(claimed.filter((_, index) => settled[index]));
}
