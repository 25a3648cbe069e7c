/**
 * How a transaction gets into the queue (docs/ledger.md, "Checks"): cheap checks first, then its signatures in
 * the worker pool, then what depends on them. Nothing here changes the chain.
 */
import { encodeHex } from '@symbolon/core/bytes';
import type { VerifiedTransaction } from '@symbolon/core/ledger/apply-transaction';
import { checkSource, checkTransaction } from '@symbolon/core/ledger/check-transaction';
import { type Refusal, refuse } from '@symbolon/core/ledger/codes';
import { stateKeys } from '@symbolon/core/ledger/state';
import { openTransaction, type SignedTransaction } from '@symbolon/core/ledger/transaction';
import type { Account, Signature } from '@symbolon/core/proto/ledger_pb';
import type { Clock } from '@symbolon/host/clock';
import type { Chain } from './chain.ts';
import type { Mempool, Waiting } from './mempool.ts';
import { signersOf, type VerifySignature } from './signers.ts';

/** A transaction in the queue: checked, its signatures verified, not yet executed. */
export interface QueuedTransaction extends Waiting {
  readonly verified: VerifiedTransaction;
  readonly arrivedAtMicros: bigint;
}

/** What a submitter is told: the hash as soon as the blob could be read, and why not, if so. */
export interface Admitted {
  readonly hash: string | undefined;
  readonly signed: SignedTransaction | undefined;
  readonly refusal: Refusal | undefined;
}

interface AdmissionParts {
  readonly chain: Chain;
  readonly queue: Mempool<QueuedTransaction>;
  readonly verify: VerifySignature;
  readonly clock: Clock;
  /** Told of every transaction that entered the queue. */
  onQueued(): void;
}

export class Admission {
  readonly #parts: AdmissionParts;
  /** Hashes whose signatures are being verified: a twin that arrives meanwhile is a repetition too. */
  readonly #underWay = new Set<string>();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  async submit(blob: Uint8Array, signatures: readonly Signature[]): Promise<Admitted> {
    const signed = openTransaction(blob, signatures, this.#parts.chain.rules.sha256);
    if (!signed) {
      const refusal = refuse('invalidParameter', 'transaction_blob is not a serialized transaction');
      return { hash: undefined, signed, refusal };
    }
    const hash = encodeHex(signed.hash);
    const refusal = this.#checkBefore(signed, hash) ?? (await this.#verifyAndQueue(signed, hash));
    return { hash, signed, refusal };
  }

  /** Everything that can be refused without verifying a signature. */
  #checkBefore(signed: SignedTransaction, hash: string): Refusal | undefined {
    const { chain, queue } = this.#parts;
    if (queue.get(hash) || this.#underWay.has(hash)) {
      return refuse('alreadyExists', 'the transaction is in the queue already');
    }
    return this.#checkAccount(signed) ?? checkTransaction(signed, chain.rules, chain.head.seq + 1n);
  }

  async #verifyAndQueue(signed: SignedTransaction, hash: string): Promise<Refusal | undefined> {
    this.#underWay.add(hash);
    try {
      const signedBy = await signersOf(signed, this.#parts.chain.rules.keys, this.#parts.verify);
      return signedBy ? this.#enqueue({ signed, signedBy }, hash) : refuse('queueFull');
    } finally {
      this.#underWay.delete(hash);
    }
  }

  #enqueue(verified: VerifiedTransaction, hash: string): Refusal | undefined {
    const { chain, clock, onQueued, queue } = this.#parts;
    const { signed, signedBy } = verified;
    // A block may have been made while the signatures were verified: ask the account again.
    const refusal = this.#checkAccount(signed);
    if (refusal) return refusal;
    const { sourceAddress, nonce, gasPrice } = signed.transaction;
    const account = chain.state.read(stateKeys.account(sourceAddress)) as Account;
    const unfit = checkSource(signed, account, signedBy, chain.rules);
    if (unfit) return unfit;
    const refused = queue.add({
      hash,
      source: sourceAddress,
      nonce,
      gasPrice,
      bytes: signed.envelopeBytes,
      arrivedAtMs: clock.nowMs(),
      arrivedAtMicros: clock.nowMicros(),
      verified,
    });
    if (!refused) onQueued();
    return refused;
  }

  #checkAccount({ transaction }: SignedTransaction): Refusal | undefined {
    const { sourceAddress, nonce } = transaction;
    const account = this.#parts.chain.state.read(stateKeys.account(sourceAddress)) as Account | undefined;
    if (!account) return refuse('accountMissing', `account ${sourceAddress} does not exist`);
    return nonce > account.nonce
      ? undefined
      : refuse('badNonce', `nonce ${nonce} is used: the account's last one is ${account.nonce}`);
  }
}
