/** The chain of a network, executed again: by verification, for a backup, for the explorer. And what is refused of it. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { sortValidators } from '@symbolon/core/ledger/terms/validators';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import {
  type BlockRecord,
  BlockRecordSchema,
  type ConsensusValue,
  MisbehaviorSchema,
} from '@symbolon/core/proto/ledger_pb';
import type { Chain } from '../chain/chain.ts';
import { blockRow, commitRow, rowsOfState } from '../chain/rows.ts';
import { ExplorerIndex } from '../explorer/explorer-index.ts';
import { parseBlockRows, readBlockRows } from '../explorer/fed-block.ts';
import { verifyLedgerSignature } from '../signatures/ed25519.ts';
import type { Row, Store } from '../store/store.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { person, richest } from '../testing/people.ts';
import { openTestChain, testRules, verified } from '../testing/test-chain.ts';
import {
  addNetworkBlock,
  evidenceOf,
  networkRules,
  setsValidators,
  validatorEntry,
} from '../testing/test-network.ts';
import { exportChain } from './export-chain.ts';
import { type NetworkBlock, type VerifyOptions, verifyChain } from './verify-chain.ts';

const rules = networkRules({ ann: 3, ben: 2, cat: 1 }, { blockReward: 5n });
const entries = sortValidators([
  validatorEntry('ann', 3),
  validatorEntry('ben', 2),
  validatorEntry('cat', 1),
]);
const later = sortValidators([...entries.slice(1), validatorEntry('dan', 7)]);
const store = new MemoryStore();
const last = 6n;

/** What stands for CometBFT's word in these tests. */
const wordOn = (seq: bigint): Uint8Array => Buffer.from(`everybody on ${seq}`);
const verifyCommit = async ({ header, commit }: NetworkBlock) =>
  Buffer.from(commit).equals(wordOn(header.seq)) ? undefined : 'too few of its validators signed it';

const run = (of: Store = store, more: Partial<VerifyOptions> = {}) =>
  verifyChain({
    store: of,
    scratch: new MemoryStore(),
    rules,
    verify: async (...signed) => verifyLedgerSignature(...signed),
    ...more,
  });

/** The chain with some rows changed, in a store of its own. */
async function changed(rows: readonly Row[]): Promise<MemoryStore> {
  const copy = new MemoryStore();
  const all: Row[] = [];
  for await (const row of store.scanAll({ gte: Uint8Array.of(0), lt: Uint8Array.of(255) })) all.push(row);
  await copy.write(all);
  await copy.write(rows);
  return copy;
}

const readRecord = (seq: bigint): BlockRecord =>
  fromBinary(BlockRecordSchema, store.get(blockRow(seq)) as Uint8Array);
const withRecord = (seq: bigint, fields: Partial<BlockRecord>): Row[] => [
  [blockRow(seq), toBinary(BlockRecordSchema, { ...readRecord(seq), ...fields })],
];
const withValue = (seq: bigint, fields: Partial<ConsensusValue>): Row[] =>
  withRecord(seq, {
    consensusValue: { ...(readRecord(seq).consensusValue as ConsensusValue), ...fields },
  });

