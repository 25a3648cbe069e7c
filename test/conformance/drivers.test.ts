/**
 * What clients of a node rely on, whoever makes its blocks: one suite, run against a node that is alone and against one
 * with a real CometBFT. Submissions, the cache, history, fees, codes, what is dropped, and the WebSocket.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fromBinary } from '@bufbuild/protobuf';
import { LedgerHeaderSchema, TransactionEnvStoreSchema } from '@symbolon/core/proto/ledger_pb';
import { payeePerson, startCometNode } from '../support/comet-node.ts';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest, validatorPerson } from '../support/people.ts';
import { operations, type RunningNode, startNode } from '../support/running-node.ts';
import { connectSocket } from '../support/socket-client.ts';
import { until } from '../support/until.ts';

const bob = person('bob');
const { payCoin, log, createAccount, setMetadata } = operations;
const headerNews = 16n;
const subscribe = 19n;
const transactionNews = 20n;

type Start = (owner: ReturnType<typeof ownerOfSuite>) => Promise<RunningNode>;

const drivers: Record<string, { start: Start; isPaid: string; type: string }> = {
  alone: { start: (owner) => startNode(owner), isPaid: validatorPerson.address, type: 'solo' },
  'with CometBFT': {
    start: async (owner) => (await startCometNode(owner)).node,
    isPaid: payeePerson.address,
    type: 'cometbft',
  },
};

for (const [name, { start, isPaid, type }] of Object.entries(drivers))
  describe(`a node ${name}`, () => {
    const owner = ownerOfSuite();
    let node: RunningNode;
    before(async () => {
      node = await start(owner);
    });
    const nonceOf = async (address: string) =>
      BigInt(at(await node.ask('getAccountBase', { address }), 'result', 'nonce') as number);

    test('says how it comes to its blocks', async () => {
      const info = await node.ask('getConsensusInfo');
      assert.equal(info.type, type);
      assert.deepEqual([info.quorum_size, info.fault_number, info.validators], [1, 0, [isPaid]]);
    });

    test('executes what is submitted and pays its validator what it costs', async () => {
      const [paid, had] = [await node.balance(isPaid), await node.balance(richest.address)];
      const record = await node.execute({ operations: [payCoin(bob.address, 5)] });
      assert.equal(record.error_code, 0);
      const fee = BigInt(record.actual_fee as number);
      assert.equal(await node.balance(bob.address), 5n);
      assert.equal(await node.balance(isPaid), paid + fee);
      assert.equal(await node.balance(richest.address), had - fee - 5n);
    });

    test('records one that fails, with its code, and charges its whole limit', async () => {
      const had = await node.balance(richest.address);
      const record = await node.execute({ operations: [payCoin(person('newcomer').address, 10n ** 18n)] });
      assert.equal(record.error_code, 100);
      assert.equal(await node.balance(richest.address), had - 10_000_000n);
    });

    test('executes those of one sender by nonce, however they come', async () => {
      const nonce = await nonceOf(richest.address);
      const hashes: string[] = [];
      for (const ahead of [3n, 1n, 2n, 5n, 4n]) {
        const reply = await node.submit({ nonce: nonce + ahead, operations: [log('turn', String(ahead))] });
        hashes.push(at(reply, 'result', 'hash') as string);
      }
      for (const hash of hashes) assert.equal((await node.record(hash)).error_code, 0);
      assert.equal(await nonceOf(richest.address), nonce + 5n);
    });

    test('shows what waits in its cache, refuses it twice, and executes it when its turn has come', async () => {
      const nonce = (await nonceOf(richest.address)) + 2n;
      const item = await node.sign({ nonce, operations: [log('late', 'x')] });
      const hash = at(await node.post('submitTransaction', { items: [item] }), 'result', 'hash') as string;
      const again = await node.post('submitTransaction', { items: [item] });
      assert.equal(at(again, 'results', 0, 'error_code'), 3);
      const cached = await node.ask('getTransactionCache', { hash });
      assert.equal(at(cached, 'result', 'transactions', 0, 'hash'), hash);
      assert.equal((await node.ask('getTransactionHistory', { hash })).error_code, 4);
      await node.execute({ nonce: nonce - 1n, operations: [log('early', 'x')] });
      const record = await node.record(hash);
      assert.equal(record.error_code, 0);
      const past = await node.post('submitTransaction', { items: [item] });
      assert.equal(at(past, 'results', 0, 'error_code'), 99);
      const block = await node.ask('getTransactionHistory', { ledger_seq: record.ledger_seq as bigint });
      assert.ok((at(block, 'result', 'transactions') as { hash: string }[]).some((it) => it.hash === hash));
    });

    test('tells the sender of one that a block did not admit', async () => {
      const poor = person('poor');
      await node.execute({ operations: [createAccount(poor.address, 15_000_000)] });
      const dropped: [hash: string, code: number][] = [];
      const stop = node.served.node.watch({ dropped: ({ hash }, { code }) => dropped.push([hash, code]) });
      // It could be paid for as it is; after the one before it nothing is left.
      const later = await node.submit({ source: poor, nonce: 2, operations: [log('too', 'poor')] });
      const hash = at(later, 'result', 'hash') as string;
      const order = { source: poor, nonce: 1, operations: [payCoin(richest.address, 5_000_000)] };
      assert.equal((await node.execute(order)).error_code, 0);
      await until('news of the dropped one', () => dropped.length > 0);
      stop();
      assert.deepEqual(dropped, [[hash, 100]]);
      assert.equal((await node.ask('getTransactionCache', { hash })).error_code, 100);
    });

    test('refuses with the same codes', async () => {
      const refused = async (order: Parameters<RunningNode['submit']>[0]) =>
        at(await node.submit(order), 'results', 0, 'error_code');
      const operation = [log('x', 'y')];
      assert.equal(await refused({ operations: operation, fields: { fee_limit: 1 } }), 111);
      assert.equal(await refused({ operations: operation, signers: [bob] }), 93);
      assert.equal(await refused({ operations: operation, nonce: 1 }), 99);
      assert.equal(await refused({ operations: [], nonce: 1_000 }), 97);
      assert.equal(await refused({ operations: operation, source: person('nobody'), nonce: 1 }), 103);
      assert.equal(await refused({ operations: operation, fields: { chain_id: 77 } }), 2);
      assert.equal(await refused({ operations: operation, fields: { ceil_ledger_seq: 1 } }), 5);
    });

    test('keeps what accounts write', async () => {
      await node.execute({ operations: [setMetadata('k', 'v')] });
      const reply = await node.ask('getAccountMetaData', { address: richest.address, key: 'k' });
      assert.equal(at(reply, 'result', 'k', 'value'), 'v');
      const proof = await node.ask('getStateProof', { address: richest.address, key: 'k' });
      assert.equal(proof.error_code, 0);
    });

    test('tells watchers of headers and transactions', async (context) => {
      const client = await connectSocket(context, node.served.socketUrl);
      assert.equal(await client.subscribe(subscribe, [bob.address]), 0);
      await node.execute({ operations: [payCoin(bob.address, 7)] });
      const { data } = await client.notification(transactionNews);
      const { ledgerSeq, errorCode } = fromBinary(TransactionEnvStoreSchema, data);
      assert.equal(errorCode, 0);
      await client.notification(
        headerNews,
        (bytes) => fromBinary(LedgerHeaderSchema, bytes).seq === ledgerSeq,
      );
    });
  });
