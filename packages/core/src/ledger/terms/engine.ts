/**
 * The ContractEngine seam: how the ledger runs a contract's code, and nothing about what contracts may do. An
 * engine is deterministic: the same code, input, context and answers give the same outcome and the same gas on
 * every machine, whatever ran before. It is synchronous, and re-entrant: a built-in may run another contract.
 */

export type ContractEntry = 'init' | 'main' | 'query';

/** What passes between a contract and its built-ins: plain JSON, and nothing. */
export type ContractValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | readonly ContractValue[]
  | { readonly [name: string]: ContractValue };

/** The gas that is left for a whole transaction, shared by all runs it causes. Below zero it is used up. */
export interface GasMeter {
  left: bigint;
}

/** The values of `Chain` and the legacy globals, by dotted name (`Chain.block.number`, `thisAddress`). */
export type ContractValues = Readonly<Record<string, string | number>>;

export interface ContractCall {
  readonly code: string;
  readonly entry: ContractEntry;
  readonly input: string;
  readonly values: ContractValues;
  /**
   * The functions the contract sees, by dotted name (`Chain.load`, `Utils.sha256`, `storageLoad`). An engine prepares
   * for a list of them once, so that calls which see the same share one list.
   */
  readonly builtIns: readonly string[];
  /** Calls the function that stands at this place of the list. */
  readonly callBuiltIn: (index: number, args: readonly ContractValue[]) => ContractValue;
  readonly meter: GasMeter;
}

/** Throws `ContractException` to throw in the contract, `ContractAbort` to end the run for good. */
export type BuiltIn = (args: readonly ContractValue[]) => ContractValue;

/** Becomes a thrown value inside the contract. */
export class ContractException extends Error {
  override name = 'ContractException';
}

/** Ends the run at once; the contract cannot catch it. The engine lets it through to its caller. */
export class ContractAbort extends Error {
  override name = 'ContractAbort';
}

export type ContractOutcome =
  | { readonly kind: 'returned'; readonly value: ContractValue }
  /** Uncaught: the text is cut to 256 characters; line is one-based in the contract's code, stack only for Error objects. */
  | { readonly kind: 'threw'; readonly exception: string; readonly line?: number; readonly stack?: string }
  /** The code has no function of this name. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'exhausted'; readonly limit: 'gas' | 'memory' | 'stack' };

export interface ContractEngine {
  run(call: ContractCall): ContractOutcome;
}
