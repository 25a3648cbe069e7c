/**
 * The contracts one signed transaction causes to run: entry points, nesting, the transactions they trigger, and
 * what all of that may cost together (docs/ledger.md, "Contracts"). One instance lives as long as the outermost
 * transaction; every state change happens in the layers it is handed.
 */
import { create } from '@bufbuild/protobuf';
import { contractLimits } from '../../limits/consensus.ts';
import {
  type Operation,
  type Transaction,
  TransactionSchema,
  type Trigger,
  TriggerSchema,
} from '../../proto/ledger_pb.ts';
import { checkTriggered } from '../checks/check-transaction.ts';
import { gasOf } from '../checks/fees.ts';
import { operationRules } from '../operations/index.ts';
import type { ContractCalls, ContractFrame, RunResult } from '../operations/operation.ts';
import type { BlockContext, LedgerRules } from '../terms/chain-parameters.ts';
import { type LedgerRefusal, noAccount, refuse } from '../terms/codes.ts';
import { ContractAbort, type ContractOutcome, type GasMeter } from '../terms/engine.ts';
import { openTriggered, type SignedTransaction } from '../terms/transaction.ts';
import { type BuiltInRuns, type Effects, libraryOf } from './chain-library.ts';
import { valuesOf } from './chain-values.ts';
import { describeFailure } from './failures.ts';
import { byteSteps, textSteps } from './text-steps.ts';

/** The signed transaction at the bottom of everything. */
type OutermostTransaction = Pick<SignedTransaction, 'transaction' | 'hash' | 'envelopeBytes'>;

/** A transaction that a contract made, in the order of execution. */
export interface TriggeredTransaction {
  readonly signed: SignedTransaction;
  readonly trigger: Trigger;
}

/** A contract that came into being on the way, and the transaction that made it. */
interface CreatedContract {
  readonly address: string;
  readonly transaction: Transaction;
  readonly operationIndex: number;
}

export class ContractRuns implements ContractCalls, BuiltInRuns {
  readonly rules: LedgerRules;
  readonly block: BlockContext;
  readonly outermost: OutermostTransaction;
  readonly triggered: TriggeredTransaction[] = [];
  readonly meter: GasMeter = { left: contractLimits.gasMax };
  /** How the queries that contracts made of each other ended, in order. */
  readonly queried: RunResult[] = [];
  #gas: bigint;
  /** Transactions and queries that are under way, the outermost included. */
  #depth = 1;
  /** The source of the outermost transaction's operation that is being executed. */
  #outermostSender = '';
  readonly #created: CreatedContract[] = [];
  #returned: string | boolean = true;
  /** Set when a run must end whatever its contract does next. */
  #failure: LedgerRefusal | undefined;

  constructor(outermost: OutermostTransaction, block: BlockContext, rules: LedgerRules) {
    this.outermost = outermost;
    this.block = block;
    this.rules = rules;
    this.#gas = gasOf(outermost, rules.parameters.fees);
  }

  /** The gas of the outermost transaction and of everything it triggered. */
  get gas(): bigint {
    return this.#gas;
  }

  /** What the last `main` answered; true if the last call ran none. */
  get returned(): string | boolean {
    return this.#returned;
  }

  /** What the runs have used so far of what one signed transaction has. */
  get contractGas(): bigint {
    const { left } = this.meter;
    return contractLimits.gasMax - (left > 0n ? left : 0n);
  }

  /** What a success says of the contracts that the outermost transaction's own operations created; '' without any. */
  creationResult(): string {
    const own = this.#created.filter(({ transaction }) => transaction === this.outermost.transaction);
    if (own.length === 0) return '';
    return JSON.stringify(
      own.map(({ address, operationIndex }) => ({
        contract_address: address,
        operation_index: operationIndex,
      })),
    );
  }

