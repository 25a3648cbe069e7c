import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { codes, refuse } from '@symbolon/core/ledger/terms/codes';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { int64Max } from '@symbolon/core/limits/consensus';
import { SignatureSchema } from '@symbolon/core/proto/ledger_pb';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import { SandboxQueue } from '../sandbox/sandbox-queue.ts';
import { SignaturePool } from '../signatures/signature-pool.ts';
import type { VerifySignature } from '../signatures/signers.ts';
import { person, richest } from '../testing/people.ts';
import { addBlock, openTestChain, signed, type TestTransaction, verified } from '../testing/test-chain.ts';
import { QueueAdmission, type QueuedTransaction } from './admission.ts';
import { WaitingQueue } from './waiting-queue.ts';

const stranger = person('stranger');
const log = operation('log', { topic: 't', datas: ['d'] });
const pool = new SignaturePool({ workers: 0 });
const realVerify: VerifySignature = (...args) => pool.verify(...args);

async function desk(verify = realVerify, sandbox = new SandboxQueue()) {
  const chain = await openTestChain();
  const queue = new WaitingQueue<QueuedTransaction>({
    transactionsMax: 10,
    transactionsPerAccountMax: 5,
    lifetimeMs: 1_000,
    departedHashesMax: 10,
    accountNonce: () => chain.head.txCount,
  });
  let verifications = 0;
  let queued = 0;
  const admission = new QueueAdmission({
    chain,
    queue,
    clock: fixedClock(1_234),
    verify: (...args) => {
      verifications++;
      return verify(...args);
    },
    sandbox,
    onQueued: () => queued++,
  });
  return {
    chain,
    queue,
    admission,
    verifications: () => verifications,
    queued: () => queued,
    async submit(order: TestTransaction): Promise<number> {
      const { blob, signatures } = signed(order);
      return (await admission.submit(blob, signatures)).refusal?.code ?? 0;
    },
  };
}

describe('a submission', () => {
  test('that nothing speaks against is queued, with the time of its arrival', async () => {
    const { queue, submit, queued, admission } = await desk();
    assert.equal(await submit({ operations: [log] }), 0);
    const [entry] = queue.list(10);
    assert.deepEqual([entry.arrivedAtMicros, entry.nonce], [1_234_000n, 1n]);
    assert.ok(entry.arrivedAtMs <= performance.now(), 'of a clock that nobody sets');
    assert.deepEqual(entry.verified.signedBy, new Set([richest.address]));
    assert.equal(queued(), 1);
    const { blob, signatures } = signed({ nonce: 2n, operations: [log] });
    const admitted = await admission.submit(blob, signatures);
    assert.match(admitted.hash ?? '', /^[0-9a-f]{64}$/);
    assert.equal(admitted.refusal, undefined);
  });

  test('that is no transaction has no hash', async () => {
    const { admission } = await desk();
    const admitted = await admission.submit(Uint8Array.of(1, 2, 3), []);
    assert.deepEqual([admitted.hash, admitted.refusal?.code], [undefined, codes.invalidParameter]);
  });

  test('may leave a gap in the nonces', async () => {
    const { submit } = await desk();
    assert.equal(await submit({ nonce: 9n, operations: [log] }), 0);
  });
});

