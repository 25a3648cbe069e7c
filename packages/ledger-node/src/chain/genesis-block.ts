/** The first block of a chain, made from its parameters alone, and the rows that it begins a store with. */
import { create, toBinary } from '@bufbuild/protobuf';
import { emptyBytes } from '@symbolon/core/basics/bytes';
import { type ClosedBlock, closeGenesis, genesisChanges } from '@symbolon/core/ledger/execution/close-block';
import { type HashedState, hashState } from '@symbolon/core/ledger/execution/state-trees';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import type { StateEntry } from '@symbolon/core/ledger/terms/state';
import { FeeConfigSchema, HeadRecordSchema, ValidatorSetSchema } from '@symbolon/core/proto/ledger_pb';
import type { HashPairs } from '@symbolon/core/tree/merkle-tree';
import type { Row } from '../store/store.ts';
import { blockRows, historyRows } from './block-rows.ts';
import { feesRow, validatorsRow } from './rows.ts';
import { createTreeOf } from './state-tree-store.ts';

export interface GenesisBlock {
  readonly state: HashedState;
  readonly closed: ClosedBlock;
}

/** The first block, computed from the chain's parameters alone. */
export async function prepareGenesis(rules: LedgerRules, hashPairs: HashPairs): Promise<GenesisBlock> {
  const emptyStore = {
    getMany: async (keys: readonly Uint8Array[]) => keys.map(() => undefined),
    scan: async () => [],
  };
  const nothing = { read: (): StateEntry | undefined => undefined };
  const state = await hashState(nothing, genesisChanges(rules.parameters), {
    treeOf: createTreeOf(emptyStore, hashPairs, 0),
    sha256: rules.sha256,
  });
  return { state, closed: closeGenesis(state.root, rules) };
}

export const accountsIn = ({ hashedChanges }: HashedState): bigint =>
  BigInt([...hashedChanges.keys()].filter((key) => key.startsWith('account/')).length);

/** The block, and what its header names, without the state. */
export function* foundingRows(
  { closed }: Pick<GenesisBlock, 'closed'>,
  { parameters }: LedgerRules,
): Iterable<Row> {
  const { header } = closed;
  yield [feesRow(header.feesHash), toBinary(FeeConfigSchema, parameters.fees)];
  yield [validatorsRow(header.validatorsHash), toBinary(ValidatorSetSchema, parameters.validators)];
  yield* historyRows({ executed: { records: [] }, closed }, emptyBytes);
}

export function* genesisRows(genesis: GenesisBlock, rules: LedgerRules): Iterable<Row> {
  const { seq, hash } = genesis.closed.header;
  const head = create(HeadRecordSchema, { seq, hash, accountCount: accountsIn(genesis.state) });
  yield* foundingRows(genesis, rules);
  yield* blockRows(genesis.state, head);
}
