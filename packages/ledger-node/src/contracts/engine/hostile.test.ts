import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContractOutcome } from '@symbolon/core/ledger/terms/engine';
import { QuickJsEngine } from './quickjs-engine.ts';
import { TinyChain } from './testing/tiny-chain.ts';

const exhausted = (limit: 'gas' | 'memory' | 'stack'): ContractOutcome => ({ kind: 'exhausted', limit });
const returned = (value: string | boolean | number | undefined): ContractOutcome => ({
  kind: 'returned',
  value,
});

/** Enough for every limit to be met, little enough for the test to be quick. */
const gas = 4_000_000n;

/** The body of `main`, and what becomes of it. */
const bodies: Record<string, readonly [body: string, outcome: ContractOutcome]> = {
  'an endless loop': ['while (true) {}', exhausted('gas')],
  'an endless loop with work': ['for (let i = 0; ; i += 1) { input += i % 2 ? "" : ""; }', exhausted('gas')],
  'endless loops with labels': ['outer: for (;;) { for (;;) { continue outer; } }', exhausted('gas')],
  'an endless do loop in finally': ['try { return "no"; } finally { for (;;) {} }', exhausted('gas')],
  'endless iteration': [
    'const endless = { [Symbol.iterator]() { return { next: () => ({ done: false }) }; } }; for (const x of endless) {}',
    exhausted('gas'),
  ],
  'an endless spread': [
    'const endless = { *[Symbol.iterator]() { for (;;) { yield "x".repeat(1000); } } }; return [...endless].length;',
    exhausted('gas'),
  ],
  'an endless generator': [
    'function* g() { for (;;) { yield 1; } } for (const x of g()) {}',
    exhausted('gas'),
  ],
  'a function that calls itself': ['(function f() { return f() + 1; }());', exhausted('stack')],
  'functions that call each other': [
    'const a = () => b() + 1; const b = () => a() + 1; a();',
    exhausted('stack'),
  ],
  'arguments.callee': ['(function () { return arguments.callee() + 1; }());', exhausted('stack')],
  'recursion through toString': [
    'const o = { toString() { return "" + o; } }; return "" + o;',
    exhausted('stack'),
  ],
  'recursion through Symbol.toPrimitive': [
    'const o = { [Symbol.toPrimitive]() { return o + 1; } }; return o + 1;',
    exhausted('stack'),
  ],
  'recursion through a getter': ['const o = { get x() { return o.x; } }; return o.x;', exhausted('stack')],
  'recursion through map': ['(function f() { return [1].map(f); }());', exhausted('stack')],
  'recursion through sort': ['(function f() { [2, 1].sort(f); return 0; }());', exhausted('stack')],
  'recursion through replace': ['(function f() { return "a".replace(/a/g, f); }());', exhausted('stack')],
  'recursion through toJSON': [
    'const o = { toJSON() { return JSON.stringify(o); } }; JSON.stringify(o);',
    exhausted('stack'),
  ],
  'recursion through a reviver': ['(function f() { return JSON.parse("[1]", f); }());', exhausted('stack')],
  'recursion through new': ['function F() { return new F(); } new F();', exhausted('stack')],
  'recursion through yield*': ['function* g() { yield* g(); } return [...g()].length;', exhausted('stack')],
  'recursion through bound functions': [
    'let f = () => 1; for (let i = 0; i < 2000; i += 1) { f = f.bind(null); } return f();',
    exhausted('stack'),
  ],
  'recursion through the arguments of a built-in': [
    'const o = { toJSON() { return Chain.load(o); } }; return Chain.load(o);',
    exhausted('stack'),
  ],
  'recursion through accessors of an argument': [
    'const o = { get key() { return Chain.load(o); } }; return Chain.load(o);',
    exhausted('stack'),
  ],
  'recursion that catches': [
    'let n = 0; (function f() { try { n += 1; f(); } catch { f(); } }()); return n;',
    exhausted('stack'),
  ],
  'a frame of a thousand locals': [
    `(function f() { ${Array.from({ length: 1000 }, (_, i) => `let v${i} = ${i};`).join('')} return f(); }());`,
    exhausted('stack'),
  ],
  'deep JSON': ['return JSON.parse("[".repeat(10000));', exhausted('stack')],
  'deep JSON objects': ['return JSON.parse("{\\"a\\":".repeat(10000));', exhausted('stack')],
  'a deep array as text': [
    'let a = []; for (let i = 0; i < 5000; i += 1) { a = [a]; } return JSON.stringify(a);',
    exhausted('stack'),
  ],
  'a deep array flattened': [
    'let a = []; for (let i = 0; i < 5000; i += 1) { a = [a]; } return a.flat(Infinity).length;',
    exhausted('stack'),
  ],
  'a deep array joined': [
    'let a = []; for (let i = 0; i < 5000; i += 1) { a = [a]; } return a.join();',
    exhausted('stack'),
  ],
  'a deep regular expression': [
    'return new RegExp("(?:".repeat(5000) + ")".repeat(5000)).test("a");',
    exhausted('stack'),
  ],
  'a deep array dropped': [
    'let a = []; for (let i = 0; i < 20000; i += 1) { a = [a]; } a = 1; return a;',
    returned(1),
  ],
  'one huge string': ['return "x".repeat(200000000).length;', exhausted('memory')],
  'a huge padded string': ['return "x".padEnd(100000000, "ab").length;', exhausted('memory')],
  'a string that doubles': ['let s = "x"; for (;;) { s += s; s.charCodeAt(0); }', exhausted('memory')],
  'memory that is caught': ['for (;;) { try { "x".repeat(200000000); } catch {} }', exhausted('memory')],
  'strings kept in an array': [
    'const s = "x".repeat(500000); const a = []; for (;;) { const t = s + a.length; t.charCodeAt(0); a.push(t); }',
    exhausted('memory'),
  ],
  'an array that doubles': ['let a = [1, 2, 3, 4]; for (;;) { a = a.concat(a); }', exhausted('gas')],
  'a huge sparse array filled': [
    'const a = []; a.length = 4294967295; return a.fill(1).length;',
    exhausted('gas'),
  ],
  'a huge sparse array joined': [
    'const a = []; a.length = 4294967295; return a.join().length;',
    exhausted('gas'),
  ],
  'a huge sparse array sorted': [
    'const a = []; a.length = 4294967295; return a.sort().length;',
    exhausted('gas'),
  ],
  'an object with a length': [
    'return [].map.call({ length: 9e15 }, (x) => x);',
    {
      kind: 'threw',
      exception: 'RangeError: invalid array length',
      line: 2,
      stack: '    at map (native)\n    at call (native)\n    at main (contract:2:17)',
    },
  ],
  'an object with a length searched': ['return [].indexOf.call({ length: 9e15 }, 1);', exhausted('gas')],
  'a text taken apart': ['return "x".repeat(2000000).split("").length;', exhausted('gas')],
  'many large keys': [
    'const o = {}; for (let i = 0; ; i += 1) { o["k".repeat(5000) + i] = i; }',
    exhausted('gas'),
  ],
  'a growing map': ['const m = new Map(); for (let i = 0; ; i += 1) { m.set({}, {}); }', exhausted('gas')],
  'a regular expression that blows up': ['return /^(a+)+$/.test("a".repeat(40) + "b");', exhausted('gas')],
  'a regular expression with references': ['return /(x+x+)+\\1y/.test("x".repeat(60));', exhausted('gas')],
  'a wide JSON text': ['return JSON.parse("[" + "1,".repeat(1000000) + "1]").length;', exhausted('gas')],
  'a large power': ['return (3n ** 3000000n) > 1n;', exhausted('gas')],
  'a large integer as text': ['return String(7n ** 60000n).length;', exhausted('gas')],
  'a far too large integer': [
    'return (2n << 100000000n) > 1n;',
    {
      kind: 'threw',
      exception: 'RangeError: BigInt is too large to allocate',
      line: 2,
      stack: '    at main (contract:2:17)',
    },
  ],
  'copying again and again': [
    'const a = "x".repeat(1000000); let n = 0; for (;;) { n += ("y" + a + n).slice(1).length; }',
    exhausted('gas'),
  ],
  'a rope flattened again and again': [
    'let s = ""; for (let i = 0; ; i += 1) { s += "0123456789"; if (s.charCodeAt(i) === 1) { return 1; } }',
    exhausted('gas'),
  ],
  'a long chain of prototypes': [
    'let o = {}; for (let i = 0; i < 10000; i += 1) { o = Object.create(o); } let n = 0; for (;;) { n += o.x === undefined; }',
    exhausted('gas'),
  ],
  'a comparison that never agrees': ['return [3, 1, 2, 5, 4].sort(() => 1).length;', returned(5)],
  'a sort that shrinks its array': [
    'const a = [3, 1, 2]; a.sort(() => { a.length = 0; return 1; }); return a.length;',
    returned(3),
  ],
  'far too many arguments': [
    'return Object.keys(...Array(70000)).length;',
    {
      kind: 'threw',
      exception: 'RangeError: too many arguments in function call (only 65535 allowed)',
      line: 2,
      stack: '    at main (contract:2:25)',
    },
  ],
  'many arguments for a built-in': ['return Chain.load(...Array(10000)) === false;', returned(true)],
};

