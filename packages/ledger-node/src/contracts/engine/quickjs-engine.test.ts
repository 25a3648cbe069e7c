import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import { ContractAbort, type ContractEntry } from '@symbolon/core/ledger/terms/engine';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { QuickJsEngine } from './quickjs-engine.ts';
import { TinyChain, tinyGasMax } from './testing/tiny-chain.ts';

const main = (body: string) => `function main(input) {\n  ${body}\n}`;
const newChain = () => new TinyChain(new QuickJsEngine());

describe('a run', () => {
  const chain = newChain();
  const outcomeOf = (code: string, input = '', entry: ContractEntry = 'main') =>
    chain.run({ code, input, entry }).outcome;
  const threw = (exception: string, line: number) => ({ kind: 'threw', exception, line });

  test('gives what the entry function gives', () => {
    const code =
      'function init(i) { return "init" + i; } function main(i) { return "main" + i; } function query() { return true; }';
    assert.deepEqual(outcomeOf(code, 'x', 'init'), { kind: 'returned', value: 'initx' });
    assert.deepEqual(outcomeOf(code, 'x'), { kind: 'returned', value: 'mainx' });
    assert.deepEqual(outcomeOf(code, 'x', 'query'), { kind: 'returned', value: true });
  });

  for (const [expression, value] of [
    ['"text"', 'text'],
    ['""', ''],
    ['false', false],
    ['-1.5', -1.5],
    ['null', null],
    ['undefined', undefined],
    ['({ a: 1 })', undefined],
    ['[1]', undefined],
    ['(() => 1)', undefined],
    ['Symbol("s")', undefined],
    ['5n', undefined],
    ['new String("text")', undefined],
  ] as const) {
    test(`an answer of ${expression}`, () => {
      assert.deepEqual(outcomeOf(main(`return ${expression};`)), { kind: 'returned', value });
    });
  }

  for (const [name, code] of [
    ['no function', 'const x = 1;'],
    ['another function', 'function init() { return 1; }'],
    ['a name that is no property of the global object', 'const main = () => 1;'],
    ['something that cannot be called', 'var main = {};'],
    ['empty code', ''],
  ] as const) {
    test(`${name}: the entry is missing`, () => assert.deepEqual(outcomeOf(code), { kind: 'missing' }));
  }

  test('the top level runs first, in every run, with the built-ins of the call', () => {
    chain.storage.set('top', 'one');
    const code = 'const top = Chain.load("top"); Chain.note(top); function main() { return top; }';
    assert.deepEqual(outcomeOf(code), { kind: 'returned', value: 'one' });
    chain.storage.set('top', 'two');
    assert.deepEqual(outcomeOf(code), { kind: 'returned', value: 'two' });
    assert.deepEqual(chain.notes.splice(0), [['one'], ['two']]);
  });

  test('values and functions stand where their names say', () => {
    const code = main(
      'return JSON.stringify([Chain.block, Chain.msg.asset.key.code, sender, blockNumber, Chain.load.name, typeof storageLoad]);',
    );
    assert.deepEqual(outcomeOf(code), {
      kind: 'returned',
      value: '[{"number":7,"timestamp":1700000000000000},"ABC","ZTX3sender",7,"load","function"]',
    });
  });

  test('values of another call are gone', () => {
    const code = main('return typeof Chain.msg.asset + typeof sender + typeof Chain.tx;');
    assert.deepEqual(chain.run({ code, values: { 'Chain.msg.nonce': 1 } }).outcome, {
      kind: 'returned',
      value: 'undefinedundefinedundefined',
    });
  });

  test('a query sees fewer functions', () => {
    const code = 'function query() { return typeof Chain.store + typeof Chain.load + typeof storageStore; }';
    assert.deepEqual(outcomeOf(code, '', 'query'), { kind: 'returned', value: 'undefinedfunctionundefined' });
  });

  test('exceptions carry their text and line', () => {
    assert.deepEqual(outcomeOf(main('throw "plain text";')), threw('plain text', 2));
    assert.deepEqual(outcomeOf(main('\n\nUtils.assert(false, "not so");')), threw('not so', 4));
    assert.deepEqual(outcomeOf(main('Chain.store(1, 2);')), threw('not a string', 2));
    assert.deepEqual(outcomeOf(main('throw 42;')), threw('42', 2));
    assert.deepEqual(outcomeOf(main('throw undefined;')), threw('undefined', 2));
    assert.deepEqual(outcomeOf(main('throw Symbol("s");')), threw('Symbol(s)', 2));
    assert.deepEqual(outcomeOf(main('throw { toString() { return "no"; } };')), threw('[object Object]', 2));
    assert.deepEqual(outcomeOf(main('throw [1];')), threw('[object Array]', 2));
    assert.deepEqual(outcomeOf(main('throw main;')), threw('[object Function]', 2));
    assert.deepEqual(outcomeOf('\nthrow "top";\nfunction main() {}'), threw('top', 2));
  });

  test('errors carry their stack, of the contract and nothing else', () => {
    assert.deepEqual(
      outcomeOf('function f(x) {\n  return x.y.z;\n}\nfunction main() {\n  return f({});\n}'),
      {
        kind: 'threw',
        exception: "TypeError: cannot read property 'z' of undefined",
        line: 2,
        stack: '    at f (contract:2:10)\n    at main (contract:5:10)',
      },
    );
    assert.deepEqual(outcomeOf(main('JSON.parse("{");')), {
      kind: 'threw',
      exception: "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
      line: 2,
      stack: '    at <input>:1:2\n    at parse (native)\n    at main (contract:2:8)',
    });
    assert.deepEqual(outcomeOf('function main() {\n  return 1 +;\n}'), {
      kind: 'threw',
      exception: "SyntaxError: unexpected token in expression: ';'",
      line: 2,
      stack: '    at contract:2:13',
    });
  });

  test('an exception is cut, and never in the middle of a character', () => {
    const outcome = outcomeOf(main('throw "x".repeat(255) + "\\u{1f600}" + "y".repeat(100000);'));
    assert.deepEqual(outcome, threw('x'.repeat(255), 2));
  });

  test('an exception that is hard to put into words', () => {
    const code = main(
      'const e = new Error(); let p = null; for (let i = 0; i < 20000; i += 1) { p = Object.create(p); } Object.setPrototypeOf(e, p); throw e;',
    );
    const { exception } = outcomeOf(code) as { exception?: string };
    assert.equal(exception, 'an exception that cannot be described');
  });

  test('names of functions do not make lines', () => {
    const code = main(
      'const f = { ["x (contract:99:1)"]() { throw new Error("e"); } }; f["x (contract:99:1)"]();',
    );
    assert.equal((outcomeOf(code) as { line?: number }).line, 2);
  });
});

