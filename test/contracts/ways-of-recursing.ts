/**
 * Every way in which a contract can go deep: through functions, callbacks, conversions, accessors and the
 * interpreter's own recursive functions. Each is a body of `main` that goes `depth` levels down, calls `leaf()` at the
 * bottom and comes back. Bodies pass the syntax check, so that a chain takes them.
 */

/** In `top` and `body` there is `leaf`, in `body` also the number `depth`; `before` is for the leaf. */
export type Way = Readonly<{ before?: string; top?: string; body: string }>;

const down = (call: string): Way => ({
  top: `function down(n) { return n < 1 ? leaf() : ${call}; }`,
  body: 'down(depth);',
});

/** An innermost thing, wrapped `depth` times, then handed to what recurses by itself. */
const wrapped = (innermost: string, wrap: string, use: string): Way => ({
  body: `let deep = ${innermost}; let i = 0; while (i < depth) { deep = ${wrap}; i += 1; } ${use}`,
});

const getter = (object: string, name: string) =>
  `Object.defineProperty(${object}, "${name}", { enumerable: true, configurable: true, get: function () { leaf(); return "x"; } })`;

/** An expression inside of a contract's template. */
const placeholder = (expression: string): string => `\${${expression}}`;

export const waysOfRecursing: Readonly<Record<string, Way>> = {
  'a function': down('down(n - 1)'),
  'a function with many variables': {
    top: `function down(n, a, b, c, d, e, f) { let g = [a, b]; let h = { c, d }; const k = e; return n < 1 ? leaf() : down(n - 1, g, h, k, f, a, b); }`,
    body: 'down(depth, 1, 2, 3, 4, 5, 6);',
  },
  'two functions': {
    top: 'const both = {}; both.even = function (n) { return n < 1 ? leaf() : both.odd(n - 1); }; both.odd = function (n) { return n < 1 ? leaf() : both.even(n - 1); };',
    body: 'both.even(depth);',
  },
  'call and apply': down('down.call(undefined, n - 1)'),
  apply: down('down.apply(undefined, [n - 1])'),
  'a bound function': down('down.bind(undefined, n - 1)()'),
  'a constructor': {
    top: 'function Down(n) { this.n = n < 1 ? leaf() : new Down(n - 1); }',
    body: 'const made = new Down(depth); deepest(made);',
  },
  'a callback of map': down('[n - 1].map(down)'),
  'a callback of forEach': down('[n - 1].forEach(down)'),
  'a callback of reduce': down('[n - 1, 0].reduce(down)'),
  'a callback of sort': {
    top: 'function down(n) { return n < 1 ? leaf() : [2, 1].sort(function () { down(n - 1); return 1; }); }',
    body: 'down(depth);',
  },
  'a callback of find': down('[n - 1].find(down)'),
  'a callback of flatMap': down('[n - 1].flatMap(down)'),
  'a callback of replace': {
    top: 'function down(n) { return n < 1 ? leaf() : "a".replace("a", function () { return down(n - 1); }); }',
    body: 'down(depth);',
  },
  'a callback of a regular expression': {
    top: 'function down(n) { return n < 1 ? leaf() : "a".replace(/a/, function () { return down(n - 1); }); }',
    body: 'down(depth);',
  },
  'a callback of replaceAll': {
    top: 'function down(n) { return n < 1 ? leaf() : "a".replaceAll(/a/g, function () { return down(n - 1); }); }',
    body: 'down(depth);',
  },
  'a callback of a map': {
    top: 'function down(n) { return n < 1 ? leaf() : new Map([[1, 1]]).forEach(function () { down(n - 1); }); }',
    body: 'down(depth);',
  },
  'a callback of a set': {
    top: 'function down(n) { return n < 1 ? leaf() : new Set([1]).forEach(function () { down(n - 1); }); }',
    body: 'down(depth);',
  },
  'spread arguments': down('down(...[n - 1])'),
  'a default parameter': {
    top: 'function down(n, m = n < 1 ? leaf() : down(n - 1)) { return m; }',
    body: 'down(depth);',
  },
  'a template': down(`\`${placeholder('down(n - 1)')}\``),
  'a tagged template': {
    top: `function down(texts, n) { return n < 1 ? leaf() : down\`${placeholder('n - 1')}\`; }`,
    body: 'down([], depth);',
  },
  'a generator': {
    top: 'function* down(n) { if (n < 1) { yield leaf(); } else { yield* down(n - 1); } }',
    body: 'down(depth).next();',
  },
  'generators one in the other': {
    top: 'function* down(n) { yield n < 1 ? leaf() : [...down(n - 1)]; }',
    body: 'down(depth).next();',
  },
  'an iterator': {
    top: 'function down(n) { const list = {}; list[Symbol.iterator] = function* () { yield n < 1 ? leaf() : down(n - 1); }; return [...list]; }',
    body: 'down(depth);',
  },
  destructuring: {
    top: 'function down(n) { const list = {}; list[Symbol.iterator] = function* () { yield n < 1 ? leaf() : down(n - 1); }; const [first] = list; return first; }',
    body: 'down(depth);',
  },
  'an accessor': {
    top: 'function down(n) { const o = {}; Object.defineProperty(o, "x", { get: function () { return n < 1 ? leaf() : down(n - 1); } }); return o.x; }',
    body: 'down(depth);',
  },
  'an accessor that is set': {
    top: 'function down(n) { const o = {}; Object.defineProperty(o, "x", { set: function (m) { if (m < 1) { leaf(); } else { down(m); } } }); o.x = n - 1; }',
    body: 'down(depth);',
  },
  toString: {
    top: 'function down(n) { return "" + { toString: function () { return n < 1 ? leaf() + "" : down(n - 1); } }; }',
    body: 'down(depth);',
  },
  valueOf: {
    top: 'function down(n) { return 1 * { valueOf: function () { leaf.n = n; return n < 1 ? leaf() : down(n - 1); } }; }',
    body: 'down(depth);',
  },
  toPrimitive: {
    top: `function down(n) { const o = {}; o[Symbol.toPrimitive] = function () { return n < 1 ? leaf() + "" : down(n - 1); }; return \`${placeholder('o')}\`; }`,
    body: 'down(depth);',
  },
  instanceof: {
    top: 'function down(n) { const o = {}; Object.defineProperty(o, Symbol.hasInstance, { value: function () { return n < 1 ? leaf() : down(n - 1); } }); return 1 instanceof o; }',
    body: 'down(depth);',
  },
  'Object.assign': {
    top: 'function down(n) { const o = {}; Object.defineProperty(o, "x", { enumerable: true, get: function () { return n < 1 ? leaf() : down(n - 1); } }); return Object.assign({}, o); }',
    body: 'down(depth);',
  },
  'a spread object': {
    top: 'function down(n) { const o = {}; Object.defineProperty(o, "x", { enumerable: true, get: function () { return n < 1 ? leaf() : down(n - 1); } }); return { ...o }; }',
    body: 'down(depth);',
  },
  'Object.entries': {
    top: 'function down(n) { const o = {}; Object.defineProperty(o, "x", { enumerable: true, get: function () { return n < 1 ? leaf() : down(n - 1); } }); return Object.entries(o); }',
    body: 'down(depth);',
  },
  'Object.fromEntries': {
    top: 'function down(n) { const list = {}; list[Symbol.iterator] = function* () { yield ["x", n < 1 ? leaf() : down(n - 1)]; }; return Object.fromEntries(list); }',
    body: 'down(depth);',
  },
  'a new map of an iterator': {
    top: 'function down(n) { const list = {}; list[Symbol.iterator] = function* () { yield ["x", n < 1 ? leaf() : down(n - 1)]; }; return new Map(list); }',
    body: 'down(depth);',
  },
  toJSON: {
    top: 'function down(n) { return JSON.stringify({ toJSON: function () { deepest(n < 1 ? leaf() : down(n - 1)); return 1; } }); }',
    body: 'down(depth);',
  },
  'a replacer of JSON': {
    top: 'function down(n) { return JSON.stringify(1, function () { deepest(n < 1 ? leaf() : down(n - 1)); return 1; }); }',
    body: 'down(depth);',
  },
  'a reviver of JSON': {
    top: 'function down(n) { return JSON.parse("1", function () { return n < 1 ? leaf() : down(n - 1); }); }',
    body: 'down(depth);',
  },
  'a last index': {
    top: 'function down(n) { const r = /a/g; r.lastIndex = { valueOf: function () { leaf.n = n; return n < 1 ? leaf() : down(n - 1); } }; return r.exec("a"); }',
    body: 'down(depth);',
  },
  'nested arrays as JSON': wrapped(getter('{}', 'x'), '[deep]', 'JSON.stringify(deep);'),
  'nested objects as JSON': wrapped(getter('{}', 'x'), '{ a: deep }', 'JSON.stringify(deep);'),
  'nested arrays as JSON with indents': wrapped(
    getter('{}', 'x'),
    '[deep]',
    'JSON.stringify(deep, null, 1);',
  ),
  'nested arrays as text': wrapped(getter('[1]', '0'), '[deep]', 'String(deep);'),
  'nested arrays joined': wrapped(getter('[1]', '0'), '[deep]', 'deep.join();'),
  'nested arrays flattened': wrapped(getter('[1]', '0'), '[deep]', 'deep.flat(Infinity);'),
  'nested JSON revived': {
    body: 'JSON.parse("[".repeat(depth) + "1" + "]".repeat(depth), function (name, value) { if (value === 1) { leaf(); } return value; });',
  },
  'nested arrays handed to the ledger': wrapped(getter('{}', 'x'), '[deep]', 'Utils.stoI64Check(deep);'),
  'arguments of the ledger': {
    top: 'function down(n) { return Utils.stoI64Check({ toJSON: function () { return n < 1 ? leaf() : down(n - 1); } }); }',
    body: 'down(depth);',
  },
  'a chain of bound functions': {
    body: 'let deep = leaf; let i = 0; while (i < depth) { deep = deep.bind(undefined); i += 1; } deep();',
  },
  'a comparison of texts': {
    top: 'function down(n) { return { toString: function () { return n < 1 ? leaf() + "" : String(down(n - 1)); } } < "x"; }',
    body: 'down(depth);',
  },
};

/**
 * A contract that goes down in one way and then does what `leaf` says. Its input is the depth and, after a space, a word
 * that the leaf finds in `word`.
 */
export const contractGoingDown = ({ before = '', top = '', body }: Way, leaf: string): string =>
  `"use strict";
let word = "";
${before}
function leaf() { return ${leaf}; }
function deepest(made) { return made; }
${top}
function down0(input) {
  const parts = input.split(" ");
  const depth = Number(parts[0]);
  word = parts[1];
  ${body}
  return deepest("back");
}
function init(input) { return true; }
function main(input) { return down0(input); }
function query(input) { return down0(input); }
`;