describe('the checks', () => {
  /** Each breaks one rule; the rules are in the order in which they are asked. */
  const violations: [name: string, code: number, order: Partial<TestTransaction>][] = [
    ['source', codes.accountMissing, { source: stranger, signers: [richest] }],
    ['nonce', codes.badNonce, { nonce: 0n }],
    ['chain id', codes.invalidParameter, { chainId: 5n }],
    ['operations', codes.noOperations, { operations: [] }],
    ['weight', codes.weightTooLow, { signers: [stranger] }],
    ['balance', codes.lowBalance, { feeLimit: int64Max }],
  ];

  test('come in their order: of two reasons the earlier one is told', async () => {
    const { submit } = await desk();
    for (const [index, [name, code, first]] of violations.entries()) {
      for (const [otherName, , second] of violations.slice(index)) {
        const order = { operations: [log], ...second, ...first };
        assert.equal(await submit(order), code, `${name} before ${otherName}`);
      }
    }
  });

  test('end with the fee, after the balance, and with the queue', async () => {
    const { submit } = await desk();
    assert.equal(await submit({ operations: [log], feeLimit: 1n }), codes.feeTooLow);
    assert.equal(await submit({ operations: [log], feeLimit: 1n, signers: [stranger] }), codes.weightTooLow);
    for (let nonce = 1n; nonce <= 5n; nonce++) assert.equal(await submit({ nonce, operations: [log] }), 0);
    assert.equal(await submit({ nonce: 6n, operations: [log] }), codes.queueRefused);
    assert.equal(await submit({ nonce: 6n, operations: [log], feeLimit: 1n }), codes.feeTooLow);
  });

  test('that need no signature spare the verifier', async () => {
    const { submit, verifications } = await desk();
    for (const [, , order] of violations.slice(0, 4)) await submit({ operations: [log], ...order });
    assert.equal(verifications(), 0);
    await submit({ operations: [log] });
    assert.equal(verifications(), 1);
  });
});

describe('signatures', () => {
  test('that do not verify are passed over, the others count', async () => {
    const { admission, queue } = await desk();
    const { blob, signatures } = signed({ operations: [log], signers: [richest, stranger] });
    signatures[1].signData[0] ^= 1;
    assert.equal((await admission.submit(blob, signatures)).refusal, undefined);
    assert.deepEqual(queue.list(1)[0].verified.signedBy, new Set([richest.address]));
  });

  test('that count for nobody are taken out: the source pays for its own, within its limit', async () => {
    const { admission, queue } = await desk();
    const honest = signed({ operations: [log], feeLimit: 209n });
    for (const feeLimit of [209n, 210n]) {
      const nonce = feeLimit - 208n;
      const { blob, signatures } = signed({ operations: [log], nonce, feeLimit });
      const strange = create(SignatureSchema, {
        publicKey: stranger.publicKey,
        signData: stranger.sign(blob),
      });
      const junk = { ...strange, signData: new Uint8Array(64) };
      const added = [strange, junk, { ...junk, publicKey: richest.publicKey }, signatures[0]];
      const { refusal, isBySource } = await admission.submit(blob, [...added, ...signatures]);
      assert.deepEqual([refusal, isBySource], [undefined, true]);
    }
    for (const { bytes, verified } of queue.list(2)) {
      assert.equal(bytes, honest.envelopeBytes);
      assert.equal(verified.signed.envelopeBytes, honest.envelopeBytes);
      assert.equal(verified.signed.signatures.length, 1);
    }
  });

  test('are kept if rights that are on their way make them count', async () => {
    const { admission, queue } = await desk();
    const newcomer = { address: stranger.address, weight: 1n };
    const rotate = operation('setPrivilege', { masterWeight: '0', signers: [newcomer] });
    const both = [richest, stranger];
    const orders = [
      { nonce: 1n, operations: [rotate, log], signers: both },
      { nonce: 2n, operations: [log], signers: [...both, person('nobody')] },
    ];
    for (const order of orders) {
      const { blob, signatures } = signed(order);
      assert.equal((await admission.submit(blob, signatures)).refusal, undefined);
    }
    for (const { verified } of queue.list(2)) {
      assert.deepEqual(verified.signedBy, new Set(both.map(({ address }) => address)));
    }
  });

  test('are all kept that verify where an operation lacks weight today', async () => {
    const { submit, queue } = await desk();
    const ofAnother = { ...log, sourceAddress: person('future').address };
    assert.equal(await submit({ operations: [ofAnother], signers: [richest, stranger] }), 0);
    assert.equal(queue.list(1)[0].verified.signed.signatures.length, 2);
  });

  test('that others added are not held against the source: only a blob that costs too much is its own fault', async () => {
    const { admission } = await desk();
    const dear = signed({ operations: [log], feeLimit: 1n });
    const own = await admission.submit(dear.blob, dear.signatures);
    assert.deepEqual([own.refusal?.code, own.isBySource], [codes.feeTooLow, true]);
    const ofAnother = { ...log, sourceAddress: person('future').address };
    const feeLimit = BigInt(signed({ operations: [ofAnother] }).envelopeBytes);
    const { blob, signatures } = signed({ operations: [ofAnother], feeLimit, signers: [richest, stranger] });
    const padded = await admission.submit(blob, signatures);
    assert.deepEqual([padded.refusal?.code, padded.isBySource], [codes.feeTooLow, false]);
    const honest = await admission.submit(blob, signatures.slice(0, 1));
    assert.deepEqual([honest.refusal, honest.isBySource], [undefined, true]);
  });

  test('of odd length, or with a key that is none, are passed over too', async () => {
    const { admission, verifications } = await desk();
    const { blob, signatures } = signed({ operations: [log] });
    const [{ publicKey, signData }] = signatures;
    const odd = [
      { publicKey, signData: signData.subarray(1) },
      { publicKey: 'b001', signData },
      { publicKey: '', signData: Uint8Array.of() },
    ];
    const refused = await admission.submit(
      blob,
      odd.map((it) => ({ ...signatures[0], ...it })),
    );
    assert.equal(refused.refusal?.code, codes.weightTooLow);
    assert.equal(verifications(), 0);
  });

  test('a verifier that has too much to do makes the queue count as full', async () => {
    const { submit, queue } = await desk(async () => undefined);
    assert.equal(await submit({ operations: [log] }), codes.queueFull);
    assert.equal(queue.size, 0);
  });
});

