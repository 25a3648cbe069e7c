/**
 * Contracts that mean harm, through a real node in a process of its own: each ends with the code it should, others
 * are served meanwhile, and afterwards the node holds no more memory than before. Never a crash, a 5xx or a hang.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonValue } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { type Person, person } from '../support/people.ts';
import { operations as bodies } from '../support/running-node.ts';
import { ChildNode, callOperation, createContract } from './child-node.ts';
import type { Hostile } from './hostile-case.ts';
import { hostileComputing } from './hostile-computing.ts';
import { hostileUse } from './hostile-use.ts';
import type { Memory } from './node-child.ts';

const owner = ownerOfSuite();
const hostileContracts = [...hostileComputing, ...hostileUse];
const steady = person('steady');
const crowd = Array.from({ length: 20 }, (_, index) => person(`crowd ${index}`));
const [endless] = hostileComputing;

let node: ChildNode;
/** Once every contract has run: its image is kept, and the interpreters have grown as far as they may. */
let memoryBefore: Memory;
/** Calls that can be repeated, with the codes they end with. */
const deployed: { address: string; input: string; call: number }[] = [];

before(async () => {
  node = await ChildNode.start(owner, { blockIntervalMs: 20 });
  const funded = [steady, ...crowd].map(({ address }) => bodies.payCoin(address, 10n ** 12n));
  assert.equal((await node.execute({ operations: funded })).code, 0);
});

/** Payments that go on whatever else happens; each is waited for before the next. */
class SteadyPayments {
  readonly delaysMs: number[] = [];
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(payer: Person) {
    this.#done = this.#pay(payer);
  }

  async #pay(source: Person): Promise<void> {
    while (!this.#isOver) {
      const startedAt = performance.now();
      const { code } = await node.execute({ source, operations: [bodies.payCoin(crowd[0].address, 1)] });
      assert.equal(code, 0);
      this.delaysMs.push(performance.now() - startedAt);
      await delay(20);
    }
  }

  async stop(): Promise<{ count: number; longestMs: number }> {
    this.#isOver = true;
    await this.#done;
    return { count: this.delaysMs.length, longestMs: Math.max(...this.delaysMs) };
  }
}

async function deploy(payload: string): Promise<string> {
  const { code, description } = await node.execute({ operations: [createContract(payload)] });
  assert.equal(code, 0, description);
  return JSON.parse(description)[0].contract_address;
}

function exceptionOf(description: string): string {
  return description.startsWith('{') ? (JSON.parse(description).exception as string) : description;
}

/** Deploys and calls; in the sandbox it must end in the same way. */
async function attempt({ code, deploy: made, call, exception, input = 'x' }: Hostile): Promise<void> {
  const given = input === 'own code' ? code : input;
  const creation = await node.submit({ operations: [createContract(code)] });
  const sandbox = await node.post('callContract', { code, opt_type: 1, input: given });
  if (made === 152) {
    assert.equal(creation.code, 152, creation.description);
    assert.ok(JSON.parse(creation.description).length > 0);
    assert.equal(sandbox.error_code, 152);
    return;
  }
  assert.equal(creation.code, 0, creation.description);
  const { error_code: outcome, error_desc: description } = await node.record(creation.hash);
  assert.equal(outcome, made ?? 0, description as string);
  if (call === undefined) return;
  const [{ contract_address: address }] = JSON.parse(description as string);
  deployed.push({ address, input: given, call });
  const called = await node.execute({ operations: [callOperation(address, given)] });
  assert.equal(called.code, call, called.description);
  if (exception) assert.match(exceptionOf(called.description), exception);
  if (call !== 0) assert.equal(called.record.contract_tx_hashes, undefined, 'nothing is left of it');
  assert.equal(sandbox.error_code, call, 'the sandbox finds the same');
  const simulated = (at(sandbox, 'result', 'txs') as JsonValue[]).at(-1);
  assert.equal(at(simulated, 'error_code') ?? 0, call, 'and says it of the call, too');
}

