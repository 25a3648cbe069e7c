import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '@symbolon/wire/json/json';
import { cometLimits } from '../../limits/node-limits.ts';
import { CometAway, type RpcAnswer } from './comet-rpc.ts';
import { CometWatch } from './comet-watch.ts';

const key = Buffer.alloc(32, 7);
const status = (sync: JsonObject = {}): RpcAnswer => ({
  result: {
    sync_info: { latest_block_height: '12', catching_up: false, ...sync },
    validator_info: { pub_key: { value: key.toString('base64') } },
  },
});
const others: RpcAnswer[] = [{ result: { n_peers: '3' } }, { result: { n_txs: '5' } }];

function watching(context: TestContext, answer: () => RpcAnswer[] | Error) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const failures: unknown[] = [];
  let asked = 0;
  const callAll = async () => {
    asked++;
    const answers = answer();
    if (answers instanceof Error) throw answers;
    return answers;
  };
  const watch = new CometWatch({ callAll }, (error) => failures.push(error));
  context.after(() => watch.close());
  const turns = async () => {
    for (let count = 0; count < 5; count++) await nextTurn();
  };
  const later = async () => {
    context.mock.timers.tick(cometLimits.lookMs);
    await turns();
  };
  watch.start();
  return { watch, failures, turns, later, asked: () => asked };
}

test('what CometBFT says of itself is known, and looked at again', async (context) => {
  let height = '12';
  const { watch, turns, later } = watching(context, () => [
    status({ latest_block_height: height }),
    ...others,
  ]);
  await turns();
  assert.deepEqual(watch.facts, { height: 12n, isCatchingUp: false, peers: 3, waiting: 5, publicKey: key });
  height = '13';
  await later();
  assert.equal(watch.facts?.height, 13n);
});

test('nothing is known while it is away, and everything again when it is back', async (context) => {
  let isAway = false;
  const { watch, failures, turns, later } = watching(context, () =>
    isAway ? new CometAway('not there') : [status(), ...others],
  );
  const height = () => watch.facts?.height;
  await turns();
  isAway = true;
  await later();
  assert.equal(height(), undefined);
  isAway = false;
  await later();
  assert.equal(height(), 12n);
  assert.deepEqual(failures, []);
});

test('answers that say little, or nonsense, are no reason to fail', async (context) => {
  const nonsense = { latest_block_height: '1e9', catching_up: 'yes' };
  let answers: RpcAnswer[] = [status(nonsense), { refused: 'no' }, { result: { n_txs: '-1' } }];
  const { watch, failures, turns, later } = watching(context, () => answers);
  await turns();
  assert.deepEqual(watch.facts, { height: 0n, isCatchingUp: false, peers: 0, waiting: 0, publicKey: key });
  answers = [{ result: {} }, ...others];
  await later();
  assert.equal(watch.facts?.publicKey, undefined);
  answers = [{ refused: 'no' }, ...others];
  await later();
  assert.equal(watch.facts, undefined);
  assert.deepEqual(failures, []);
});

test('a failure of ours is told, and once closed it looks no more', async (context) => {
  const error = new TypeError('a bug');
  const { watch, failures, turns, later, asked } = watching(context, () => error);
  await turns();
  assert.deepEqual(failures, [error]);
  await later();
  assert.equal(asked(), 2);
  watch.close();
  await later();
  assert.equal(asked(), 2);
});