describe('gas', () => {
  const chain = newChain();

  test('a built-in sees what is left and takes its share', () => {
    const code = main(
      'const a = Chain.left(); Chain.load("k"); const b = Chain.left(); return String(Number(a) - Number(b));',
    );
    const { outcome } = chain.run({ code });
    const spent = Number(outcome.kind === 'returned' && outcome.value);
    assert.ok(spent > 1_000 && spent < 1_500, String(spent));
  });

  test('a built-in that takes more than there is ends the run', () => {
    const code = main('Chain.load("k"); Chain.note("afterwards"); return "no";');
    const { gas: whole } = chain.run({ code });
    assert.deepEqual(chain.notes.splice(0), [['afterwards']]);
    const meter = { left: whole - 500n };
    assert.deepEqual(chain.engine.run(chain.callOf({ code }, meter)), { kind: 'exhausted', limit: 'gas' });
    assert.ok(meter.left < 0n);
    assert.deepEqual(chain.notes, []);
  });

  test('exactly what is needed is enough, one less is not', () => {
    for (const code of [
      main('return "x".repeat(100);'),
      'function main() { return 1 +; }',
      main('throw "x";'),
      'const x = 1;',
    ]) {
      const { outcome, gas } = chain.run({ code });
      for (const engine of [chain.engine, new QuickJsEngine()]) {
        const fresh = new TinyChain(engine);
        assert.deepEqual(fresh.run({ code, gas }), { outcome, gas });
        assert.deepEqual(fresh.run({ code, gas: gas - 1n }).outcome, { kind: 'exhausted', limit: 'gas' });
      }
    }
  });

  test('with none at all nothing runs', () => {
    for (const gas of [0n, 1n, -5n]) {
      const meter = { left: gas };
      const call = chain.callOf({ code: main('Chain.note(1);') }, meter);
      assert.deepEqual(chain.engine.run(call), { kind: 'exhausted', limit: 'gas' });
      assert.ok(meter.left < 0n);
    }
    assert.deepEqual(chain.notes, []);
  });

  test('longer code costs more to load', () => {
    const short = chain.run({ code: main('return 1;') }).gas;
    const long = chain.run({
      code: `${main('return 1;')}\n${'function f() { return 1; }\n'.repeat(500)}`,
    }).gas;
    assert.ok(long > short + 10_000n);
  });
});

