import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { concatBytes, encodeHex } from '@symbolon/core/basics/bytes';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { blockLimits, transactionLimits } from '@symbolon/core/limits/consensus';
import { SignatureSchema, TransactionEnvSchema } from '@symbolon/core/proto/ledger_pb';
import type { QueuedTransaction } from '../../queue/admission.ts';
import { WaitingQueue } from '../../queue/waiting-queue.ts';
import { person } from '../../testing/people.ts';
import { verified } from '../../testing/test-chain.ts';
import { framedBytes, networkBytes, openNetworkBytes, queueName } from './network-bytes.ts';
import { Proposals, proposalProblem } from './proposals.ts';

const log = operation('log', { topic: 't', datas: ['d'.repeat(100)] });
const bob = person('bob');

function queued(nonce: bigint, source = bob): QueuedTransaction {
  const transaction = verified({ source, nonce, operations: [log] });
  const { hash, envelopeBytes } = transaction.signed;
  return {
    hash: encodeHex(hash),
    source: source.address,
    nonce,
    gasPrice: 1n,
    bytes: envelopeBytes,
    arrivedAtMs: performance.now(),
    arrivedAtMicros: 0n,
    verified: transaction,
  };
}

function queueOf(...transactions: QueuedTransaction[]) {
  const queue = new WaitingQueue<QueuedTransaction>({
    transactionsMax: 100,
    transactionsPerAccountMax: 100,
    lifetimeMs: 60_000,
    departedHashesMax: 10,
    accountNonce: () => 0n,
  });
  for (const transaction of transactions) assert.equal(queue.add(transaction), undefined);
  return queue;
}

const proposalsOf = (
  queue: ReturnType<typeof queueOf>,
  gasOf: (nonce: bigint) => bigint | undefined = () => undefined,
) => new Proposals(queue, { of: ({ transaction }) => gasOf(transaction.nonce) });

describe('a proposal', () => {
  test('holds what waits, by nonce, and nothing beyond a gap', () => {
    const [first, second, fourth] = [queued(1n), queued(2n), queued(4n)];
    const proposals = proposalsOf(queueOf(fourth, second, first));
    assert.deepEqual(proposals.prepare(1_000_000n), [networkBytes(first), networkBytes(second)]);
  });

  test('keeps to the bytes that CometBFT allows, its own framing counted', () => {
    const transactions = [queued(1n), queued(2n), queued(3n)];
    const [size] = transactions.map((it) => framedBytes(networkBytes(it).length)) as [number];
    const queue = queueOf(...transactions);
    const proposals = proposalsOf(queue);
    for (const [room, count] of [
      [3 * size, 3],
      [3 * size - 1, 2],
      [2 * size, 2],
      [size, 1],
      [size - 1, 0],
      [0, 0],
    ] as const)
      assert.equal(proposals.prepare(BigInt(room)).length, count, `room for ${room}`);
    assert.equal(queue.size, 3);
  });

  test('keeps to what its readers can decode in time', () => {
    const { fieldsMax } = transactionLimits;
    const most = Math.floor(blockLimits.fieldsMax / fieldsMax);
    const blob = new Uint8Array(2 * fieldsMax).map((_, at) => (at % 2 === 0 ? 0x22 : 0));
    const large = Array.from({ length: most + 1 }, (_, index) => {
      const small = queued(BigInt(index + 1));
      return { ...small, verified: { ...small.verified, signed: { ...small.verified.signed, blob } } };
    });
    assert.equal(proposalsOf(queueOf(...large)).prepare(10_000_000n).length, most);
  });

  test('holds back contracts once it holds as many as can be executed, and nothing of others', () => {
    const { contractGasMax } = blockLimits;
    const eve = person('eve');
    const calls = [1n, 2n, 3n, 4n].map((nonce) => queued(nonce));
    const paid = queued(9n, eve);
    const queue = queueOf(...calls);
    assert.equal(queue.add({ ...paid, nonce: 1n }), undefined);
    const half = contractGasMax / 2n;
    const gasOf = (nonce: bigint) => (nonce === 4n || nonce === 9n ? undefined : half);
    const proposals = proposalsOf(queue, gasOf);
    const proposed = proposals.prepare(1_000_000n).map((bytes) => encodeHex(bytes));
    const bytesOf = (transactions: QueuedTransaction[]) =>
      transactions.map((transaction) => encodeHex(networkBytes(transaction))).sort();
    assert.deepEqual(proposed.toSorted(), bytesOf([...calls.slice(0, 2), paid]));
    assert.equal(queue.size, 5);
    // The third call waits, and its sender's payment behind it: neither is lost.
    const less = proposalsOf(queue, (nonce) => (nonce === 9n ? undefined : half / 2n));
    proposals.giveBack();
    assert.equal(less.prepare(1_000_000n).length, 5);
  });

  test('takes again what the one before took in vain', () => {
    const proposals = proposalsOf(queueOf(queued(1n), queued(2n)));
    assert.deepEqual(proposals.prepare(1_000_000n), proposals.prepare(1_000_000n));
  });

  test('gives back what another block did not hold', () => {
    const queue = queueOf(queued(1n));
    const proposals = proposalsOf(queue);
    proposals.prepare(1_000_000n);
    assert.equal(queue.readyAccounts, 0);
    proposals.giveBack();
    assert.equal(queue.readyAccounts, 1);
  });
});

