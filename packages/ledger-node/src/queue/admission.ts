/**
 * How a transaction gets into the queue (docs/ledger.md, "Checks"): cheap checks first, then its signatures in the
 * worker pool, those that count for nobody taken out, then what depends on them. Nothing here changes the chain.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { checkSource, checkTransaction } from '@symbolon/core/ledger/checks/check-transaction';
import { checkFeeLimit } from '@symbolon/core/ledger/checks/fees';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { codes, type LedgerRefusal, noAccount, refuse } from '@symbolon/core/ledger/terms/codes';
import { openTransaction, type SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Account, Signature, Transaction } from '@symbolon/core/proto/ledger_pb';
import type { Clock } from '@symbolon/host/work/clock';
import type { Chain } from '../chain/chain.ts';
import type { SandboxQueue } from '../sandbox/sandbox-queue.ts';
import {
  dropForeignSignatures,
  type NamedSigners,
  type SigningFacts,
  signerOfEach,
  type VerifySignature,
} from '../signatures/signers.ts';
import type { Waiting, WaitingQueue } from './waiting-queue.ts';

/** A transaction in the queue: checked, its signatures verified, not yet executed. */
export interface QueuedTransaction extends Waiting {
  readonly verified: NamedSigners;
  readonly arrivedAtMicros: bigint;
}

/** What a submitter is told: the hash as soon as the blob could be read, and why not, if so. */
export interface Admitted {
  readonly hash: string | undefined;
  readonly signed: SignedTransaction | undefined;
  readonly refusal: LedgerRefusal | undefined;
  /**
   * True if the source's own signatures are on it and the verdict says something about this transaction; only then
   * other connections are told. Blobs are public: anybody can hand one in with other signatures, or once more.
   */
  readonly isBySource: boolean;
}

/** Codes that somebody else can cause by handing in this transaction with other signatures, or again. */
const codesByOthers: ReadonlySet<number> = new Set([
  codes.alreadyExists,
  codes.weightTooLow,
  codes.badNonce,
  codes.accountMissing,
]);

interface AdmissionParts {
  readonly chain: Chain;
  readonly queue: WaitingQueue<QueuedTransaction>;
  readonly verify: VerifySignature;
  readonly sandbox: SandboxQueue;
  readonly clock: Clock;
  /** Told of every transaction that entered the queue. */
  onQueued(transaction: QueuedTransaction): void;
}

