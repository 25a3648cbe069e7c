/**
 * Answers about the state that a client need not believe, and answers about what has not happened: proofs bound to
 * a header of the chain, and evaluations of transactions.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { treeKeyOf } from '@symbolon/core/ledger/execution/state-trees';
import { decodeTreeProof, verifyAbsence, verifyInclusion } from '@symbolon/core/tree/tree-proof';
import { sha256 } from '@symbolon/host/work/sha256';
import type { JsonObject } from '@symbolon/wire/json/json';
import { at, type Query, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { operations, type RunningNode, startNode } from '../support/running-node.ts';

const { payCoin, issueAsset, payAsset, setMetadata, log } = operations;
const owner = ownerOfSuite();
const bob = person('bob');
const nobody = person('nobody');

let node: RunningNode;

before(async () => {
  node = await startNode(owner);
  const gold = { issuer: richest.address, code: 'GOLD', amount: 5 };
  await node.execute({
    operations: [payCoin(bob.address, 1_000), issueAsset('GOLD', 9), payAsset(bob.address, gold)],
  });
  await node.execute({ operations: [setMetadata('a', '1'), setMetadata('b/c', '2')] });
});

describe('proofs of state', () => {
  const prove = async (query: Query) => {
    const { result } = await node.ask('getStateProof', query);
    const seq = at(result, 'ledger_seq') as number;
    const { result: ledger } = await node.ask('getLedger', { seq });
    assert.deepEqual(at(result, 'header'), at(ledger, 'header'), 'the proof is for a header of the chain');
    assert.equal(at(result, 'root'), at(ledger, 'header', 'account_tree_hash'));
    const bytes = Buffer.from(at(result, 'proof') as string, 'base64');
    const value = at(result, 'value') as string | null;
    return {
      root: Buffer.from(at(result, 'root') as string, 'hex'),
      key: treeKeyOf(at(result, 'state_key') as string, sha256),
      value: value === null ? undefined : Buffer.from(value, 'hex'),
      proof: decodeTreeProof(bytes) as NonNullable<ReturnType<typeof decodeTreeProof>>,
      bytes: bytes.length,
    };
  };

  test('bind what is there to a header', async () => {
    const address = richest.address;
    const gold = { code: 'GOLD', issuer: address };
    for (const query of [
      { address },
      { address, key: 'b/c' },
      { address, ...gold },
      { address: bob.address, ...gold },
    ]) {
      const { root, key, value, proof, bytes } = await prove(query);
      assert.ok(value && bytes <= 1_024);
      assert.ok(verifyInclusion(root, key, sha256(value), proof, sha256));
      assert.ok(!verifyInclusion(root, key, sha256(Buffer.from(`${encodeHex(value)}00`)), proof, sha256));
      assert.ok(!verifyAbsence(root, key, proof, sha256));
    }
  });

  test('bind what is not there to a header', async () => {
    for (const query of [
      { address: nobody.address },
      { address: bob.address, key: 'a' },
      { address: 'x/y' },
    ]) {
      const { root, key, value, proof } = await prove(query);
      assert.equal(value, undefined);
      assert.ok(verifyAbsence(root, key, proof, sha256));
    }
    assert.equal((await node.ask('getStateProof')).error_code, 2);
    assert.equal((await node.ask('getStateProof', { address: bob.address, code: 'GOLD' })).error_code, 2);
  });

  test('are made while blocks go on', async () => {
    const { text } = await send(`${node.url}/getAccountBase?address=${richest.address}`);
    const first = Number(/"nonce":(\d+)/.exec(text)?.[1]) + 1;
    const submissions = Array.from({ length: 40 }, async (_, index) =>
      node.post('submitTransaction', {
        items: [await node.sign({ nonce: first + index, operations: [log('t', `${index}`)] })],
      }),
    );
    const asked = Array.from({ length: 100 }, () =>
      send(`${node.url}/getStateProof?address=${richest.address}`),
    );
    for (const { status, text } of await Promise.all(asked)) assert.equal(status, 200, text);
    const replies = await Promise.all(submissions);
    await Promise.all(replies.map((reply) => node.record(at(reply, 'result', 'hash') as string)));
    assert.equal(node.served.notReady(), undefined);
  });
});

describe('evaluation', () => {
  test('takes both shapes and does not ask for a balance', async () => {
    const poor = person('poor');
    await node.execute({ operations: [payCoin(poor.address, 0)] });
    const transaction = {
      source_address: poor.address,
      nonce: 1,
      operations: [payCoin(bob.address, 10n ** 15n)],
    };
    const flat = await node.post('testTransaction', { ...transaction, signature_number: 2 });
    const listed = await node.post('testTransaction', {
      items: [{ transaction_json: transaction, signature_number: '2' }],
    });
    assert.deepEqual(flat, listed);
    assert.equal(flat.error_code, 0);
    const [evaluated] = at(flat, 'result', 'txs') as JsonObject[];
    assert.equal(evaluated.actual_fee, at(evaluated, 'transaction_env', 'transaction', 'fee_limit'));
    const single = await node.post('testTransaction', transaction);
    assert.equal((evaluated.gas as number) - (at(single, 'result', 'txs', 0, 'gas') as number), 145);
    assert.equal(await node.balance(poor.address), 0n, 'nothing has happened');
    const making = { ...transaction, operations: [payCoin(nobody.address, 1)] };
    assert.equal((await node.post('testTransaction', making)).error_code, 0, 'a payment makes an account');
    const several = await node.post('testTransaction', { items: [{}, {}] });
    assert.equal(several.error_code, 2);
  });
});