  run(frame: ContractFrame): RunResult {
    const { address, entry, sender, operationIndex, startedBy } = frame;
    if (this.#depth === 1) this.#outermostSender = sender;
    if (entry === 'init') {
      this.#created.push({ address, transaction: startedBy.transaction, operationIndex });
    }
    const result = this.#runCode(frame);
    if (entry === 'main' && 'value' in result) this.#returned = result.value;
    return result;
  }

  /** A query from outside, as if the outermost transaction had started it. */
  query(call: Pick<ContractFrame, 'address' | 'code' | 'input' | 'layer'>): RunResult {
    const { outermost } = this;
    const { sourceAddress: sender } = outermost.transaction;
    return this.run({
      ...call,
      entry: 'query',
      startedBy: outermost,
      sender,
      operationIndex: 0,
      sent: undefined,
    });
  }

  #runCode(frame: ContractFrame): RunResult {
    if (this.#depth > contractLimits.callDepthMax) {
      return { refusal: refuse('contractTooDeep', 'Too many recursion') };
    }
    const { block, outermost } = this;
    const { engine, utils } = this.rules.contracts;
    const library = libraryOf(frame.entry, utils);
    const caller = { frame, runs: this };
    let outcome: ContractOutcome;
    try {
      outcome = engine.run({
        code: frame.code,
        entry: frame.entry,
        input: frame.input,
        values: valuesOf(frame, { block, outermost, outermostSender: this.#outermostSender }),
        builtIns: library.names,
        callBuiltIn: (index, args) => library.functions[index](args, caller),
        meter: this.meter,
      });
    } catch (error) {
      if (!(error instanceof ContractAbort) || !this.#failure) throw error;
      return { refusal: this.#failure };
    }
    if (outcome.kind !== 'returned') return { refusal: describeFailure(frame, outcome) };
    const { value } = outcome;
    if (!this.spend(textSteps([value]))) {
      return { refusal: describeFailure(frame, { kind: 'exhausted', limit: 'gas' }) };
    }
    return { value: typeof value === 'string' || typeof value === 'boolean' ? value : false };
  }

  spend(steps: number): boolean {
    if (steps === 0) return this.meter.left >= 0n;
    this.meter.left -= BigInt(steps) * contractLimits.gasPerStep;
    return this.meter.left >= 0n;
  }

  nested(frame: ContractFrame): RunResult {
    this.#depth++;
    try {
      const result = this.run(frame);
      if (frame.entry === 'query') this.queried.push(result);
      return result;
    } finally {
      this.#depth--;
    }
  }

  trigger(frame: ContractFrame, operation: Operation): Effects {
    this.#returned = true;
    // What the `init` of a new contract creates in turn comes after it.
    const createdBefore = this.#created.length;
    const refusal = this.#execute(frame, operation);
    if (refusal) this.abort(refusal);
    return { returned: this.#returned, created: this.#created[createdBefore]?.address };
  }

  abort(refusal: LedgerRefusal): never {
    this.#failure = refusal;
    throw new ContractAbort(refusal.description);
  }

  #execute(frame: ContractFrame, operation: Operation): LedgerRefusal | undefined {
    const { rules } = this;
    if (this.triggered.length >= contractLimits.triggeredTransactionsMax) {
      return refuse('contractTooManyTransactions', 'Too many transactions triggered by contracts');
    }
    const source = frame.address;
    const account = frame.layer.account(source);
    if (!account) return noAccount(source);
    const nonce = account.nonce + 1n;
    const signed = openTriggered(
      create(TransactionSchema, { sourceAddress: source, nonce, operations: [operation] }),
      rules.sha256,
    );
    this.triggered.push({ signed, trigger: triggerOf(frame) });
    const unaffordable = this.#charge(signed);
    if (unaffordable) return unaffordable;
    if (!this.spend(byteSteps(signed.envelopeBytes))) {
      return describeFailure(frame, { kind: 'exhausted', limit: 'gas' });
    }
    const unfit = checkTriggered(signed, operation, { rules, source });
    if (unfit) return unfit;

    // In the layer of the run itself: no run outlives a transaction of its own that failed, and neither does its layer.
    const { layer } = frame;
    const next = { ...account, nonce };
    layer.putAccount(next);
    this.#depth++;
    const failure = operationRules(operation.type)?.apply(operation, {
      rules,
      source,
      layer,
      account: next,
      transaction: signed.transaction,
      hash: signed.hash,
      index: 0,
      contracts: this,
    });
    this.#depth--;
    return failure;
  }

  /** Bytes and operations of a triggered transaction are paid by the outermost one. */
  #charge(signed: SignedTransaction): LedgerRefusal | undefined {
    const { feeLimit, gasPrice } = this.outermost.transaction;
    this.#gas += gasOf(signed, this.rules.parameters.fees);
    const due = this.#gas * gasPrice;
    return due <= feeLimit
      ? undefined
      : refuse(
          'feeTooLow',
          `fee_limit ${feeLimit} is below the fee of ${due} with what the contract triggers`,
        );
  }
}

function triggerOf({ startedBy, operationIndex }: ContractFrame): Trigger {
  return create(TriggerSchema, { transaction: { hash: startedBy.hash, index: BigInt(operationIndex) } });
}