describe('contract code', () => {
  test('that nobody has time to check is refused as by a full queue, not as expired', async () => {
    const never = { run: async () => refuse('timeout', 'the sandbox is busy') } as unknown as SandboxQueue;
    const { submit, queue } = await desk(realVerify, never);
    const payload =
      '"use strict"; function init(input) { return true; } function main(input) { return true; }';
    const priv = { thresholds: { txThreshold: 1n } };
    const create = operation('createAccount', { contract: { payload }, priv });
    assert.equal(await submit({ operations: [create], feeLimit: 10_000_000n }), codes.queueFull);
    assert.equal(queue.size, 0);
  });
});

describe('while signatures are verified', () => {
  /** A verifier that answers when it is told to. */
  function slow() {
    const gate = Promise.withResolvers<void>();
    const verify: VerifySignature = async (...args) => {
      await gate.promise;
      return realVerify(...args);
    };
    return { verify, open: () => gate.resolve() };
  }

  test('a twin is a repetition already', async () => {
    const { verify, open } = slow();
    const { submit, queue } = await desk(verify);
    const both = [submit({ operations: [log] }), submit({ operations: [log] })];
    open();
    assert.deepEqual(await Promise.all(both), [0, codes.alreadyExists]);
    assert.equal(queue.size, 1);
    assert.equal(await submit({ operations: [log] }), codes.alreadyExists);
  });

  test('one that a stranger handed in first, with other signatures, is in nobody’s way', async () => {
    const { verify, open } = slow();
    const { submit, queue } = await desk(verify);
    const order = { operations: [log] };
    const handedIn = [submit({ ...order, signers: [stranger] }), submit(order), submit(order)];
    open();
    assert.deepEqual(await Promise.all(handedIn), [codes.weightTooLow, 0, codes.alreadyExists]);
    assert.equal(queue.size, 1);
  });

  test('a block may use the nonce up', async () => {
    const { verify, open } = slow();
    const { chain, submit, queued } = await desk(verify);
    const late = submit({ operations: [log] });
    await addBlock(chain, [verified({ operations: [operation('log', { topic: 'other', datas: [] })] })]);
    open();
    assert.equal(await late, codes.badNonce);
    assert.equal(queued(), 0);
  });

  test('a failing verifier fails the submission and leaves nothing behind', async () => {
    let isBroken = true;
    const { submit } = await desk((...args) =>
      isBroken ? Promise.reject(new Error('broken')) : realVerify(...args),
    );
    await assert.rejects(submit({ operations: [log] }), /broken/);
    isBroken = false;
    assert.equal(await submit({ operations: [log] }), 0);
  });
});
