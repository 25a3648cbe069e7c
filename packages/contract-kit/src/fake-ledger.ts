/**
 * A ledger in memory under a test chain: state, blocks and time. Every transaction is executed by the core in a block
 * of its own, one second after the last; there is no store, no queue and no signature behind it.
 */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { ContractRuns } from '@symbolon/core/ledger/contracts/contract-runs';
import type { Outcome } from '@symbolon/core/ledger/execution/apply-transaction';
import { executeBlock } from '@symbolon/core/ledger/execution/execute-block';
import type { RunResult } from '@symbolon/core/ledger/operations/operation';
import { everyone } from '@symbolon/core/ledger/terms/authorize';
import type { BlockContext, LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import type { LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import {
  type StateChanges,
  type StateEntry,
  StateLayer,
  type StateReader,
} from '@symbolon/core/ledger/terms/state';
import {
  openUnsigned,
  type SignedTransaction,
  withSignatures,
} from '@symbolon/core/ledger/terms/transaction';
import { type OperationSchema, SignatureSchema } from '@symbolon/core/proto/ledger_pb';

export type OperationDraft = Exclude<MessageInitShape<typeof OperationSchema>, { $typeName: string }>;

export interface TestBlock {
  readonly number: number;
  /** Its close time in microseconds since 1970. */
  readonly timestamp: number;
}

export type Executed =
  | { readonly refusal: LedgerRefusal }
  | { readonly signed: SignedTransaction; readonly outcome: Outcome };

const microsPerSecond = 1_000_000;
/** A signature of the real size, so that a transaction has its real size. */
const placeholderSignature = create(SignatureSchema, {
  publicKey: '0'.repeat(76),
  signData: new Uint8Array(64),
});

export class FakeLedger implements StateReader {
  readonly rules: LedgerRules;
  readonly #entries = new Map<string, StateEntry>();
  #lastBlock: TestBlock;

  constructor(rules: LedgerRules, lastBlock: TestBlock) {
    this.rules = rules;
    this.#lastBlock = lastBlock;
  }

  get lastBlock(): TestBlock {
    return this.#lastBlock;
  }

  read(key: string): StateEntry | undefined {
    return this.#entries.get(key);
  }

  /** The entries whose keys begin so, in the order of their keys. */
  entriesUnder(prefix: string): StateEntry[] {
    const keys = [...this.#entries.keys()].filter((key) => key.startsWith(prefix)).sort();
    return keys.map((key) => this.#entries.get(key) as StateEntry);
  }

  /** Changes the state from outside, before a test begins. */
  set(change: (layer: StateLayer) => void): void {
    const layer = new StateLayer(this);
    change(layer);
    this.#keep(layer.changes);
  }

  execute(source: string, operation: OperationDraft): Executed {
    const signed = this.#sign(source, operation);
    const block = this.#nextBlock();
    const given = [{ signed, signedBy: everyone }];
    const { transactions, dropped, changes } = executeBlock(this, given, { block, rules: this.rules });
    if (dropped.length > 0) return { refusal: dropped[0].refusal };
    this.#keep(changes);
    this.advance(1, 1);
    const { outcome } = transactions[0];
    return outcome.failure ? { refusal: outcome.failure } : { signed, outcome };
  }

  /** Runs a contract's query on what is there; changes nothing. */
  query(source: string, target: string, { code, input }: { code: string; input: string }): RunResult {
    const signed = this.#sign(source, { payAsset: { destAddress: target, input } });
    const runs = new ContractRuns(signed, this.#nextBlock(), this.rules);
    return runs.query({ address: target, code, input, layer: new StateLayer(this) });
  }

  /** Closes empty blocks; the time is the last one's. */
  advance(blocks: number, seconds: number): void {
    const { number, timestamp } = this.#lastBlock;
    this.#lastBlock = { number: number + blocks, timestamp: timestamp + seconds * microsPerSecond };
  }

  #sign(source: string, operation: OperationDraft): SignedTransaction {
    const { gasPrice } = this.rules.parameters.fees;
    const nonce = (new StateLayer(this).account(source)?.nonce ?? 0n) + 1n;
    const terms = { sourceAddress: source, nonce, gasPrice, operations: [operation] };
    const unsigned = openUnsigned(terms, this.rules.sha256);
    assert(unsigned, 'what was just encoded can be opened');
    return withSignatures(unsigned, [placeholderSignature]);
  }

  #nextBlock(): BlockContext {
    const { number, timestamp } = this.#lastBlock;
    const hashOf = (seq: number) => encodeHex(this.rules.sha256(encodeUtf8(`test block ${seq}`)));
    return {
      seq: BigInt(number + 1),
      closeTime: BigInt(timestamp + microsPerSecond),
      validators: this.rules.parameters.validators,
      hashBefore: (offset) => (offset < number ? hashOf(number - offset) : undefined),
    };
  }

  #keep(changes: StateChanges): void {
    for (const [key, entry] of changes) {
      if (entry) this.#entries.set(key, entry);
      else this.#entries.delete(key);
    }
  }
}
