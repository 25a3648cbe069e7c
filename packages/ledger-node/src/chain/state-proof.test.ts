import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { treeKeyOf } from '@symbolon/core/ledger/execution/state-trees';
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { decodeTreeProof, verifyAbsence, verifyInclusion } from '@symbolon/core/tree/tree-proof';
import { sha256 } from '@symbolon/host/work/sha256';
import { MemoryStore } from '../testing/memory-store.ts';
import { person, richest } from '../testing/people.ts';
import { addBlock, openTestChain, testRules, verified } from '../testing/test-chain.ts';
import type { Chain } from './chain.ts';
import { hashPairs } from './hash-pairs.ts';
import { stateRow } from './rows.ts';
import { ProofUnavailable, proveState } from './state-proof.ts';

async function chainWithPeople(count: number, store = new MemoryStore()): Promise<Chain> {
  const chain = await openTestChain(testRules(), store);
  for (let nonce = 1; nonce <= count; nonce += 50) {
    const operations = Array.from({ length: 50 }, (_, index) =>
      operation('payCoin', { destAddress: person(`p${nonce + index}`).address, amount: 1n }),
    );
    await addBlock(chain, [verified({ nonce: chain.head.txCount + 1n, operations })]);
  }
  return chain;
}

const check = async (chain: Chain, stateKey: string) => {
  const { header, value, proof: bytes } = await proveState(chain, stateKey, hashPairs);
  const proof = decodeTreeProof(bytes);
  assert.ok(proof);
  const key = treeKeyOf(stateKey, sha256);
  const isProven = value
    ? verifyInclusion(header.accountTreeHash, key, sha256(value), proof, sha256)
    : verifyAbsence(header.accountTreeHash, key, proof, sha256);
  assert.ok(isProven);
  return { header, value, bytes };
};

describe('proofs of the state', () => {
  test('show what is there and what is not', async () => {
    const chain = await chainWithPeople(200);
    for (let index = 1; index <= 200; index += 37) {
      const { value, bytes } = await check(chain, stateKeys.account(person(`p${index}`).address));
      assert.ok(value && bytes.length < 1_024);
      assert.equal((await check(chain, stateKeys.account(person(`q${index}`).address))).value, undefined);
    }
    assert.equal((await check(chain, stateKeys.metadata(richest.address, 'none'))).value, undefined);
  });

  test('are for the head, while blocks go on', async () => {
    const chain = await chainWithPeople(100);
    const asked: Promise<unknown>[] = [];
    for (let round = 0; round < 20; round++) {
      asked.push(check(chain, stateKeys.account(person(`p${round + 1}`).address)));
      const pay = operation('payCoin', { destAddress: person(`p${round + 1}`).address, amount: 1n });
      await addBlock(chain, [verified({ nonce: chain.head.txCount + 1n, operations: [pay] })]);
    }
    // Each is right for the head of its own moment.
    await Promise.all(asked);
  });

  test('are refused rather than wrong when the store contradicts the tree', async () => {
    const store = new MemoryStore();
    const chain = await chainWithPeople(50, store);
    const key = stateKeys.account(person('p1').address);
    for (const value of [Uint8Array.of(1), undefined]) {
      await store.write([[stateRow(key), value]]);
      chain.rows.advance();
      await assert.rejects(proveState(chain, key, hashPairs), ProofUnavailable);
    }
  });
});
