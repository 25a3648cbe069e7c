import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { cometLimits } from '../../limits/node-limits.ts';
import type { QueuedTransaction } from '../../queue/admission.ts';
import { person } from '../../testing/people.ts';
import { verified } from '../../testing/test-chain.ts';
import { CometAway, type RpcAnswer, type RpcCall } from './comet-rpc.ts';
import { networkBytes } from './network-bytes.ts';
import { Offers } from './offers.ts';

const log = operation('log', { topic: 't', datas: ['d'] });
const bob = person('bob');

function queued(nonce: bigint): QueuedTransaction {
  const transaction = verified({ source: bob, nonce, operations: [log] });
  const { hash, envelopeBytes } = transaction.signed;
  const at = { arrivedAtMs: 0, arrivedAtMicros: 0n };
  const of = { hash: encodeHex(hash), source: bob.address, nonce, gasPrice: 1n };
  return { ...of, ...at, bytes: envelopeBytes, verified: transaction };
}

const textOf = (transaction: QueuedTransaction) => Buffer.from(networkBytes(transaction)).toString('base64');
const taken: RpcAnswer = { result: {} };

function offersTo(context: TestContext, answer: (calls: readonly RpcCall[]) => Promise<RpcAnswer[]>) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const asked: string[][] = [];
  const gone = new Set<string>();
  const failures: unknown[] = [];
  const offers = new Offers({
    rpc: {
      callAll: (calls) => {
        asked.push(calls.map(({ params }) => String(params.tx)));
        return answer(calls);
      },
    },
    isWaiting: (hash) => !gone.has(hash),
    onFailure: (error) => failures.push(error),
  });
  context.after(() => offers.close());
  const later = async () => {
    for (let turns = 0; turns < 10; turns++) await nextTurn();
  };
  const retry = async () => {
    context.mock.timers.tick(cometLimits.retryMs);
    await later();
  };
  return { offers, asked, gone, failures, later, retry };
}

describe('what is submitted', () => {
  test('is handed to CometBFT in the bytes of the queue', async (context) => {
    const { offers, asked, later } = offersTo(context, async (calls) => calls.map(() => taken));
    offers.add([queued(1n)]);
    await later();
    assert.deepEqual(asked, [[textOf(queued(1n))]]);
    assert.equal(offers.size, 0);
  });

  test('goes in requests of so many, so many at a time', async (context) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { offers, asked, later } = offersTo(context, async (calls) => {
      await promise;
      return calls.map(() => taken);
    });
    const { offersPerRequestMax: each, offersAtOnceMax: atOnce } = cometLimits;
    offers.add(Array.from({ length: each * (atOnce + 2) }, (_, index) => queued(BigInt(index + 1))));
    await later();
    assert.deepEqual(
      asked.map(({ length }) => length),
      Array(atOnce).fill(each),
    );
    resolve();
    await later();
    assert.equal(asked.flat().length, each * (atOnce + 2));
  });

  test('waits while CometBFT is away, and is offered again', async (context) => {
    let isAway = true;
    const { offers, asked, later, retry } = offersTo(context, async (calls) => {
      if (isAway) throw new CometAway('not there');
      return calls.map(() => taken);
    });
    offers.add([queued(1n)]);
    await later();
    assert.deepEqual([asked.length, offers.size], [1, 1]);
    await retry();
    assert.deepEqual([asked.length, offers.size], [2, 1]);
    isAway = false;
    await retry();
    assert.deepEqual([asked.length, offers.size], [3, 0]);
    assert.deepEqual(new Set(asked.flat()), new Set([textOf(queued(1n))]));
  });

  test('is not offered any more once it has left the queue', async (context) => {
    const { offers, asked, gone, later, retry } = offersTo(context, async () => {
      throw new CometAway('not there');
    });
    offers.add([queued(1n)]);
    await later();
    gone.add(queued(1n).hash);
    await retry();
    assert.deepEqual([asked.length, offers.size], [1, 0]);
  });

  test('is offered again where the mempool was full, not where CometBFT has it', async (context) => {
    const answers = ['mempool is full: number of txs 5000', 'tx already exists in cache', 'Tx too large'];
    let isFull = true;
    const { offers, asked, later, retry } = offersTo(context, async (calls) =>
      calls.map((_, index) => (isFull ? { refused: answers[index] as string } : taken)),
    );
    offers.add([queued(1n), queued(2n), queued(3n)]);
    await later();
    isFull = false;
    await retry();
    assert.deepEqual(asked[1], [textOf(queued(1n))]);
  });

  test('a failure of ours is told, and ends nothing else', async (context) => {
    const error = new TypeError('a bug');
    const { offers, failures, later } = offersTo(context, () => Promise.reject(error));
    offers.add([queued(1n)]);
    await later();
    assert.deepEqual(failures, [error]);
  });
});
