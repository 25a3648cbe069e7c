/**
 * What a block does beside its transactions: in a network it first marks validators that misbehaved, and says which set
 * follows; every block pays for itself last. Whoever executes a block again takes the same two steps.
 */
import { create } from '@bufbuild/protobuf';
import { assert } from '../../basics/assert.ts';
import { blockLimits } from '../../limits/consensus.ts';
import { MetadataEntrySchema, type ValidatorSet } from '../../proto/ledger_pb.ts';
import type { BlockContext, LedgerRules } from '../terms/chain-parameters.ts';
import {
  newAccount,
  type StateChanges,
  type StateLayer,
  type StateReader,
  stateKeys,
} from '../terms/state.ts';
import {
  encodeValidators,
  jail,
  type ValidatorUpdate,
  validatorSetOf,
  validatorsInState,
  validatorsKey,
  validatorUpdates,
} from '../terms/validators.ts';

interface InBlock {
  readonly block: BlockContext;
  readonly rules: LedgerRules;
}

/** Jails, before any transaction is executed. */
export function beginBlock(state: StateLayer, { misbehavior = [] }: BlockContext, rules: LedgerRules): void {
  const { network } = rules.parameters;
  if (!network || misbehavior.length === 0) return;
  const { stored, entries } = validatorsInState(state, network.council, rules);
  const marked = jail(entries, misbehavior, rules.sha256);
  if (marked === entries) return;
  const value = encodeValidators(marked);
  const version = stored.version + 1n;
  state.putMetadata(network.council, create(MetadataEntrySchema, { key: validatorsKey, value, version }));
}

/** Whether the contracts of a network's block may go on. */
export const contractsHaveRoom = (contractGas: bigint): boolean => contractGas < blockLimits.contractGasMax;

/** A network pays the proposer. Else equal shares; what does not divide goes to the one whose turn the number makes it. */
export function payValidators(state: StateLayer, total: bigint, { block, rules }: InBlock): void {
  if (rules.parameters.network) {
    assert(block.proposer, 'a block of a network has a proposer');
    pay(state, block.proposer, total);
    return;
  }
  const { validators } = block.validators;
  const count = BigInt(validators.length);
  for (const [index, { address }] of validators.entries()) {
    const isTurn = BigInt(index) === block.seq % count;
    pay(state, address, total / count + (isTurn ? total % count : 0n));
  }
}

function pay(state: StateLayer, address: string, amount: bigint): void {
  if (amount === 0n) return;
  const account = state.account(address) ?? newAccount(address, 0n);
  state.putAccount({ ...account, balance: account.balance + amount });
}

/** Whom the block's header names, and how the state after the block differs from that. */
export function validatorsAround(
  before: StateReader,
  changes: StateChanges,
  { block, rules }: InBlock,
): { validators: ValidatorSet; validatorUpdates: readonly ValidatorUpdate[] } {
  const { network } = rules.parameters;
  if (!network) return { validators: block.validators, validatorUpdates: [] };
  const setIn = (state: StateReader) =>
    validatorSetOf(validatorsInState(state, network.council, rules).entries);
  const validators = setIn(before);
  const changed = changes.get(stateKeys.metadata(network.council, validatorsKey));
  if (!changed) return { validators, validatorUpdates: [] };
  return { validators, validatorUpdates: validatorUpdates(validators, setIn({ read: () => changed })) };
}
