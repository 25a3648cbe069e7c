/**
 * Contracts that go as deep as they may and call each other from there, the last of which makes a contract whose code
 * is deep itself: on a node that has just started and on one that has run them many times, as a query that anybody may
 * send and as a transaction. Each gives the same receipt, and no process ends.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { type Owner, ownerOfSuite } from '../support/owner.ts';
import { ChildNode, callOperation, createContract } from './child-node.ts';
import { contractGoingDown, waysOfRecursing } from './ways-of-recursing.ts';

const owner = ownerOfSuite();
/** What takes most of the host's stack for what it is counted, and how deep it goes. */
const way = waysOfRecursing['nested arrays flattened'];
const depth = '840';
const nestedCode = `'use strict'; function init(input) { return ${'('.repeat(90)}input${')'.repeat(90)}; }`;

/** A node with the contracts of the witness; the address of the one to call. */
async function deployed(of: Owner, isFourthDeep: boolean): Promise<{ node: ChildNode; address: string }> {
  const node = await ChildNode.start(of, { blockIntervalMs: 20 });
  const deploy = async (code: string): Promise<string> => {
    const made = await node.execute({ operations: [createContract(code)] });
    assert.equal(made.code, 0, made.description);
    return JSON.parse(made.description)[0].contract_address as string;
  };
  const make = `Chain.contractCreate("0", 0, ${JSON.stringify(nestedCode)}, "")`;
  let address = await deploy(contractGoingDown(isFourthDeep ? way : { body: 'leaf();' }, make));
  for (let level = 0; level < 3; level++) {
    const call = `Chain.contractCall("${address}", true, "0", "${depth}")`;
    address = await deploy(contractGoingDown(way, call));
  }
  return { node, address };
}

const tryOut = async (node: ChildNode, address: string): Promise<JsonObject> => {
  const reply = await node.post('callContract', { contract_address: address, opt_type: 1, input: depth });
  const tried = (at(reply, 'result', 'txs') as JsonObject[]).at(-1) as JsonObject;
  assert.deepEqual([reply.error_code, reply.error_desc], [tried.error_code, tried.error_desc]);
  return tried;
};

/** What does not depend on when it happened. */
const receiptOf = ({ error_code, error_desc, actual_fee }: JsonObject): JsonObject => ({
  error_code,
  error_desc,
  actual_fee,
});

/** The query, then the transaction, after so many runs of the same. */
async function receipts(isFourthDeep: boolean, warmUps: number): Promise<readonly JsonObject[]> {
  const { node, address } = await deployed(owner, isFourthDeep);
  for (let run = 0; run < warmUps; run++) await tryOut(node, address);
  const tried = await tryOut(node, address);
  const executed = await node.execute({ operations: [callOperation(address, depth)] });
  assert.ok(node.isAlive);
  await node.close();
  return [receiptOf(tried), receiptOf(executed.record)];
}

describe('contracts at the end of their stack, the last of which makes one of deep code', () => {
  const tooDeep = { error_code: 153, error_desc: 'operation 0: Too many recursion' };

  for (const isFourthDeep of [false, true]) {
    const which = isFourthDeep ? 'four of them' : 'three of them, and a fourth';

    test(`${which}: a query of somebody without a key, on a node that has just started`, async () => {
      const { node, address } = await deployed(owner, isFourthDeep);
      const { error_code, error_desc } = await tryOut(node, address);
      assert.deepEqual({ error_code, error_desc }, tooDeep);
      assert.ok(node.isAlive);
      await node.close();
    });

    test(`${which}: a transaction, and the chain goes on`, async () => {
      const { node, address } = await deployed(owner, isFourthDeep);
      const { code } = await node.execute({ operations: [callOperation(address, depth)] });
      assert.equal(code, tooDeep.error_code);
      assert.equal((await node.execute({ operations: [callOperation(address, '1')] })).code, 153);
      await node.close();
    });

    test(`${which}: the same receipts from a node that has just started and from a warm one`, async () => {
      assert.deepEqual(await receipts(isFourthDeep, 0), await receipts(isFourthDeep, 60));
    });
  }
});
