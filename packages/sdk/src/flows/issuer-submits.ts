/**
 * Submitting what an issuer has signed, until it is known what became of it. Two answers of the service are not the
 * end: the ledger has not said yet what became of the transaction, so the same request is sent again; or another
 * transaction of the issuer came first, so the same call has to be signed anew. A new blob is compared with the order
 * like the first, and must follow it: while the first may still be executed, nothing else is signed.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { submitLimits } from '@symbolon/core/limits/waiting';
import { notAsOrdered } from '../comparison/order-comparison.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Signer } from '../keys/signer.ts';
import { type OrderedCall, readOfferedCall } from '../orders/registry-order.ts';
import { pause } from '../transport/waiting.ts';

export interface OfferedBlob {
  readonly blobId: string;
  readonly blob: string;
}

export interface SignedOffer {
  readonly blobId: string;
  readonly signBlob: string;
  readonly publicKey: string;
}

/** The reply, and the bytes that were signed in the end. */
export async function submitOffered<Reply>(
  offered: OfferedBlob,
  { signer, ordered }: { readonly signer: Signer; readonly ordered: OrderedCall },
  submit: (signed: SignedOffer) => Promise<Reply>,
): Promise<{ readonly reply: Reply; readonly bytes: Uint8Array }> {
  let { blobId, blob } = offered;
  let nonce = 0n;
  for (let attempt = 0; ; attempt++) {
    const bytes = await readOfferedCall(blob, ordered);
    const offeredNonce = decodeTransaction(bytes)?.nonce ?? 0n;
    if (offeredNonce <= nonce) throw notAsOrdered('the transaction', ['nonce']);
    nonce = offeredNonce;
    const signBlob = encodeHex(await signer.sign(bytes));
    const signed = { blobId, signBlob, publicKey: signer.publicKey };
    try {
      return { reply: await untilConfirmed(() => submit(signed)), bytes };
    } catch (error) {
      const next = replacementIn(error);
      if (!next || attempt >= submitLimits.replacementsMax) throw error;
      ({ blobId, blob } = next);
    }
  }
}

function replacementIn(error: unknown): OfferedBlob | undefined {
  if (!(error instanceof ServiceError) || error.code !== 'blobReplaced') return undefined;
  const { blobId, blob } = error.facts;
  return typeof blobId === 'string' && typeof blob === 'string' ? { blobId, blob } : undefined;
}

/** The ledger has not said what became of it, or it has not been its turn yet. */
const openCodes: readonly string[] = ['ledgerUnconfirmed', 'overloaded'];

/** Sends the same request again while its outcome is not known. */
export async function untilConfirmed<Reply>(send: () => Promise<Reply>): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const isOpen = error instanceof ServiceError && openCodes.includes(error.code);
      if (!isOpen || attempt >= submitLimits.repeatsMax) throw error;
      const seconds = Math.min(error.retryAfterSeconds ?? 1, submitLimits.repeatSecondsMax);
      await pause(seconds * 1_000);
    }
  }
}
