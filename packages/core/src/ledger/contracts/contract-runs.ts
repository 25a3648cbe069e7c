/**
 * The contracts one signed transaction causes to run: entry points, nesting, the transactions they trigger, and
 * what all of that may cost together (docs/ledger.md, "Contracts"). One instance lives as long as the outermost
 * transaction; every state change happens in the layers it is handed.
 */
import { create } from '@bufbuild/protobuf';
import { contractLimits } from '../../limits/consensus.ts';
import { type Operation, TransactionSchema, type Trigger, TriggerSchema } from '../../proto/ledger_pb.ts';
import { checkTriggered } from '../checks/check-transaction.ts';
import { gasOf } from '../checks/fees.ts';
import { operationRules } from '../operations/index.ts';
import type { ContractCalls, ContractFrame, CreatedContract, RunResult } from '../operations/operation.ts';
import type { BlockContext, LedgerRules } from '../terms/chain-parameters.ts';
import { noAccount, type Refusal, refuse } from '../terms/codes.ts';
import { ContractAbort, type ContractOutcome, type GasMeter } from '../terms/engine.ts';
import { StateLayer } from '../terms/state.ts';
import { encodeTransaction, openTransaction, type SignedTransaction } from '../terms/transaction.ts';
import { builtInsOf } from './chain-library.ts';
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

export class ContractRuns implements ContractCalls {
  readonly rules: LedgerRules;
  readonly block: BlockContext;
  readonly outermost: OutermostTransaction;
  readonly triggered: TriggeredTransaction[] = [];
  readonly created: CreatedContract[] = [];
  readonly meter: GasMeter = { left: contractLimits.gasMax };
  /** How the queries that contracts made of each other ended, in order. */
  readonly queried: RunResult[] = [];
  /** The source of the outermost transaction's operation that is being executed. */
  outermostSender = '';
  returned: string | boolean = false;
  #gas: bigint;
  /** Transactions and queries that are under way, the outermost included. */
  #underWay = 1;
  /** Set when a run must end whatever its contract does next. */
  #failure: Refusal | undefined;

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

  /** What the runs have used so far of what one signed transaction has. */
  get contractGas(): bigint {
    const { left } = this.meter;
    return contractLimits.gasMax - (left > 0n ? left : 0n);
  }

  /** What a success says of the contracts that the outermost transaction's own operations created; '' without any. */
  creationResult(): string {
    const own = this.created.filter(({ transaction }) => transaction === this.outermost.transaction);
    if (own.length === 0) return '';
    return JSON.stringify(
      own.map(({ address, operationIndex }) => ({
        contract_address: address,
        operation_index: operationIndex,
      })),
    );
  }

  run(frame: ContractFrame): RunResult {
    if (this.#underWay > contractLimits.callDepthMax) {
      return { refusal: refuse('contractTooDeep', 'Too many recursion') };
    }
    let outcome: ContractOutcome;
    try {
      outcome = this.rules.contracts.engine.run({
        code: frame.code,
        entry: frame.entry,
        input: frame.input,
        values: valuesOf(frame, this),
        builtIns: builtInsOf(frame, this),
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

  /** Takes steps off the meter; whether they could be paid for. */
  spend(steps: number): boolean {
    this.meter.left -= BigInt(steps) * contractLimits.gasPerStep;
    return this.meter.left >= 0n;
  }

  /** A run inside another that is no transaction of its own: a query, or borrowed code. */
  nested(frame: ContractFrame): RunResult {
    this.#underWay++;
    try {
      const result = this.run(frame);
      if (frame.entry === 'query') this.queried.push(result);
      return result;
    } finally {
      this.#underWay--;
    }
  }

  /** A transaction of the contract's own, executed at once. Failing ends the contract's run with its code. */
  trigger(frame: ContractFrame, operation: Operation): void {
    const refusal = this.#execute(frame, operation);
    if (refusal) this.abort(refusal);
  }

  abort(refusal: Refusal): never {
    this.#failure = refusal;
    throw new ContractAbort(refusal.description);
  }

  #execute(frame: ContractFrame, operation: Operation): Refusal | undefined {
    const { rules } = this;
    if (this.triggered.length >= contractLimits.triggeredTransactionsMax) {
      return refuse('contractTooManyTransactions', 'Too many transactions triggered by contracts');
    }
    const source = frame.address;
    const account = frame.layer.account(source);
    if (!account) return noAccount(source);
    const transaction = create(TransactionSchema, {
      sourceAddress: source,
      nonce: account.nonce + 1n,
      operations: [operation],
    });
    const signed = openTransaction(encodeTransaction(transaction), [], rules.sha256);
    if (!signed) return refuse('invalidParameter', 'the transaction cannot be serialized');
    this.triggered.push({ signed, trigger: triggerOf(frame) });
    const unaffordable = this.#charge(signed);
    if (unaffordable) return unaffordable;
    if (!this.spend(byteSteps(signed.envelopeBytes))) {
      return describeFailure(frame, { kind: 'exhausted', limit: 'gas' });
    }
    const unfit = checkTriggered(signed, operation, { rules, source });
    if (unfit) return unfit;

    const layer = new StateLayer(frame.layer);
    layer.putAccount({ ...account, nonce: transaction.nonce });
    this.#underWay++;
    const failure = operationRules(operation.type)?.apply(operation, {
      rules,
      source,
      layer,
      account: layer.account(source) ?? account,
      transaction,
      hash: signed.hash,
      index: 0,
      contracts: this,
    });
    this.#underWay--;
    if (!failure) layer.mergeInto(frame.layer);
    return failure;
  }

  /** Bytes and operations of a triggered transaction are paid by the outermost one. */
  #charge(signed: SignedTransaction): Refusal | undefined {
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
