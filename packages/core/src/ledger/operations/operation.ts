/**
 * The form every operation has: `check` looks at the body alone, `apply` at body and state. The queue uses the
 * first, a block both, an evaluation both on a layer that is thrown away.
 */
import { type Account, type Operation, OperationSchema, type Transaction } from '../../proto/ledger_pb.ts';
import type { ContractRuns } from '../contracts/contract-runs.ts';
import type { LedgerRules } from '../terms/chain-parameters.ts';
import { type Refusal, refuse } from '../terms/codes.ts';
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
  readonly contracts: ContractRuns;
  /** The operation's place in its transaction. */
  readonly index: number;
}

type BodyName = Exclude<
  keyof Operation,
  '$typeName' | '$unknown' | 'type' | 'sourceAddress' | 'metadata' | 'exprCondition'
>;
type Body<Name extends BodyName> = NonNullable<Operation[Name]>;

interface BodyRules<Name extends BodyName> {
  readonly check: (body: Body<Name>, context: CheckContext) => Refusal | undefined;
  readonly apply: (body: Body<Name>, context: ApplyContext) => Refusal | undefined;
}

export interface OperationRules {
  readonly name: string;
  check(operation: Operation, context: CheckContext): Refusal | undefined;
  apply(operation: Operation, context: ApplyContext): Refusal | undefined;
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
