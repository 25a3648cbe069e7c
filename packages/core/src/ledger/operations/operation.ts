/**
 * The form every operation has: `check` looks at the body alone, `apply` at body and state. The queue uses the
 * first, a block both, an evaluation both on a layer that is thrown away.
 */
import { type Account, type Operation, OperationSchema, type Transaction } from '../../proto/ledger_pb.ts';
import type { LedgerRules } from '../terms/chain-parameters.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import type { ContractEntry } from '../terms/engine.ts';
import type { StateLayer } from '../terms/state.ts';

export interface CheckContext {
  readonly rules: LedgerRules;
  /** The account the operation acts for: its own source, or else the transaction's. */
  readonly source: string;
}

export interface ApplyContext extends CheckContext {
  readonly layer: StateLayer;
  /** The source account as the operation finds it. */
  readonly account: Account;
  readonly transaction: Transaction;
  readonly hash: Uint8Array;
  /** The contracts that run because of the signed transaction this operation belongs to. */
  readonly contracts: ContractCalls;
  /** The operation's place in its transaction. */
  readonly index: number;
}

/** How operations run contracts. They are handed it: what runs them stands above the operations. */
export interface ContractCalls {
  run(frame: ContractFrame): RunResult;
}

/** One running contract: whose code, whose storage, started by what. */
export interface ContractFrame {
  readonly address: string;
  readonly code: string;
  readonly entry: ContractEntry;
  readonly input: string;
  readonly layer: StateLayer;
  /** The transaction that started this run, and the source of its operation. */
  readonly startedBy: { readonly transaction: Transaction; readonly hash: Uint8Array };
  readonly sender: string;
  readonly operationIndex: number;
  readonly sent: SentAlong | undefined;
}

/** What came with the call that started a run; a query brings nothing. */
export interface SentAlong {
  readonly coinAmount: bigint;
  readonly asset?: { readonly issuer: string; readonly code: string; readonly amount: bigint };
}

export type RunResult = { readonly value: string | boolean } | { readonly refusal: LedgerRefusal };

export const checkDestination = (address: string, { rules }: CheckContext): LedgerRefusal | undefined =>
  rules.keys.isAddress(address) ? undefined : refuse('invalidAddress', 'dest_address is not a valid address');

type BodyName = Exclude<
  keyof Operation,
  '$typeName' | '$unknown' | 'type' | 'sourceAddress' | 'metadata' | 'exprCondition'
>;
type Body<Name extends BodyName> = NonNullable<Operation[Name]>;

interface BodyRules<Name extends BodyName> {
  readonly check: (body: Body<Name>, context: CheckContext) => LedgerRefusal | undefined;
  readonly apply: (body: Body<Name>, context: ApplyContext) => LedgerRefusal | undefined;
}

export interface OperationRules {
  readonly name: string;
  check(operation: Operation, context: CheckContext): LedgerRefusal | undefined;
  apply(operation: Operation, context: ApplyContext): LedgerRefusal | undefined;
}

/** An operation's rules over its body; a body that is missing altogether is refused before they are asked. */
export function defineOperation<Name extends BodyName>(name: Name, rules: BodyRules<Name>): OperationRules {
  const { name: wireName } = OperationSchema.field[name];
  const bodyMissing = refuse('invalidParameter', `${wireName} is missing`);
  return {
    name,
    check: (operation, context) => {
      const body = operation[name];
      return body ? rules.check(body as Body<Name>, context) : bodyMissing;
    },
    apply: (operation, context) => rules.apply(operation[name] as Body<Name>, context),
  };
}