describe('the blocks of a network', () => {
  let chain: Chain;

  /** Payments, a change of the set, evidence, different proposers; the head's word is not known yet. */
  before(async () => {
    chain = await openTestChain(rules, store);
    const pay = (nonce: bigint) =>
      verified({
        nonce,
        operations: [operation('payCoin', { destAddress: person('bob').address, amount: 9n })],
      });
    await addNetworkBlock(chain, [pay(1n)], { proposer: person('cat').address });
    await addNetworkBlock(chain, [setsValidators(later, { nonce: 2n }), pay(3n)]);
    await addNetworkBlock(chain, [pay(4n)], { misbehavior: [evidenceOf(later[0], 2n)] });
    await addNetworkBlock(chain, [setsValidators(later, { nonce: 5n })]);
    await addNetworkBlock(chain, [], { proposer: person('dan').address });
    assert.deepEqual([chain.head.seq, chain.head.txCount], [last, 5n]);
    for (let seq = 2n; seq < last; seq++) await chain.noteCommit(seq, wordOn(seq));
  });

  test('hold, and are not called proven where nobody looked at what validators said', async () => {
    const { head, provenTo } = await run();
    assert.deepEqual([head.seq, provenTo], [last, undefined]);
  });

  test('are proven up to the last on which the word of its validators holds', async () => {
    const seen: NetworkBlock[] = [];
    const watched = async (block: NetworkBlock) => {
      seen.push(block);
      return verifyCommit(block);
    };
    assert.equal((await run(store, { verifyCommit: watched })).provenTo, last - 2n);
    const whole = await changed([[commitRow(last), wordOn(last)]]);
    assert.equal((await run(whole, { verifyCommit })).provenTo, last - 1n);
    const early = await changed([3n, 4n, 5n].map((seq) => [commitRow(seq), undefined]));
    assert.equal((await run(early, { verifyCommit })).provenTo, 1n);
    assert.deepEqual(
      seen.map(({ header }) => header.seq),
      [2n, 3n, 4n, 5n],
    );
    for (const { header, previous, validators, consensusValue } of seen) {
      assert.deepEqual(header.previousHash, previous.hash);
      assert(validators.validators.some(({ address }) => address === consensusValue.proposer));
    }
    assert.deepEqual(
      seen.map(({ consensusValue }) => consensusValue.txset?.txs.length),
      [1, 2, 1, 1],
    );
  });

  const refused: [name: string, rows: () => Row[], words: RegExp][] = [
    [
      'another proposer',
      () => withValue(3n, { proposer: person('ben').address }),
      /block 3 .*the state root is not what its transactions lead to/,
    ],
    [
      'a proposer who is no validator',
      () => withValue(3n, { proposer: person('eve').address }),
      /block 3 .*it pays a proposer who is none of its validators/,
    ],
    ['no proposer', () => withValue(3n, { proposer: '' }), /block 3 .*none of its validators/],
    [
      'no consensus value',
      () => withRecord(3n, { consensusValue: undefined }),
      /block 3 .*none of its validators/,
    ],
    ['evidence left out', () => withValue(4n, { misbehavior: [] }), /block 4 .*the state root is not/],
    [
      'evidence of nothing put in',
      () => withValue(3n, { misbehavior: [create(MisbehaviorSchema, { address: new Uint8Array(20) })] }),
      /block 3 .*the header is not what/,
    ],
    [
      'evidence against nobody',
      () => withValue(3n, { misbehavior: [create(MisbehaviorSchema, { type: 1 })] }),
      /block 3 .*cannot be a validator/,
    ],
    [
      'the proof of a node that is alone',
      () => withRecord(3n, { proof: Uint8Array.of(1) }),
      /block 3 .*a proof of one node, in a network/,
    ],
  ];
  for (const [name, rows, words] of refused)
    test(`are refused with ${name}`, async () => {
      await assert.rejects(run(await changed(rows()), { verifyCommit }), (error: Error) => {
        assert.equal(error.name, 'ChainDamaged');
        assert.match(error.message, words);
        return true;
      });
    });

  test('are refused without the word of validators, or with another, in the middle alone', async () => {
    const missing = await changed([[commitRow(3n), undefined]]);
    await assert.rejects(run(missing, { verifyCommit }), /block 3 .*no word of its validators on it/);
    const another = await changed([[commitRow(last), wordOn(3n)]]);
    await assert.rejects(run(another, { verifyCommit }), /block 6 .*too few of its validators/);
    for (const copy of [missing, another]) assert.equal((await run(copy)).provenTo, undefined);
  });

  test('are those of no chain of one node', async () => {
    const validators = entries.map(({ payTo }) => payTo);
    await assert.rejects(
      run(store, { rules: testRules({ validators, blockReward: 5n }) }),
      /the store holds another chain/,
    );
  });

  test('are exported with who proposed them and what was proved', async () => {
    const lines: string[] = [];
    for await (const line of exportChain(store, { from: 4n, to: 4n })) lines.push(line);
    const [{ consensus }] = lines.map((line) => JSON.parse(line));
    assert.equal(consensus.proposer, readRecord(4n).consensusValue?.proposer);
    assert.deepEqual(
      consensus.misbehavior.map(({ type, height }: { type: number; height: number }) => [type, height]),
      [[1, 2]],
    );
  });

  test('lead the explorer’s index to the state of the chain', async () => {
    const own = new MemoryStore();
    const index = new ExplorerIndex(own, rules);
    for (let seq = 1n; seq <= last; seq++)
      await index.add(parseBlockRows(await readBlockRows(chain.rows, seq)), async () => {});
    const [range] = rowsOfState;
    assert.deepEqual(
      await own.scan({ ...range, limit: 1_000 }),
      await chain.rows.scan({ ...range, limit: 1_000 }),
    );
  });
});

test('a chain of one node whose blocks name a proposer is damaged', async () => {
  const alone = new MemoryStore();
  const chain = await openTestChain(testRules(), alone);
  await chain.commit(await chain.prepare([], 1_000n), Uint8Array.of(1));
  const record = fromBinary(BlockRecordSchema, alone.get(blockRow(2n)) as Uint8Array);
  const consensusValue = { ...(record.consensusValue as ConsensusValue), proposer: richest.address };
  await alone.write([[blockRow(2n), toBinary(BlockRecordSchema, { ...record, consensusValue })]]);
  await assert.rejects(
    run(alone, { rules: testRules() }),
    /block 2 .*names a proposer or misbehaviour, which the blocks of one node do not/,
  );
});
