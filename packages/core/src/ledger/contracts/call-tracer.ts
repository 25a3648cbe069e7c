/**
 * An engine that is watched: which contracts had called each other when a run failed, and what the outermost one
 * returned. For trials and tests; it changes nothing of what the engine answers, and blocks are made without it.
 */
import {
  ContractAbort,
  type ContractCall,
  type ContractEngine,
  type ContractEntry,
  type ContractOutcome,
  type ContractValue,
} from '../terms/engine.ts';

/** A contract that was running when its transaction failed. */
export interface TracedCall {
  readonly contract: string;
  /** Whose code it ran, where that is another's (`Chain.delegateCall`). */
  readonly codeOf?: string;
  readonly entry: ContractEntry;
  readonly input: string;
  /** The place of the operation that started it in its transaction, from 0. */
  readonly operationIndex: number;
  /** The function of the ledger that it had called: it runs the next contract, or has failed. */
  readonly builtIn?: string;
  /** What it threw, where and in which words of its code, from line 1; of the last call alone. */
  readonly exception?: string;
  readonly line?: number;
  readonly source?: string;
}

const delegating: readonly string[] = ['Chain.delegateCall', 'Chain.delegateQuery'];
const sourceCharsMax = 160;

export class CallTracer implements ContractEngine {
  readonly #engine: ContractEngine;
  readonly #underWay: TracedCall[] = [];
  #failed: readonly TracedCall[] = [];
  #returned: ContractValue;
  /** Whose code the next run has, where it is not its own. */
  #codeOf: string | undefined;

  constructor(engine: ContractEngine) {
    this.#engine = engine;
  }

  /** The calls that were under way when it failed, the outermost first; none where no contract has failed. */
  get failedCalls(): readonly TracedCall[] {
    return this.#failed;
  }

  /** What the last outermost run returned; nothing where there was none, or where it failed. */
  get returned(): ContractValue {
    return this.#returned;
  }

  run(call: ContractCall): ContractOutcome {
    const depth = this.#underWay.length;
    this.#underWay.push(tracedCall(call, this.#codeOf));
    this.#codeOf = undefined;
    try {
      const callBuiltIn = this.#watched(call, depth);
      const outcome = this.#engine.run({ ...call, callBuiltIn });
      if (outcome.kind === 'returned') this.#failed = [];
      else this.#keepFailure(failureOf(outcome, call));
      if (depth === 0) this.#returned = outcome.kind === 'returned' ? outcome.value : undefined;
      return outcome;
    } catch (error) {
      // The innermost call is the one that failed; those around it only end with it.
      if (error instanceof ContractAbort && this.#failed.length === 0) this.#keepFailure({});
      if (depth === 0) this.#returned = undefined;
      throw error;
    } finally {
      this.#underWay.length = depth;
    }
  }

  #watched({ builtIns, callBuiltIn }: ContractCall, depth: number): ContractCall['callBuiltIn'] {
    return (index, args) => {
      const builtIn = builtIns[index];
      const before = this.#underWay[depth];
      this.#underWay[depth] = { ...before, builtIn };
      // A query of another contract that failed before has not ended this run.
      this.#failed = [];
      const [target] = args;
      this.#codeOf = delegating.includes(builtIn) && typeof target === 'string' ? target : undefined;
      const result = callBuiltIn(index, args);
      this.#underWay[depth] = before;
      return result;
    };
  }

  #keepFailure(facts: Pick<TracedCall, 'exception' | 'line' | 'source'>): void {
    const last = this.#underWay.length - 1;
    this.#failed = this.#underWay.map((call, index) => (index === last ? { ...call, ...facts } : call));
  }
}

const tracedCall = ({ values, entry, input }: ContractCall, codeOf: string | undefined): TracedCall => ({
  contract: String(values['Chain.thisAddress']),
  ...(codeOf !== undefined && { codeOf }),
  entry,
  input,
  operationIndex: Number(values['Chain.msg.operationIndex']),
});

function failureOf(
  outcome: Exclude<ContractOutcome, { kind: 'returned' }>,
  { code }: ContractCall,
): Pick<TracedCall, 'exception' | 'line' | 'source'> {
  if (outcome.kind !== 'threw') return {};
  const { exception, line } = outcome;
  if (line === undefined) return { exception };
  const source = code
    .split(/\r\n?|\n/, line)
    [line - 1]?.trim()
    .slice(0, sourceCharsMax);
  return { exception, line, ...(source !== undefined && { source }) };
}
