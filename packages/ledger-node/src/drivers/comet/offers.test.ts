import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { cometLimits } from '../../limits/node-limits.ts';
import type { QueuedTransaction } from '../../queue/admission.ts';
import { person } from '../../testing/people.ts';
import { verified } from '../../testing/test-chain.ts';
import { openBundle } from './bundles.ts';
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
/** The transactions of a message, which are one or a bundle. */
function opened(text: string): readonly Uint8Array[] {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return openBundle(bytes) ?? [bytes];
}
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
  const pause = async () => {
    context.mock.timers.tick(cometLimits.offersPauseMs);
    await later();
  };
  const retry = async () => {
    context.mock.timers.tick(cometLimits.retryMs);
    await later();
  };
  return { offers, asked, gone, failures, later, pause, retry };
}

describe('what is submitted', () => {
  test('is handed to CometBFT in the bytes of the queue', async (context) => {
    const { offers, asked, later } = offersTo(context, async (calls) => calls.map(() => taken));
    offers.add([queued(1n)]);
    await later();
    assert.deepEqual(asked, [[textOf(queued(1n))]]);
    assert.equal(offers.size, 0);
  });

  test('goes at once if it is the first, and what comes in the moment after in one bundle', async (context) => {
    const { offers, asked, later, pause } = offersTo(context, async (calls) => calls.map(() => taken));
    offers.add([queued(1n)]);
    offers.add([queued(2n)]);
    offers.add([queued(3n)]);
    await later();
    assert.deepEqual(asked, [[textOf(queued(1n))]]);
    await pause();
    assert.deepEqual(asked[1]?.map(opened), [[queued(2n), queued(3n)].map(networkBytes)]);
    const [bundle] = asked[1] as [string];
    assert.equal(offers.isOwnBundle(Buffer.from(bundle, 'base64')), true);
    assert.equal(offers.isOwnBundle(networkBytes(queued(2n))), false);
  });

  test('goes in bundles and requests of so many, so many at a time', async (context) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { offers, asked, later, pause } = offersTo(context, async (calls) => {
      await promise;
      return calls.map(() => taken);
    });
    const { offersPerRequestMax, bundleTransactionsMax, offersAtOnceMax } = cometLimits;
    const each = offersPerRequestMax * bundleTransactionsMax;
    const [first] = [queued(1n)];
    const many = Array.from({ length: each * (offersAtOnceMax + 2) }, (_, index) => ({
      ...first,
      hash: String(index),
    }));
    offers.add(many);
    for (let pauses = 0; pauses < offersAtOnceMax + 2; pauses++) await pause();
    const sizes = () => asked.map((bundles) => bundles.reduce((sum, text) => sum + opened(text).length, 0));
    assert.deepEqual(sizes(), Array(offersAtOnceMax).fill(each));
    resolve();
    await later();
    for (let pauses = 0; pauses < 2; pauses++) await pause();
    assert.equal(
      sizes().reduce((sum, size) => sum + size, 0),
      many.length,
    );
    assert.equal(offers.size, 0);
  });

  test('of which each is large goes alone, and no more in a request than it may hold', async (context) => {
    const { offers, asked, later, pause } = offersTo(context, async (calls) => calls.map(() => taken));
    const large = (nonce: bigint) => ({ ...queued(nonce), bytes: cometLimits.offersBytesMax - 100 });
    offers.add([large(1n), large(2n), queued(3n), queued(4n)]);
    await later();
    assert.deepEqual(asked, [[textOf(queued(1n))]]);
    await pause();
    assert.deepEqual(asked[1], [textOf(queued(2n))]);
    await pause();
    assert.deepEqual(asked[2]?.map(opened), [[queued(3n), queued(4n)].map(networkBytes)]);
  });

  test('goes alone where it is offered once more, and so do those around it', async (context) => {
    const { offers, asked, later, pause } = offersTo(context, async (calls) => calls.map(() => taken));
    offers.add([queued(1n)]);
    await later();
    offers.add([queued(2n)]);
    offers.add([queued(3n), queued(4n)], { alone: true });
    offers.add([queued(5n)]);
    await pause();
    assert.deepEqual(
      asked[1],
      [2n, 3n, 4n, 5n].map((nonce) => textOf(queued(nonce))),
    );
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
    const { offers, asked, later, pause, retry } = offersTo(context, async (calls) => {
      const refused = answers.shift();
      return calls.map(() => (refused === undefined ? taken : { refused }));
    });
    offers.add([queued(1n)]);
    await later();
    offers.add([queued(2n)]);
    await retry();
    assert.deepEqual(asked[1]?.map(opened), [[queued(1n), queued(2n)].map(networkBytes)]);
    offers.add([queued(3n)]);
    await pause();
    assert.deepEqual(asked[2], [textOf(queued(3n))]);
    await retry();
    assert.deepEqual([asked.length, offers.size], [3, 0]);
  });

  test('a failure of ours is told, and ends nothing else', async (context) => {
    const error = new TypeError('a bug');
    const { offers, failures, later } = offersTo(context, () => Promise.reject(error));
    offers.add([queued(1n)]);
    await later();
    assert.deepEqual(failures, [error]);
  });
});
