import assert from 'node:assert/strict';
import { describe, type MockTimers, type TestContext, test } from 'node:test';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { blockLimits, contractLimits } from '@symbolon/core/limits/consensus';
import { type Account, PbftProofSchema, PbftSchema } from '@symbolon/core/proto/ledger_pb';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import type { CommittedBlock } from '../chain/chain.ts';
import { readBlock } from '../chain/chain-reader.ts';
import type { QueuedTransaction } from '../queue/admission.ts';
import { WaitingQueue } from '../queue/waiting-queue.ts';
import { verifyLedgerSignature } from '../signatures/ed25519.ts';
import { keyFormat, person, richest, validatorPerson } from '../testing/people.ts';
import { addBlock, openTestChain, type TestTransaction, verified } from '../testing/test-chain.ts';
import { SoloDriver, type SoloDriverOptions } from './solo-driver.ts';

const bob = person('bob');
const log = operation('log', { topic: 't', datas: ['d'] });
const never = 60_000;

const waitingFor = (order: TestTransaction): QueuedTransaction => {
  const transaction = verified(order);
  const { hash, envelopeBytes, transaction: content } = transaction.signed;
  return {
    hash: encodeHex(hash),
    source: content.sourceAddress,
    nonce: content.nonce,
    gasPrice: content.gasPrice,
    bytes: envelopeBytes,
    arrivedAtMs: 0,
    arrivedAtMicros: 0n,
    verified: transaction,
  };
};

async function drive(context: TestContext, options: Partial<SoloDriverOptions> = {}) {
  const chain = await openTestChain();
  const nonceOf = (address: string) =>
    (chain.state.read(`account/${address}`) as Account | undefined)?.nonce ?? 0n;
  const queue = new WaitingQueue<QueuedTransaction>({
    transactionsMax: 10_000,
    transactionsPerAccountMax: 100,
    lifetimeMs: never,
    departedHashesMax: 10,
    accountNonce: nonceOf,
  });
  const blocks: CommittedBlock[] = [];
  const dropped: [hash: string, code: number][] = [];
  const failures: unknown[] = [];
  const clock = fixedClock(1_000_000);
  const driver = new SoloDriver({
    chain,
    queue,
    validator: validatorPerson,
    clock,
    blockIntervalMs: 10,
    heartbeatMs: 0,
    aheadMsMax: 60_000,
    onBlock: (block) => blocks.push(block),
    onDropped: ({ hash }, { code }) => dropped.push([hash, code]),
    onFailure: (error) => failures.push(error),
    ...options,
  });
  context.after(() => driver.stop());
  const add = (order: TestTransaction): string => {
    const transaction = waitingFor(order);
    assert.equal(queue.add(transaction), undefined);
    driver.wake();
    return transaction.hash;
  };
  const until = async (condition: () => boolean): Promise<void> => {
    for (let waitedMs = 0; !condition(); waitedMs += 2) {
      assert.ok(waitedMs < 10_000, 'waited in vain');
      await delay(2);
    }
  };
  return { chain, queue, blocks, dropped, failures, clock, driver, add, until };
}

const hashesOf = ({ executed: { records } }: CommittedBlock) => records.map(({ hash }) => encodeHex(hash));