/** Whole contracts. */
const codes: Record<string, readonly [code: string, outcome: ContractOutcome]> = {
  'an endless top level': ['for (;;) {}\nfunction main() {}', exhausted('gas')],
  'a top level that recurses': ['(function f() { f(); }());\nfunction main() {}', exhausted('stack')],
  'an endless accessor for main': [
    'Object.defineProperty(this, "main", { get() { for (;;) {} } });',
    exhausted('gas'),
  ],
  'code that is nested too deeply': [`const x = ${'['.repeat(5000)}${']'.repeat(5000)};`, exhausted('stack')],
  'code that is slow to compile': [
    Array.from({ length: 20_000 }, (_, i) => `let v${i} = ${i % 9};`).join(''),
    exhausted('gas'),
  ],
};

describe('hostile contracts end with the right outcome and leave nothing behind', () => {
  const chain = new TinyChain(new QuickJsEngine());
  const harmless = {
    code: 'function main(input) { Chain.store("k", input); return Chain.load("k") + [3, 1, 2].sort().join(); }',
    input: 'v',
  };
  const expected = chain.run(harmless);

  const check = (code: string, outcome: ContractOutcome) => {
    const first = chain.run({ code, gas });
    assert.deepEqual(first.outcome, outcome);
    assert.deepEqual(chain.run({ code, gas }), first);
    assert.deepEqual(chain.run(harmless), expected);
  };

  for (const [name, [body, outcome]] of Object.entries(bodies)) {
    test(name, () => check(`function main(input) {\n  ${body}\n}`, outcome));
  }
  for (const [name, [code, outcome]] of Object.entries(codes)) test(name, () => check(code, outcome));
});
