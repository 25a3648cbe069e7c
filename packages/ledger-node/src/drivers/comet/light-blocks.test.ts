/** What validators said of blocks, fetched from CometBFT in order, kept beside the block it is about and no other. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import { sha256 } from '@symbolon/host/work/sha256';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import type { Chain } from '../../chain/chain.ts';
import { readHeader } from '../../chain/chain-reader.ts';
import { cometLimits } from '../../limits/node-limits.ts';
import { openTestChain } from '../../testing/test-chain.ts';
import { addNetworkBlock, networkRules } from '../../testing/test-network.ts';
import { CometAway, type RpcAnswer, type RpcCall } from './comet-rpc.ts';
import { LightBlocks } from './light-blocks.ts';

async function world(context: TestContext, blocks: number) {
  const chain = await openTestChain(networkRules({ ann: 1 }));
  for (let count = 0; count < blocks; count++) await addNetworkBlock(chain);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const asked: bigint[] = [];
  const notices: string[] = [];
  const failures: unknown[] = [];
  /** What is answered in the place of the truth. */
  const lies = new Map<bigint, RpcAnswer | Error>();
  const callAll = async ([{ params }]: readonly RpcCall[]) => {
    const height = BigInt(String((params as JsonObject).height));
    asked.push(height);
    const lie = lies.get(height);
    if (lie instanceof Error) throw lie;
    return [lie ?? committed(chain, height), { result: { validators: [] } }];
  };
  const lightBlocks = new LightBlocks({
    chain,
    rpc: { callAll },
    onNotice: (text) => notices.push(text),
    onFailure: (error) => failures.push(error),
  });
  context.after(() => lightBlocks.close());
  const turns = async () => {
    for (let count = 0; count < 200; count++) await nextTurn();
  };
  const wake = async () => {
    lightBlocks.wake();
    await turns();
  };
  const retry = async () => {
    context.mock.timers.tick(cometLimits.retryMs);
    await turns();
  };
  const kept = () => {
    const known: bigint[] = [];
    for (let seq = 2n; seq <= chain.head.seq; seq++) if (chain.readCommit(seq)) known.push(seq);
    return known;
  };
  return { chain, lightBlocks, asked, notices, failures, lies, wake, retry, kept };
}

const committed = (chain: Chain, height: bigint, change: JsonObject = {}): RpcAnswer => {
  const appHash = encodeHex(appHashOf(readHeader(chain.rows, height - 1n), sha256)).toUpperCase();
  const header = { height: String(height), app_hash: appHash, ...change };
  return { result: { signed_header: { header, commit: { round: 0 } }, canonical: true } };
};

test('every block but the last has one, in order, as CometBFT spelt it', async (context) => {
  const { chain, wake, asked, kept } = await world(context, 4);
  await wake();
  assert.deepEqual(asked, [2n, 3n, 4n]);
  assert.deepEqual(kept(), [2n, 3n, 4n]);
  const text = Buffer.from(chain.readCommit(3n) as Uint8Array).toString('utf8');
  const { result } = committed(chain, 3n) as { result: JsonObject };
  assert.deepEqual(parseJson(text), { signed_header: result.signed_header, validators: [] });
});

test('after a start it goes on after the newest that is kept', async (context) => {
  const { chain, wake, asked } = await world(context, 4);
  await chain.noteCommit(3n, Uint8Array.of(1));
  await wake();
  assert.deepEqual(asked, [4n]);
});

test('while CometBFT is away, or has nothing final, it is asked again', async (context) => {
  const { chain, lies, wake, retry, asked, kept } = await world(context, 3);
  const { result } = committed(chain, 2n) as { result: JsonObject };
  for (const lie of [
    new CometAway('not there'),
    { result: { ...result, canonical: false } },
    { refused: 'height must be less than or equal to the current blockchain height' },
  ]) {
    lies.set(2n, lie);
    await (asked.length === 0 ? wake() : retry());
    assert.deepEqual(kept(), []);
  }
  lies.clear();
  await retry();
  assert.deepEqual(kept(), [2n, 3n]);
});

test('what CometBFT does not have any more is passed over', async (context) => {
  const { lies, wake, kept } = await world(context, 3);
  lies.set(2n, { refused: 'height 2 is not available, lowest height is 3' });
  await wake();
  assert.deepEqual(kept(), [3n]);
});

test('the word on another block is not kept, and told', async (context) => {
  const { chain, lies, wake, kept, notices } = await world(context, 3);
  lies.set(2n, committed(chain, 2n, { app_hash: '00'.repeat(32) }));
  await wake();
  assert.deepEqual([kept(), notices], [[], ['CometBFT holds another block at height 2']]);
});

test('a failure of ours is told', async (context) => {
  const { lies, wake, failures } = await world(context, 3);
  const error = new TypeError('a bug');
  lies.set(2n, error);
  await wake();
  assert.deepEqual(failures, [error]);
});
