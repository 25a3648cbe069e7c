/** CheckTx: what CometBFT is told of a transaction that reaches this node from a peer, and asked again after a block. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { CheckTxType } from 'cosmjs-types/tendermint/abci/types';
import { cometLimits } from '../../limits/node-limits.ts';
import type { Admitted, QueuedTransaction } from '../../queue/admission.ts';
import { person } from '../../testing/people.ts';
import { verified } from '../../testing/test-chain.ts';
import { encodeBundle } from './bundles.ts';
import { Gossip } from './gossip.ts';
import { networkBytes } from './network-bytes.ts';

const [bob, eve] = [person('bob'), person('eve')];
const order = { source: bob, nonce: 1n, operations: [operation('log', { topic: 't', datas: ['d'] })] };

function queued(signers = [bob], nonce = 1n): QueuedTransaction {
  const transaction = verified({ ...order, nonce, signers });
  const { hash, envelopeBytes } = transaction.signed;
  const of = { hash: encodeHex(hash), source: bob.address, nonce, gasPrice: 1n };
  return { ...of, bytes: envelopeBytes, arrivedAtMs: 0, arrivedAtMicros: 0n, verified: transaction };
}

const codes = { alreadyExists: 3, invalidParameter: 2, timeout: 5, queueFull: 114 };

interface Outcome {
  /** What waits afterwards; one that the checks refuse has none. */
  readonly kept?: QueuedTransaction | ((hash: string) => QueuedTransaction | undefined);
  readonly refusal?: Admitted['refusal'];
  /** Checking takes until then. */
  readonly until?: Promise<void>;
}

/** A node whose checks end with this; what it takes waits in the queue in the form given. */
function gossipOf(outcome: Outcome, isOwnBundle: () => boolean = () => false) {
  const waiting = new Map<string, QueuedTransaction>();
  /** Those that wait for an earlier one of their account. */
  const behindGap = new Set<string>();
  const queue = Object.assign(waiting, { isInReach: (hash: string) => !behindGap.has(hash) });
  const admitted: SignedTransaction[] = [];
  const arriving: boolean[] = [];
  const offered: string[][] = [];
  const gossip: Gossip = new Gossip({
    queue,
    isOwnBundle,
    offer: (transactions) => offered.push(transactions.map(({ hash }) => hash)),
    admit: async (signed) => {
      admitted.push(signed);
      await outcome.until;
      const { kept: keep } = outcome;
      const kept = typeof keep === 'function' ? keep(encodeHex(signed.hash)) : keep;
      const refusal = outcome.refusal ?? (kept ? undefined : refuse('badNonce', 'used'));
      if (kept) {
        arriving.push(gossip.isArriving(kept));
        queue.set(kept.hash, kept);
      }
      return { refusal, hash: encodeHex(signed.hash) } as unknown as Admitted;
    },
  });
  const check = async (tx: Uint8Array, type = CheckTxType.NEW) => (await gossip.check({ tx, type })).code;
  return { gossip, queue, behindGap, admitted, arriving, offered, check };
}

test('a new one goes into the queue, is known to have come from CometBFT, and is checked once', async () => {
  const kept = queued();
  const bytes = networkBytes(kept);
  const { gossip, admitted, arriving, check } = gossipOf({ kept });
  assert.equal(await check(bytes), 0);
  assert.deepEqual(arriving, [true]);
  assert.equal(gossip.isArriving(kept), false);
  assert.equal(await check(bytes), 0);
  assert.equal(admitted.length, 1);
});

test('one that the checks refuse is refused with their code, and is not under way any more', async () => {
  const { gossip, check } = gossipOf({ refusal: refuse('invalidParameter', 'no') });
  assert.equal(await check(networkBytes(queued())), codes.invalidParameter);
  assert.equal(gossip.isArriving(queued()), false);
});

test('bytes that are no transaction, or another spelling of one, are refused unchecked', async () => {
  const { admitted, check } = gossipOf({ kept: queued() });
  const bytes = networkBytes(queued());
  for (const wrong of [Uint8Array.of(0xff), bytes.subarray(1), Buffer.concat([bytes, bytes])])
    assert.equal(await check(wrong), codes.invalidParameter);
  assert.equal(admitted.length, 0);
});

test('with other signatures than the ones that wait here it is refused, also where this node has dropped some', async () => {
  const longer = networkBytes(queued([bob, eve]));
  const { arriving, check } = gossipOf({ kept: queued() });
  assert.equal(await check(longer), codes.alreadyExists);
  assert.deepEqual(arriving, [false]);
  assert.equal(await check(longer), codes.alreadyExists);
});