describe('hostile contracts', () => {
  test('there are many', () => assert.ok(hostileContracts.length >= 40));

  describe('each end as they should, while others pay', () => {
    let payments: SteadyPayments;
    before(() => {
      payments = new SteadyPayments(steady);
    });

    for (const hostile of hostileContracts) {
      test(`${hostile.name}: ${hostile.call ?? hostile.deploy}`, () => attempt(hostile));
    }

    test('nobody waited long', async () => {
      const { count, longestMs } = await payments.stop();
      assert.ok(count > 50, `${count} payments`);
      assert.ok(longestMs < 3_000, `one waited ${longestMs} ms`);
    });
  });

  test('the deepest nesting is reached, each contract deep in its own stack', async () => {
    const down = (leaf: string) => `"use strict"; function init(input) { return true; }
      function down(n) { return n === 0 ? ${leaf} : down(n - 1); } function main(input) { return down(400); }`;
    let next = await deploy(down('"end"'));
    for (let depth = 1; depth < 4; depth++)
      next = await deploy(down(`Chain.contractCall("${next}", true, "0", "")`));
    assert.equal((await node.execute({ operations: [callOperation(next)] })).code, 0);
    memoryBefore = await node.memory();
  });

  test('a circle of two contracts ends with 153', async () => {
    const code = endless.code.replace(
      'while (true) { input = ""; }',
      'return Chain.contractCall(input, true, "0", Chain.thisAddress);',
    );
    const [first, second] = [await deploy(code), await deploy(`${code} `)];
    assert.equal((await node.execute({ operations: [callOperation(first, second)] })).code, 153);
  });
});

describe('a flood', () => {
  test('of everything again ends as before', async () => {
    for (const [index, { address, input, call }] of deployed.entries()) {
      const source = crowd[index % crowd.length];
      const { code } = await node.execute({ source, operations: [callOperation(address, input)] });
      assert.equal(code, call);
    }
  });

  test('of endless loops in blocks holds nobody up', async () => {
    const address = await deploy(endless.code);
    const payments = new SteadyPayments(steady);
    const hashes: string[] = [];
    for (let round = 0; round < 4; round++) {
      for (const source of crowd) {
        const { code, hash } = await node.submit({ source, operations: [callOperation(address)] });
        assert.equal(code, 0);
        hashes.push(hash);
      }
    }
    for (const hash of hashes) assert.equal((await node.record(hash)).error_code, 155);
    const { count, longestMs } = await payments.stop();
    assert.ok(count >= 3, `${count} payments`);
    assert.ok(longestMs < 4_000, `one waited ${longestMs} ms`);
  });

  test('of endless loops in the sandbox holds nobody up; who waits too long is answered 5', async () => {
    const payments = new SteadyPayments(steady);
    const replies = await Promise.all(
      Array.from({ length: 160 }, () => node.post('callContract', { code: endless.code, opt_type: 1 })),
    );
    const codes = replies.map((reply) => reply.error_code);
    assert.ok(codes.includes(155) && codes.includes(5), codes.join());
    for (const reply of replies) {
      if (reply.error_code === 5) assert.match(reply.error_desc as string, /busy/);
      else assert.equal(at(reply, 'result', 'txs', 0, 'error_code'), 155);
    }
    const { count, longestMs } = await payments.stop();
    assert.ok(count >= 2, `${count} payments`);
    assert.ok(longestMs < 4_000, `one waited ${longestMs} ms`);
    const later = await node.post('callContract', { code: endless.code, opt_type: 2, input: 'fine' });
    assert.equal(at(later, 'result', 'query_rets', 0, 'result', 'value'), 'fine');
  });
});

describe('afterwards', () => {
  test('the node holds no more memory than before', async () => {
    const after = await node.memory();
    const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
    const grown = {
      heap: mebibytes(after.heapUsed - memoryBefore.heapUsed),
      external: mebibytes(after.external - memoryBefore.external),
    };
    assert.ok(grown.heap < 30 && grown.external < 30, JSON.stringify(grown));
  });

  test('it serves, closes in good order, and has nothing to complain of', async () => {
    assert.ok(node.isAlive);
    assert.equal((await node.execute({ source: crowd[0], operations: [bodies.log('t', 'd')] })).code, 0);
    const logged = await node.close();
    const complaints = logged.split('\n').filter((line) => /"level":(50|60)/.test(line));
    assert.deepEqual(complaints, []);
  });
});
