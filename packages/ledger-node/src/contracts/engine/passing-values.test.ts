import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContractValue } from '@symbolon/core/ledger/terms/engine';
import fc from 'fast-check';
import { QuickJsEngine } from './quickjs-engine.ts';
import { TinyChain } from './testing/tiny-chain.ts';

const main = (body: string) => `function main(input) {\n  ${body}\n}`;

describe('what passes between a contract and its built-ins', () => {
  const chain = new TinyChain(new QuickJsEngine());
  const note = (expression: string) => {
    const { outcome } = chain.run({ code: main(`Chain.note(${expression});`) });
    return outcome.kind === 'returned' ? chain.notes.splice(0) : outcome;
  };

  test('plain values arrive as they are', () => {
    assert.deepEqual(note('1, -0, 0.5, NaN, "text", true, null, undefined'), [
      [1, -0, 0.5, Number.NaN, 'text', true, null, undefined],
    ]);
    assert.deepEqual(note('{ issuer: "i", code: "c" }, [1, [2]], {}'), [
      [{ issuer: 'i', code: 'c' }, [1, [2]], {}],
    ]);
    assert.deepEqual(note(''), [[]]);
  });

  test('what has no counterpart arrives as nothing', () => {
    assert.deepEqual(note('Symbol("s"), 5n, () => 1, { f: () => 1, s: Symbol("s") }, [NaN, undefined]'), [
      [undefined, undefined, undefined, {}, [null, null]],
    ]);
  });

  test('an object is what its JSON is', () => {
    assert.deepEqual(
      note('{ toJSON: () => "own" }, new String("s"), Object.create({ a: 1 }), new Map([[1, 2]])'),
      [['own', 's', {}, {}]],
    );
    assert.deepEqual(note('JSON.parse("{\\"__proto__\\": 1}")'), [[JSON.parse('{"__proto__": 1}')]]);
    assert.deepEqual(note('{ get x() { return "got"; } }'), [[{ x: 'got' }]]);
  });

  test('an object without JSON throws in the contract', () => {
    const cycle = chain.run({ code: main('const o = {}; o.o = o; Chain.note(o);') }).outcome;
    assert.match(JSON.stringify(cycle), /TypeError: circular reference/);
    const big = chain.run({ code: main('Chain.note({ x: 1n });') }).outcome;
    assert.match(JSON.stringify(big), /TypeError: .*BigInt/i);
    const own = chain.run({ code: main('Chain.note({ toJSON() { throw "mine"; } });') }).outcome;
    assert.deepEqual(own, { kind: 'threw', exception: 'mine', line: 2 });
    assert.deepEqual(chain.notes, []);
  });

  test('every text passes both ways unchanged, halves of characters too', () => {
    const text = fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    });
    fc.assert(
      fc.property(text, (input) => {
        chain.answer = input;
        const code = main('Chain.note(input, [input], Chain.answer() === input); return input;');
        const { outcome } = chain.run({ code, input });
        assert.deepEqual(outcome, { kind: 'returned', value: input });
        assert.deepEqual(chain.notes.splice(0), [[input, [input], true]]);
      }),
      { numRuns: 200 },
    );
  });

  test('so does a text that is a part of another, or is not put together yet', () => {
    const wide = 'ä\u0394😀';
    for (const letters of ['abcdef', wide]) {
      const long = letters.repeat(5_000);
      const parts = chain.run({
        code: main('Chain.note(input.slice(7, 9000), input + input, input.slice(1) + "!", input[3]);'),
        input: long,
      });
      assert.equal(parts.outcome.kind, 'returned');
      assert.deepEqual(chain.notes.splice(0), [
        [long.slice(7, 9000), long + long, `${long.slice(1)}!`, long[3]],
      ]);
    }
    const named = main(
      'const o = { name: 1 }; Chain.note(Object.keys(o)[0], String(Symbol("name")), typeof o);',
    );
    assert.equal(chain.run({ code: named }).outcome.kind, 'returned');
    assert.deepEqual(chain.notes.splice(0), [['name', 'Symbol(name)', 'object']]);
  });

  test('every number passes both ways unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer()), (number) => {
        chain.answer = number;
        chain.run({ code: main('Chain.note(Chain.answer(), -Chain.answer());') });
        assert.deepEqual(chain.notes.splice(0), [[number, -number]]);
      }),
      { numRuns: 200 },
    );
  });

  test('every value of a call is what it was, the same for the code and for the gas', () => {
    const names = [
      'Chain.msg.sender',
      'Chain.block.number',
      'Chain.tx.more.hash',
      'sender',
      'thisPayAsset.key.code',
    ];
    const code = main(
      `Chain.note(${names.join()}, Object.isFrozen(Chain.tx.more), Object.isFrozen(thisPayAsset.key));`,
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ minLength: 60, maxLength: 70 }),
      fc.double(),
      fc.integer(),
    );
    const gas = new Set<bigint>();
    fc.assert(
      fc.property(fc.tuple(value, value, value, value, value), (given) => {
        const values = Object.fromEntries(
          names.map((name, index) => [name, given[index] as string | number]),
        );
        const ended = chain.run({ code, values });
        assert.equal(ended.outcome.kind, 'returned');
        assert.deepEqual(chain.notes.splice(0), [[...given, true, true]]);
        const isShort = (it: string | number) => typeof it === 'number' || /^[ -~]{0,64}$/.test(it);
        if (given.every(isShort)) gas.add(ended.gas);
      }),
      { numRuns: 200 },
    );
    assert.ok(gas.size <= 1, 'what fits its slot costs the same whatever it is');
  });

  test('a contract that changes a value of its call changes it for nobody else', () => {
    const code = main(
      'const was = sender; sender = 1; blockNumber = undefined; return was + typeof blockNumber;',
    );
    for (let turn = 0; turn < 2; turn += 1)
      assert.deepEqual(chain.run({ code }).outcome, { kind: 'returned', value: 'ZTX3senderundefined' });
  });

  test('every answer of a built-in arrives', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (answer) => {
        chain.answer = answer as ContractValue;
        const { outcome } = chain.run({ code: main('return JSON.stringify([Chain.answer()]);') });
        assert.equal(outcome.kind, 'returned');
        if (outcome.kind === 'returned')
          assert.deepEqual(JSON.parse(String(outcome.value)), [JSON.parse(JSON.stringify(answer))]);
      }),
      { numRuns: 200 },
    );
  });
});