test('after a block it is taken again while it waits here in the same bytes, and checked no more', async () => {
  const kept = queued();
  const { queue, admitted, check } = gossipOf({ kept });
  const again = (bytes: Uint8Array) => check(bytes, CheckTxType.RECHECK);
  assert.equal(await again(networkBytes(kept)), codes.timeout);
  queue.set(kept.hash, kept);
  assert.equal(await again(networkBytes(kept)), 0);
  assert.equal(await again(networkBytes(queued([bob, eve]))), codes.alreadyExists);
  assert.equal(await again(Uint8Array.of(0xff)), codes.timeout);
  assert.equal(admitted.length, 0);
});

test('one behind a gap is told of for a while, then this node alone keeps it until the gap is filled', async () => {
  const kept = { ...queued(), arrivedAtMs: performance.now() };
  const bytes = networkBytes(kept);
  const { queue, behindGap, check } = gossipOf({ kept });
  assert.equal(await check(bytes), 0);
  behindGap.add(kept.hash);
  assert.equal(await check(bytes, CheckTxType.RECHECK), 0);
  queue.set(kept.hash, { ...kept, arrivedAtMs: performance.now() - cometLimits.gapMs - 1 });
  const bundle = encodeBundle([bytes, networkBytes(queued([bob], 9n))]);
  for (const type of [CheckTxType.RECHECK, CheckTxType.NEW])
    assert.equal(await check(bytes, type), codes.timeout);
  assert.equal(await check(bundle, CheckTxType.RECHECK), codes.timeout);
  assert.equal(queue.size, 1);
  behindGap.clear();
  assert.equal(await check(bytes), 0);
});

describe('a bundle', () => {
  const transactions = [1n, 2n, 3n].map((nonce) => queued([bob], nonce));
  const bundle = encodeBundle(transactions.map(networkBytes));
  const byHash = new Map(transactions.map((transaction) => [transaction.hash, transaction]));
  const hashes = [...byHash.keys()];

  test('of new ones is taken, all of it, known to have come from CometBFT, and kept until nothing of it waits', async () => {
    const { queue, admitted, arriving, offered, check } = gossipOf({ kept: (hash) => byHash.get(hash) });
    assert.equal(await check(bundle), 0);
    assert.deepEqual([admitted.length, arriving, offered], [3, [true, true, true], []]);
    assert.deepEqual([...queue.keys()], hashes);
    const again = () => check(bundle, CheckTxType.RECHECK);
    for (const [left, code] of [
      [2, 0],
      [1, 0],
      [0, codes.timeout],
    ]) {
      queue.delete(hashes[left as number] as string);
      assert.equal(await again(), code);
    }
    assert.equal(admitted.length, 3);
  });

  test('is not sent on where some of it waits already: what is new is taken and offered anew', async () => {
    const { queue, admitted, offered, check } = gossipOf({ kept: (hash) => byHash.get(hash) });
    queue.set(hashes[1] as string, transactions[1] as QueuedTransaction);
    assert.equal(await check(bundle), codes.alreadyExists);
    assert.deepEqual([admitted.length, offered], [2, [[hashes[0], hashes[2]]]]);
    assert.equal(await check(bundle), codes.alreadyExists);
    assert.deepEqual([admitted.length, offered[1]], [2, []]);
  });

  test('is not sent on where some of it is refused: the rest is taken and offered anew', async () => {
    const kept = (hash: string) => (hash === hashes[1] ? undefined : byHash.get(hash));
    const { offered, check } = gossipOf({ kept });
    assert.equal(await check(bundle), codes.alreadyExists);
    assert.deepEqual(offered, [[hashes[0], hashes[2]]]);
  });

  test('with one twice, one that cannot be read, or a bundle in it is refused before anything is checked', async () => {
    const { admitted, check } = gossipOf({ kept: (hash) => byHash.get(hash) });
    const [first] = transactions.map(networkBytes) as [Uint8Array];
    for (const wrong of [first, Uint8Array.of(0xff), first.subarray(1), bundle])
      assert.equal(await check(encodeBundle([first, wrong])), codes.invalidParameter);
    assert.equal(admitted.length, 0);
  });

  test('is refused where more came than can be verified, and taken when it comes again', async () => {
    const { promise: verified, resolve } = Promise.withResolvers<void>();
    const { admitted, check } = gossipOf({ kept: (hash) => byHash.get(hash), until: verified });
    const { bundlesCheckedAtOnce, bundlesWaitingMax } = cometLimits;
    const many = Array.from({ length: bundlesCheckedAtOnce + bundlesWaitingMax }, () => check(bundle));
    assert.equal(await check(bundle), codes.queueFull);
    resolve();
    await Promise.all(many);
    const before = admitted.length;
    assert.equal(await check(bundle), codes.alreadyExists);
    assert.equal(admitted.length, before, 'it waits already');
  });

  test('that this node made is kept while anything of it waits', async () => {
    const { queue, admitted, check } = gossipOf({}, () => true);
    assert.equal(await check(bundle), codes.timeout);
    queue.set(hashes[2] as string, transactions[2] as QueuedTransaction);
    assert.equal(await check(bundle), 0);
    assert.equal(admitted.length, 0);
  });
});