describe('runs inside runs', () => {
  const deeper = (levels: number): string =>
    levels === 0
      ? main('Chain.note(Chain.left()); return "bottom";')
      : main(
          `const before = Chain.left(); const answer = Chain.nested(${JSON.stringify(deeper(levels - 1))}, "");\n  Chain.note(before, Chain.left()); return answer + "<";`,
        );

  test('use one meter and keep their worlds apart', () => {
    const chain = newChain();
    const { outcome, gas } = chain.run({ code: deeper(3) });
    assert.deepEqual(outcome, { kind: 'returned', value: 'bottom<<<' });
    const left = chain.notes.flat().map(Number);
    const order = [left[0], left[2], left[4], left[6]] as number[];
    assert.deepEqual(
      order,
      [...order].sort((a, b) => b - a),
    );
    assert.ok(tinyGasMax - gas < BigInt(order.at(-1) as number));
  });

  test('a failing inner run does not disturb the outer one', () => {
    const chain = newChain();
    for (const [inner, expected] of [
      ['throw "inner";', '{"kind":"threw","exception":"inner","line":2}'],
      ['(function f() { f(); }());', '{"kind":"exhausted","limit":"stack"}'],
      ['"x".repeat(200000000);', '{"kind":"exhausted","limit":"memory"}'],
    ] as const) {
      const code = main(
        `const own = [1, 2, 3]; return Chain.nested(${JSON.stringify(main(inner))}, "") + own.join();`,
      );
      assert.deepEqual(chain.run({ code }).outcome, { kind: 'returned', value: `${expected}1,2,3` });
    }
  });

  test('an inner run that uses up the gas ends the outer one too', () => {
    const code = main(`Chain.nested(${JSON.stringify(main('for (;;) {}'))}, ""); return "no";`);
    assert.deepEqual(newChain().run({ code, gas: 500_000n }).outcome, { kind: 'exhausted', limit: 'gas' });
  });

  test('nesting beyond the bound of the ledger is a bug', () => {
    const chain = newChain();
    assert.throws(() => chain.run({ code: deeper(contractLimits.callDepthMax) }), BrokenInvariant);
    assert.equal(chain.run({ code: deeper(contractLimits.callDepthMax - 1) }).outcome.kind, 'returned');
  });

  test('have one stack, which the outer ones leave to the inner ones', () => {
    const { stackBytesMax } = contractLimits;
    const down = (depth: number, leaf: string) =>
      `function step(n) { return n === 0 ? ${leaf} : step(n - 1); } function main() { return step(${depth}); }`;
    const nested = (code: string) => `Chain.nested(${JSON.stringify(code)}, "")`;
    const inner = (depth: number) => down(depth, '"end"');
    const with2 = () => new TinyChain(new QuickJsEngine({ nestedStackBytesMax: 2 * stackBytesMax }));
    const deepest = deepestOf(
      (depth) => with2().run({ code: down(depth, nested('let x;')) }).outcome.kind === 'returned',
    );
    const outcomeOf = (outer: number, middle: number, depth: number) =>
      with2().run({ code: down(outer, nested(down(middle, nested(inner(depth))))) }).outcome;
    const stack = '{"kind":"exhausted","limit":"stack"}';
    assert.deepEqual(outcomeOf(1, 30, deepest - 4), { kind: 'returned', value: 'end' });
    assert.deepEqual(outcomeOf(deepest - 4, 30, deepest - 4), { kind: 'returned', value: stack });
    assert.deepEqual(outcomeOf(deepest - 4, 30, deepest - 100), { kind: 'returned', value: 'end' });
    assert.deepEqual(outcomeOf(deepest - 4, deepest - 100, 1), { kind: 'returned', value: stack });
    // What did not fit there is not remembered of the code itself.
    const chain = with2();
    const code = down(deepest - 4, nested(down(deepest - 100, nested(inner(1)))));
    assert.deepEqual(chain.run({ code }).outcome, { kind: 'returned', value: stack });
    assert.deepEqual(chain.run({ code: inner(1) }).outcome, { kind: 'returned', value: 'end' });
  });

  test('all of them at their deepest fit the stack of the thread', () => {
    const chain = newChain();
    const outer = contractLimits.callDepthMax - 1;
    const shapes = [
      'return step(n - 1);',
      'return [1].map(() => step(n - 1))[0];',
      'return JSON.parse("1", () => step(n - 1));',
      'return { get x() { return step(n - 1); } }.x;',
      'let r; Chain.note({ toJSON() { r = step(n - 1); } }); return r;',
      'let r; Chain.note({ get x() { r = step(n - 1); } }); return r;',
    ];
    const innermost = [
      'function f() { return f(); } function main() { return f(); }',
      'let a = []; for (let i = 0; i < 5000; i += 1) { a = [a]; } function main() { return a.flat(Infinity); }',
      `const x = ${'!'.repeat(50_000)}1;`,
      `const x = ${'('.repeat(50_000)}1;`,
      `const x = ${'(function () { return '.repeat(5_000)}1;`,
    ];
    for (const shape of shapes) {
      const code = (depth: number, inner: string) =>
        `function step(n) { if (n === 0) { return Chain.nested(${JSON.stringify(inner)}, ""); } ${shape} } ` +
        `function main() { return step(${depth}); }`;
      const fits = (depth: number) => chain.run({ code: code(depth, 'let x;') }).outcome.kind === 'returned';
      const deepest = deepestOf(fits) - 4;
      for (const innermostCode of innermost) {
        let nested = innermostCode;
        for (let level = 0; level < outer; level += 1) nested = code(deepest, nested);
        const { outcome } = chain.run({ code: nested });
        assert.deepEqual(outcome, { kind: 'returned', value: '{"kind":"exhausted","limit":"stack"}' }, shape);
      }
    }
  });
});