describe('a block', () => {
  const turnsUntil = async (condition: () => boolean): Promise<void> => {
    for (let turns = 0; !condition(); turns++) {
      assert.ok(turns < 10_000, 'waited in vain');
      await nextTurn();
    }
  };

  /** By the millisecond, so that a timer which another one sets begins when that one runs out. */
  const pass = (timers: MockTimers, ms: number): void => {
    for (let passed = 0; passed < ms; passed++) timers.tick(1);
  };

  test('is made as soon as nothing came for a tenth of the interval, of everything that waits then', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { timers } = context.mock;
    const { add, blocks, queue, chain } = await drive(context, { blockIntervalMs: 200 });
    const hashes = [add({ operations: [log] })];
    pass(timers, 19);
    hashes.push(add({ nonce: 2n, operations: [log] }));
    pass(timers, 20);
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    assert.equal(blocks.length, 0, 'something came in this tenth');
    pass(timers, 1);
    await turnsUntil(() => blocks.length === 1);
    assert.deepEqual(hashesOf(blocks[0]), hashes);
    assert.equal(queue.size, 0);
    assert.equal(chain.head, blocks[0].header);
  });

  test('is made once the interval is over, however much comes', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { timers } = context.mock;
    const { add, blocks } = await drive(context, { blockIntervalMs: 200 });
    for (let nonce = 1n; nonce <= 20n; nonce++) {
      add({ nonce, operations: [log] });
      for (let turns = 0; turns < 20; turns++) await nextTurn();
      assert.equal(blocks.length, 0);
      pass(timers, 10);
    }
    await turnsUntil(() => blocks.length === 1);
    assert.equal(blocks[0].executed.transactions.length, 20);
  });

  /** A block that takes as long as the test wants, and one transaction that came meanwhile. */
  async function driveSlowly(context: TestContext) {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const blockIntervalMs = 200;
    const { add, blocks, chain, clock } = await drive(context, { blockIntervalMs });
    const commit = chain.commit.bind(chain);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let commits = 0;
    chain.commit = async (...block) => {
      commits++;
      await released;
      return commit(...block);
    };
    add({ operations: [log] });
    pass(context.mock.timers, blockIntervalMs);
    await turnsUntil(() => commits === 1);
    const waiting = add({ nonce: 2n, operations: [log] });
    const timers = context.mock.timers;
    return { blocks, blockIntervalMs, clock, release, timers, waiting };
  }

  test('follows at once for what has waited the interval while another was made', async (context) => {
    const { blocks, blockIntervalMs, release, timers, waiting } = await driveSlowly(context);
    pass(timers, blockIntervalMs);
    release();
    // No timer runs any more.
    await turnsUntil(() => blocks.length === 2);
    assert.deepEqual(hashesOf(blocks[1]), [waiting]);
  });

  test('follows at once when the one before took the interval', async (context) => {
    const { blocks, blockIntervalMs, clock, release, waiting } = await driveSlowly(context);
    clock.advanceMs(blockIntervalMs);
    release();
    await turnsUntil(() => blocks.length === 2);
    assert.deepEqual(hashesOf(blocks[1]), [waiting]);
  });

  test('waits for more when the one before was quick', async (context) => {
    const { blocks, blockIntervalMs, clock, release, timers } = await driveSlowly(context);
    clock.advanceMs(blockIntervalMs - 1);
    release();
    await turnsUntil(() => blocks.length === 1);
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    assert.equal(blocks.length, 1);
    pass(timers, blockIntervalMs);
    await turnsUntil(() => blocks.length === 2);
  });

  test('is made at once when it is full', async (context) => {
    const { add, blocks, dropped, until } = await drive(context, { blockIntervalMs: never });
    const hash = add({ operations: [log] });
    const strangers = Array.from({ length: blockLimits.transactionsMax - 1 }, (_, index) =>
      person(`stranger ${index}`),
    );
    for (const source of strangers) add({ source, signers: [], operations: [log] });
    await until(() => blocks.length > 0);
    assert.deepEqual(hashesOf(blocks[0]), [hash]);
    assert.equal(dropped.length, strangers.length, 'nobody knows the others');
  });

  test('holds only so much work of contracts; the next follows at once', async (context) => {
    const { add, blocks, chain, dropped, until } = await drive(context, {
      blockIntervalMs: 500,
      roomForContracts: () => (contractGas) => contractGas < 2n * contractLimits.gasMax,
    });
    const people = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => person(name));
    const payload =
      '"use strict"; function init(input) { return input; } function main(input) { while (true) { input += ""; } }';
    const created = operation('createAccount', {
      contract: { payload },
      priv: { thresholds: { txThreshold: 1n } },
    });
    const funded = people.map(({ address }) =>
      operation('payCoin', { destAddress: address, amount: 10n ** 9n }),
    );
    await addBlock(chain, [verified({ operations: [...funded, created] })]);
    const contract = keyFormat.addressOfText(`${richest.address}-1-${funded.length}`);
    const endless = operation('payCoin', { destAddress: contract, amount: 0n });
    const calls = people.map((source) => add({ source, operations: [endless] }));
    const payment = add({ nonce: 2n, operations: [log] });
    await until(() => blocks.length > 0);
    const startedAt = performance.now();
    await until(() => blocks.length === 3);
    assert.ok(performance.now() - startedAt < 2 * 500, 'nobody waited for the interval');
    assert.deepEqual(
      blocks.map(({ executed }) => executed.transactions.length),
      [3, 2, 2],
    );
    assert.ok(hashesOf(blocks[0]).includes(payment), 'what calls no contract is not held up');
    assert.deepEqual(new Set(blocks.flatMap(hashesOf)), new Set([...calls, payment]));
    assert.deepEqual(
      new Set(blocks.flatMap(({ executed: { records } }) => records.map((it) => it.errorCode))),
      new Set([0, codes.contractExpired]),
    );
    assert.deepEqual(dropped, []);
  });

  test('is followed by the next while something waits', async (context) => {
    const { add, blocks, until } = await drive(context, { blockIntervalMs: 1 });
    for (let nonce = 1n; nonce <= 5n; nonce++) {
      add({ nonce, operations: [log] });
      await delay(3);
    }
    await until(() => blocks.reduce((count, { executed: { records } }) => count + records.length, 0) === 5);
    assert.ok(blocks.length > 1);
  });

  test('is not made of nothing', async (context) => {
    const { driver, blocks, add, queue } = await drive(context, { blockIntervalMs: 1 });
    driver.wake();
    add({ nonce: 7n, operations: [log] });
    await delay(30);
    assert.equal(blocks.length, 0);
    assert.equal(queue.size, 1, 'a transaction beyond a gap waits');
  });

  test('closes after the one before it, whatever the clock says', async (context) => {
    const { add, blocks, clock, until } = await drive(context, { blockIntervalMs: 1 });
    add({ operations: [log] });
    await until(() => blocks.length === 1);
    assert.equal(blocks[0].header.closeTime, 1_000_000_000n);
    add({ nonce: 2n, operations: [log] });
    await until(() => blocks.length === 2);
    assert.equal(blocks[1].header.closeTime, 1_000_000_001n);
    clock.advanceMs(-500);
    add({ nonce: 3n, operations: [log] });
    await until(() => blocks.length === 3);
    assert.equal(blocks[2].header.closeTime, 1_000_000_002n);
    clock.advanceMs(5_000);
    add({ nonce: 4n, operations: [log] });
    await until(() => blocks.length === 4);
    assert.equal(blocks[3].header.closeTime, 1_004_500_000n);
  });

  test('is not made while it would close too far ahead of the clock, and is made when the clock is there', async (context) => {
    const { add, blocks, clock, until, driver, queue } = await drive(context, {
      blockIntervalMs: 1,
      aheadMsMax: 1_000,
    });
    add({ operations: [log] });
    await until(() => blocks.length === 1);
    assert.equal(driver.waitingMs, 0);
    clock.advanceMs(-2_000);
    add({ nonce: 2n, operations: [log] });
    await delay(100);
    assert.equal(blocks.length, 1);
    assert.equal(queue.size, 1);
    assert.ok(driver.waitingMs >= 50);
    clock.advanceMs(1_500);
    await until(() => blocks.length === 2);
    assert.equal(blocks[1].header.closeTime, blocks[0].header.closeTime + 1n);
    assert.equal(driver.waitingMs, 0);
  });

  test('carries a commit that the validator has signed', async (context) => {
    const { add, blocks, chain, until } = await drive(context);
    add({ operations: [log] });
    await until(() => blocks.length === 1);
    const { proof, header } = readBlock(chain.rows, 2n);
    const [{ pbft, signature }] = fromBinary(PbftProofSchema, proof).commits;
    assert.ok(pbft?.commit && signature);
    assert.deepEqual(pbft.commit.valueDigest, Uint8Array.from(header.consensusValueHash));
    const key = keyFormat.parsePublicKey(signature.publicKey) as Uint8Array;
    assert.equal(keyFormat.addressOf(key), validatorPerson.address);
    assert.ok(verifyLedgerSignature(key, signature.signData, toBinary(PbftSchema, pbft)));
  });
});