const nothingWaits = new Map<string, QueuedTransaction>();

describe('a vote', () => {
  const good = networkBytes(queued(1n));

  test('is given to what can be read', () => {
    assert.equal(proposalProblem([], nothingWaits), undefined);
    assert.equal(proposalProblem([good, networkBytes(queued(2n))], nothingWaits), undefined);
  });

  const envelope = create(TransactionEnvSchema, { transaction: Uint8Array.of(1, 2, 3) });
  const { verified: of } = queued(1n);
  const cases: Record<string, Uint8Array> = {
    'bytes of no message': Uint8Array.of(0xff, 0xff),
    'an envelope of no transaction': toBinary(TransactionEnvSchema, envelope),
    'a transaction cut short': good.subarray(0, good.length - 1),
    'a field that nobody knows': concatBytes(good, Uint8Array.of(0x7a, 0x01, 0x00)),
    'the same field twice': concatBytes(good, good),
    'a longer spelling of a length': concatBytes(
      Uint8Array.of(0x0a, (of.signed.blob.length & 0x7f) | 0x80, (of.signed.blob.length >> 7) | 0x80, 0),
      of.signed.blob,
    ),
    'signatures before the transaction': concatBytes(
      toBinary(
        TransactionEnvSchema,
        create(TransactionEnvSchema, { signatures: [create(SignatureSchema, { publicKey: 'x' })] }),
      ),
      toBinary(TransactionEnvSchema, create(TransactionEnvSchema, { transaction: of.signed.blob })),
    ),
  };
  for (const [name, bytes] of Object.entries(cases))
    test(`is refused to ${name}`, () => {
      assert.equal(openNetworkBytes(bytes), undefined);
      assert.match(proposalProblem([good, bytes], nothingWaits) ?? '', /transaction 1 cannot be read/);
    });

  test('is refused to too many, and to too much', () => {
    const many = Array<Uint8Array>(blockLimits.transactionsMax + 1).fill(good);
    assert.match(proposalProblem(many, nothingWaits) ?? '', /more than 2000/);
    const half = new Uint8Array(blockLimits.bytesMax / 2 + 1);
    assert.match(proposalProblem([half, half], nothingWaits) ?? '', /bytes/);
  });

  /** Two bytes each, which are an object each once they are decoded. */
  const operationsOf = (count: number) => {
    const blob = new Uint8Array(2 * count);
    for (let at = 0; at < blob.length; at += 2) blob[at] = 0x22;
    return toBinary(TransactionEnvSchema, create(TransactionEnvSchema, { transaction: blob }));
  };

  test('is refused to what takes long to decode, without decoding it', () => {
    const { fieldsMax } = transactionLimits;
    assert.ok(openNetworkBytes(operationsOf(fieldsMax)));
    const signatures = Array.from({ length: fieldsMax + 1 }, () => create(SignatureSchema, {}));
    const signed = toBinary(TransactionEnvSchema, create(TransactionEnvSchema, { signatures }));
    for (const bytes of [operationsOf(fieldsMax + 1), operationsOf(3_000_000), signed])
      assert.match(proposalProblem([bytes], nothingWaits) ?? '', /transaction 0 cannot be read/);
    const most = Math.floor(blockLimits.fieldsMax / fieldsMax);
    const full = Array<Uint8Array>(most).fill(operationsOf(fieldsMax));
    assert.equal(proposalProblem(full, nothingWaits), undefined);
    assert.match(proposalProblem([...full, good], nothingWaits) ?? '', /fields/);
  });

  test('is refused to what takes long to verify, without verifying it', () => {
    const signedBy = (count: number) => {
      const signature = { publicKey: 'k'.repeat(76), signData: new Uint8Array(64) };
      const signatures = Array.from({ length: count }, () => create(SignatureSchema, signature));
      return toBinary(
        TransactionEnvSchema,
        create(TransactionEnvSchema, { transaction: of.signed.blob, signatures }),
      );
    };
    const { signaturesMax } = transactionLimits;
    assert.match(proposalProblem([signedBy(signaturesMax + 1)], nothingWaits) ?? '', /cannot be read/);
    const full = Array<Uint8Array>(blockLimits.signaturesMax / signaturesMax).fill(signedBy(signaturesMax));
    assert.equal(proposalProblem(full, nothingWaits), undefined);
    assert.match(proposalProblem([...full, good], nothingWaits) ?? '', /signatures/);
  });
});

describe('bytes between validators', () => {
  test('lead to the name in the queue', () => {
    const transaction = queued(1n);
    assert.equal(queueName(networkBytes(transaction)), transaction.hash);
    assert.equal(queueName(Uint8Array.of(0xff)), undefined);
  });

  for (const [length, framed] of [
    [1, 3],
    [127, 129],
    [128, 131],
    [16_383, 16_386],
    [16_384, 16_388],
  ] as const)
    test(`of ${length} take ${framed} in a block`, () => assert.equal(framedBytes(length), framed));
});