/** The largest number for which `fits` still holds. */
function deepestOf(fits: (depth: number) => boolean): number {
  let [low, high] = [1, 2_000];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

describe('nested code', () => {
  const levels = 100;
  for (const [before, after] of [
    ['(', ')'],
    ['[', ']'],
    ['{ a: ', '}'],
    ['f(', ')'],
    ['f[', ']'],
    ['1 + (', ')'],
    ['!', ''],
    ['1 ? 1 : ', ''],
    ['() => ', ''],
    ['`${', '}`'],
  ] as const) {
    test(`a hundred levels of ${before}${after} are compiled`, () => {
      const code = `const f = 1; const x = () => [${before.repeat(levels)}1${after.repeat(levels)}];`;
      assert.deepEqual(newChain().run({ code }).outcome, { kind: 'missing' });
    });
  }
});

describe('what a built-in may do beside answering', () => {
  test('an abort passes through to the caller, and the engine stays usable', () => {
    const chain = newChain();
    const code = main(
      'try { Chain.abort("over"); } catch { Chain.note("caught"); } finally { Chain.note("finally"); }',
    );
    assert.throws(() => chain.run({ code }), new ContractAbort('over'));
    assert.deepEqual(chain.notes, []);
    assert.deepEqual(chain.run({ code: main('return "fine";') }).outcome, {
      kind: 'returned',
      value: 'fine',
    });
  });

  test('so does a bug of the host, through every level', () => {
    const chain = newChain();
    const inner = main('Chain.crash();');
    assert.throws(
      () => chain.run({ code: main(`return Chain.nested(${JSON.stringify(inner)}, "");`) }),
      SyntaxError,
    );
    assert.deepEqual(chain.run({ code: main('return "fine";') }).outcome, {
      kind: 'returned',
      value: 'fine',
    });
  });
});