describe('a heartbeat', () => {
  test('makes empty blocks, and waits again after every block', async (context) => {
    const { blocks, until, add } = await drive(context, { heartbeatMs: 20, blockIntervalMs: 1 });
    await until(() => blocks.length >= 2);
    assert.ok(blocks.every(({ executed: { records } }) => records.length === 0));
    add({ operations: [log] });
    await until(() => blocks.some(({ executed: { records } }) => records.length === 1));
    assert.deepEqual(
      blocks.map(({ header }) => header.seq),
      blocks.map((_, index) => BigInt(index) + 2n),
    );
  });
});

describe('transactions that do not belong', () => {
  /** Bob can pay for one transaction of 900, not for two. */
  async function driveBob(context: TestContext) {
    const driven = await drive(context);
    const pay = operation('payCoin', { destAddress: bob.address, amount: 1_500n });
    await addBlock(driven.chain, [verified({ operations: [pay] })]);
    const ofBob = (nonce: bigint, feeLimit: bigint): string =>
      driven.add({ source: bob, nonce, feeLimit, operations: [log] });
    return { ...driven, ofBob };
  }

  test('leave the queue; what followed them waits for the gap to be filled', async (context) => {
    const { ofBob, queue, blocks, dropped, until } = await driveBob(context);
    const [paid, tooDear, orphan] = [ofBob(1n, 900n), ofBob(2n, 1_400n), ofBob(3n, 300n)];
    await until(() => blocks.length === 1);
    assert.deepEqual(hashesOf(blocks[0]), [paid]);
    assert.deepEqual(dropped, [[tooDear, codes.lowBalance]], 'one that waits on has not left');
    assert.equal(queue.get(tooDear), undefined);
    assert.ok(queue.get(orphan));
    await delay(30);
    assert.equal(blocks.length, 1, 'nothing can be done yet');

    const filling = ofBob(2n, 300n);
    await until(() => blocks.length === 2);
    assert.deepEqual(hashesOf(blocks[1]), [filling, orphan]);
    assert.equal(queue.size, 0);
  });

  test('make no block when nothing else is there', async (context) => {
    const { add, blocks, dropped, queue, until } = await drive(context);
    add({ source: person('nobody'), operations: [log] });
    await until(() => dropped.length === 1);
    assert.deepEqual([dropped[0][1], queue.size, blocks.length], [codes.accountMissing, 0, 0]);
  });
});

describe('the driver', () => {
  test('stops after the block under way', async (context) => {
    const { add, driver, blocks } = await drive(context, { blockIntervalMs: 0 });
    add({ operations: [log] });
    await delay(1);
    await driver.stop();
    const made = blocks.length;
    add({ nonce: 2n, operations: [log] });
    await delay(20);
    assert.equal(blocks.length, made);
  });

  test('says when the chain cannot go on, and makes no further block', async (context) => {
    const { add, driver, failures, chain, blocks, until } = await drive(context, { heartbeatMs: 20 });
    add({ operations: [log] });
    await chain.close();
    await until(() => failures.length === 1);
    driver.wake();
    await delay(50);
    assert.deepEqual([failures.length, blocks.length], [1, 0]);
    assert.equal(chain.head.seq, 1n);
  });
});