export class QueueAdmission {
  readonly #parts: AdmissionParts;
  /** Those whose signatures are being verified, by hash, until that is over. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  /** The chain's rules without the one that costs much: reading contract code. */
  readonly #cheapRules: LedgerRules;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    const { rules } = parts.chain;
    this.#cheapRules = { ...rules, contracts: { ...rules.contracts, checkSyntax: () => [] } };
  }

  async submit(blob: Uint8Array, signatures: readonly Signature[]): Promise<Admitted> {
    const signed = openTransaction(blob, signatures, this.#parts.chain.rules.sha256);
    if (!signed) {
      const refusal = refuse('invalidParameter', 'transaction_blob is not a serialized transaction');
      return { hash: undefined, signed, refusal, isBySource: false };
    }
    return this.submitOpened(signed);
  }

  /** One whose blob was read before. */
  async submitOpened(signed: SignedTransaction): Promise<Admitted> {
    const hash = encodeHex(signed.hash);
    for (;;) {
      const early = this.#checkBefore(signed, hash);
      if (early) return { hash, signed, refusal: early, isBySource: false };
      const twin = this.#underWay.get(hash);
      if (!twin) return { hash, signed, ...(await this.#verifyAndQueue(signed, hash)) };
      // Its signatures may be wrong, whoever handed it in, and then these have their turn.
      await twin;
    }
  }

  /** Everything that can be refused without verifying a signature. */
  #checkBefore(signed: SignedTransaction, hash: string): LedgerRefusal | undefined {
    const { chain, queue } = this.#parts;
    if (queue.get(hash)) return refuse('alreadyExists', 'the transaction is in the queue already');
    return this.#checkAccount(signed) ?? checkTransaction(signed, this.#cheapRules, chain.head.seq + 1n);
  }

  async #verifyAndQueue(
    signed: SignedTransaction,
    hash: string,
  ): Promise<Pick<Admitted, 'refusal' | 'isBySource'>> {
    const { chain, verify } = this.#parts;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#underWay.set(hash, over);
    try {
      const signers = await signerOfEach(signed, chain.rules.keys, verify);
      if (!signers) return { refusal: refuse('queueFull'), isBySource: false };
      const verified = dropForeignSignatures(signed, signers, this.#signingFacts);
      const refusal = await this.#queueSigned(verified, hash);
      const isOwn =
        !refusal || !(codesByOthers.has(refusal.code) || this.#isPriceOfSignatures(verified.signed));
      return { refusal, isBySource: isOwn };
    } finally {
      this.#underWay.delete(hash);
      end();
    }
  }

  /** Whether its signatures alone make it cost more than its limit: who collects them makes the envelope. */
  #isPriceOfSignatures(signed: SignedTransaction): boolean {
    const { fees } = this.#parts.chain.rules.parameters;
    const bare = { ...signed, envelopeBytes: signed.blob.length };
    return checkFeeLimit(signed, fees) !== undefined && checkFeeLimit(bare, fees) === undefined;
  }

  async #queueSigned(verified: NamedSigners, hash: string): Promise<LedgerRefusal | undefined> {
    const { signed } = verified;
    const refusal = this.#checkSigned(verified);
    if (refusal || !carriesCode(signed.transaction)) return refusal ?? this.#enqueue(verified, hash);
    return (await this.#checkCode(signed)) ?? this.#checkSigned(verified) ?? this.#enqueue(verified, hash);
  }

  /** What depends on who signed. A block may have been made meanwhile, so the account is asked again. */
  #checkSigned({ signed, signedBy }: VerifiedTransaction): LedgerRefusal | undefined {
    const { rules } = this.#parts.chain;
    return this.#checkAccount(signed, (account) => checkSource(signed, account, signedBy, rules));
  }

  /** Checking contract code takes long, so it comes last, in turns with everything else the node does. */
  async #checkCode(signed: SignedTransaction): Promise<LedgerRefusal | undefined> {
    const { chain, sandbox } = this.#parts;
    const checked = await sandbox.run(() => ({
      refusal: checkTransaction(signed, chain.rules, chain.head.seq + 1n),
    }));
    // Its turn did not come: nothing has expired, and it is not in the queue.
    return 'code' in checked
      ? refuse('queueFull', 'the node is busy checking code; send it again')
      : checked.refusal;
  }

  #enqueue(verified: NamedSigners, hash: string): LedgerRefusal | undefined {
    const { clock, onQueued, queue } = this.#parts;
    const { signed } = verified;
    const { sourceAddress, nonce, gasPrice } = signed.transaction;
    const transaction: QueuedTransaction = {
      hash,
      source: sourceAddress,
      nonce,
      gasPrice,
      bytes: signed.envelopeBytes,
      arrivedAtMs: performance.now(),
      arrivedAtMicros: clock.nowMicros(),
      verified,
    };
    const refused = queue.add(transaction);
    if (!refused) onQueued(transaction);
    return refused;
  }

  readonly #signingFacts: SigningFacts = {
    accountOf: (address) => this.#parts.chain.state.account(address),
    waitingOf: (address) => this.#parts.queue.of(address).map(({ verified }) => verified.signed.transaction),
  };

  /** The source account as the last block left it, and what else there is to say of it. */
  #checkAccount(
    { transaction }: SignedTransaction,
    checkFurther?: (account: Account) => LedgerRefusal | undefined,
  ): LedgerRefusal | undefined {
    const { sourceAddress, nonce } = transaction;
    const account = this.#parts.chain.state.account(sourceAddress);
    if (!account) return noAccount(sourceAddress);
    return nonce > account.nonce
      ? checkFurther?.(account)
      : refuse('badNonce', `nonce ${nonce} is used: the account's last one is ${account.nonce}`);
  }
}

const carriesCode = ({ operations }: Transaction): boolean =>
  operations.some(({ createAccount, upgradeContract }) => createAccount?.contract || upgradeContract);
