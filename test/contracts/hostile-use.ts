/** Contracts that misuse the ledger: strange arguments, strange results, floods of everything, code of strange shape. */
import { expired, failed, type Hostile, runs, step, whole } from './hostile-case.ts';

const arguments_: Hostile[] = [
  runs('half a surrogate pair as key', failed, 'Chain.store("\\ud800", "v"); return true;', {
    exception: /argument 0/,
  }),
  runs('half a surrogate pair as value', failed, 'Chain.store("k", "\\udfff"); return true;', {
    exception: /argument 1/,
  }),
  runs(
    'half a surrogate pair read',
    0,
    'Utils.assert(Chain.load("\\ud800") === false && Chain.getBalance("\\udc00") === false); return true;',
  ),
  runs('half a surrogate pair logged', failed, 'Chain.tlog("t", "\\ud800"); return true;', {
    exception: /argument 1/,
  }),
  runs(
    'half a surrogate pair as remark',
    failed,
    'Chain.payCoin(Chain.msg.sender, "0", "", "\\ud800"); return true;',
    { exception: /argument 3/ },
  ),
  runs('half a surrogate pair as code', failed, 'Chain.contractCreate("0", 0, "\\ud800", ""); return true;', {
    exception: /argument 2/,
  }),
  runs('NaN as amount', failed, 'Chain.payCoin(Chain.msg.sender, NaN); return true;', {
    exception: /argument 1/,
  }),
  runs(
    'Infinity as offset',
    0,
    'Utils.assert(Chain.getBlockHash(Infinity) === false && Chain.getBlockHash(-0) !== false && Chain.getBlockHash(NaN) === false); return true;',
  ),
  runs('strange numbers in a log', 0, 'Chain.tlog("t", NaN, Infinity, -0, 1e400, 5e-324); return true;'),
  runs('a number that prints strangely', failed, 'return Utils.int64Add(1e21, "1");', {
    exception: /argument 0/,
  }),
  runs(
    'an object with traps as key',
    failed,
    'const trap = { toString: function () { while (true) { input = ""; } } }; Chain.store(trap, "v"); return true;',
    { exception: /argument 0/ },
  ),
  runs(
    'an object with traps in its JSON',
    expired,
    'Chain.load({ toJSON: function () { while (true) { input = ""; } } }); return true;',
    step,
  ),
  runs(
    'an asset with traps',
    failed,
    'Chain.contractCall(Chain.msg.sender, { toJSON: function () { throw "trap"; } }, "1", ""); return true;',
    { exception: /trap/ },
  ),
  runs('an argument in a circle', failed, 'const o = {}; o.o = o; Chain.load(o); return true;', {
    exception: /circular/,
  }),
  runs('a symbol as key', failed, 'Chain.store(Symbol("k"), "v"); return true;', { exception: /argument 0/ }),
  runs('a function as value', failed, 'Chain.store("k", main); return true;', { exception: /argument 1/ }),
  runs('a giant key', 2, 'Chain.store("k".repeat(100000), "v"); return true;'),
  runs('a giant value', 2, 'Chain.store("k", "v".repeat(300000)); return true;'),
  runs('a giant key to read', 0, 'Utils.assert(Chain.load("k".repeat(100000)) === false); return true;'),
  runs('a giant address', 0, 'Utils.assert(Chain.getBalance("Z".repeat(100000)) === "0"); return true;'),
  runs('a giant call', 146, 'Chain.payCoin(Chain.msg.sender, "0", "x".repeat(1200000)); return true;'),
  runs('a giant hash', 0, 'Utils.assert(Utils.sha256("x".repeat(1048577), 1) === false); return true;'),
  runs('a giant number', failed, 'return Utils.int256Mul("9".repeat(100000), "9");', {
    exception: /argument 0/,
  }),
  runs('a giant power', failed, 'return Utils.int256Pow("2", "10000");', { exception: /./ }),
];

const throwing: Hostile[] = [
  runs('throwing undefined', failed, 'throw undefined;', { exception: /^undefined$/ }),
  runs('throwing a symbol', failed, 'throw Symbol("s");', { exception: /^Symbol\(s\)$/ }),
  runs(
    'throwing an object with traps',
    failed,
    'const evil = function () { while (true) { input = ""; } }; throw { toString: evil, valueOf: evil, toJSON: evil };',
    { exception: /^\[object Object\]$/ },
  ),
  runs(
    'throwing an error with a trap',
    failed,
    'const e = new Error("x"); Object.defineProperty(e, "message", { get: function () { while (true) { input = ""; } } }); throw e;',
    { exception: /^Error/ },
  ),
  runs(
    'throwing a forged stack',
    failed,
    'const e = new Error("x"); e.stack = "\\u0000".repeat(100000); throw e;',
    { exception: /^Error: x$/ },
  ),
  runs('throwing a huge text', failed, 'throw "x".repeat(1000000);', { exception: /^x{256}$/ }),
  runs('throwing half a surrogate pair', failed, 'throw "\\udc00\\ud800!";', { exception: /!$/ }),
  runs('throwing control characters', failed, 'throw "\\u0000\\n\\"}],";', { exception: /\}\],$/ }),
  runs('returning a symbol', 0, 'return Symbol("s");'),
  runs('returning a function', 0, 'return main;'),
  runs(
    'returning an object with traps',
    0,
    'const evil = function () { while (true) { input = ""; } }; return { toString: evil, valueOf: evil, toJSON: evil };',
  ),
  runs('returning half a surrogate pair', 0, 'return "\\ud800";'),
  runs('returning a large text', 0, 'return "x".repeat(500000);'),
];

const flooding: Hostile[] = [
  runs('513 writes', 154, 'let i = 0; while (i < 513) { i += 1; Chain.store("k" + i, "v"); } return true;'),
  runs('513 logs', 154, 'let i = 0; while (i < 513) { i += 1; Chain.tlog("t", "d"); } return true;'),
  runs(
    '513 payments',
    154,
    'let i = 0; while (i < 513) { i += 1; Chain.payCoin(Chain.msg.sender, "0"); } return true;',
  ),
  runs(
    'large values without end',
    expired,
    'let i = 0; while (true) { i += 1; Chain.store("k" + i, "v".repeat(262144)); }',
    step,
  ),
  runs(
    'logs of the largest size',
    expired,
    'let i = 0; const d = "d".repeat(1024); while (i < 512) { i += 1; Chain.tlog("t", d, d, d, d, d); } return true;',
  ),
  runs('reading without end', expired, 'while (true) { Chain.load("k"); }', step),
  runs('hashing without end', expired, 'let h = "x"; while (true) { h = Utils.sha256(h, 1); }', step),
  runs(
    'verifying without end',
    expired,
    'while (true) { Utils.ecVerify("00".repeat(64), "b00103a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8f537f5475", "00"); }',
    step,
  ),
  runs('logging to the node without end', expired, 'while (true) { Utils.log("x".repeat(10000)); }', step),
  runs(
    'a circle of queries',
    0,
    'const r = Chain.contractQuery(Chain.thisAddress, input); return r.result === input;',
  ),
  runs('borrowing its own code without end', 153, 'return Chain.delegateCall(Chain.thisAddress, input);'),
  runs('paying itself', 101, 'return Chain.contractCall(Chain.thisAddress, true, "0", input);'),
  runs(
    'paying what it does not have',
    100,
    'Chain.payCoin(Chain.msg.sender, "9223372036854775807"); return true;',
  ),
  runs(
    'issuing beyond 64 bits',
    105,
    'Chain.issueAsset("X", "9223372036854775807"); Chain.issueAsset("X", "9223372036854775807"); return true;',
  ),
  runs(
    'creating an endless contract',
    expired,
    'Chain.contractCreate("0", 0, "\\"use strict\\"; function init(i) { while (true) { i = 1; } }", ""); return true;',
    step,
  ),
  runs('creating code with mistakes', 152, 'Chain.contractCreate("0", 0, "eval(1)", ""); return true;'),
  runs(
    'creating many contracts',
    expired,
    'let i = 0; const code = "\\"use strict\\"; function init(i) { return i; } // " + "x".repeat(100000); while (true) { i += 1; Chain.contractCreate("0", 0, code + i, ""); }',
    step,
  ),
  runs('creating copies of itself', 153, 'return Chain.contractCreate("0", 0, input, input);', {
    init: 'if (input !== "") { Chain.contractCreate("0", 0, input, input); } return true;',
    input: 'own code',
  }),
];

/** Texts of wide characters are cheap to make inside and dear outside. */
const wide = 'const wide = "\\u4e2d";';

const copying: Hostile[] = [
  runs(
    'thousands of large arguments',
    expired,
    `${wide} const k = wide.repeat(10000000); let i = 0; const a = []; while (i < 5000) { i += 1; a.push(k); } Chain.load(...a); return true;`,
    step,
  ),
  runs(
    'thousands of large arguments, unread',
    0,
    `${wide} const k = wide.repeat(10000); let i = 0; const a = []; while (i < 20000) { i += 1; a.push(k); } Chain.load(...a); return true;`,
  ),
  runs(
    'large texts read without end',
    expired,
    `${wide} const k = wide.repeat(200000); while (true) { Chain.load(k); }`,
    step,
  ),
  runs(
    'large texts logged without end',
    expired,
    `${wide} const k = wide.repeat(1000000); while (true) { Utils.log(k); }`,
    step,
  ),
  runs(
    'large texts checked without end',
    expired,
    `${wide} const k = wide.repeat(1000000); while (true) { Utils.stoI64Check(k); }`,
    step,
  ),
  runs(
    'large texts asserted without end',
    expired,
    `${wide} const k = wide.repeat(1000000); while (true) { Utils.assert(true, k); }`,
    step,
  ),
  runs(
    'large values without end, wide',
    expired,
    `${wide} const k = wide.repeat(80000); let i = 0; while (true) { i += 1; Chain.store("k" + i, k); }`,
    step,
  ),
  runs(
    'large questions without end',
    expired,
    `${wide} const k = wide.repeat(5000000); while (true) { Chain.contractQuery(Chain.thisAddress, k); }`,
    step,
  ),
  runs(
    'a large object without end',
    expired,
    `${wide} const o = {}; let i = 0; while (i < 100) { i += 1; o["k" + i] = wide.repeat(10000); } while (true) { Chain.load({ o: o }); }`,
    step,
  ),
  runs('a large answer', expired, `${wide} return wide.repeat(14000000);`, step),
  runs(
    'contracts without end',
    expired,
    'let i = 0; while (true) { i += 1; Chain.contractCreate("0", 0, "\\"use strict\\"; function init(i) { return i; } // " + i, ""); }',
    step,
  ),
];

const shapes: Hostile[] = [
  { name: 'code without functions', code: '"use strict"; const a = 1;', deploy: failed },
  {
    name: 'code that is nested too deeply',
    code: `"use strict"; const a = ${'['.repeat(2000)}${']'.repeat(2000)};`,
    deploy: 152,
  },
  { name: 'code of one endless comment', code: `"use strict"; /* ${'x'.repeat(260_000)}`, deploy: 152 },
  { name: 'code that is no text', code: '\u0000\u0001\ufffe', deploy: 152 },
  {
    name: 'code with thousands of functions',
    code: `"use strict";\n${Array.from({ length: 5_000 }, (_, i) => `function f${i}(a) { return a + ${i}; }`).join('\n')}\nfunction init(input) { return f4999(input); }`,
    deploy: 0,
  },
  {
    name: 'a top level that throws',
    code: whole('return true;', { top: 'const a = Chain.nothing.member;' }),
    deploy: failed,
  },
  {
    name: 'an init that writes and throws',
    code: whole('return true;', { init: 'Chain.store("k", "v"); throw "no";' }),
    deploy: failed,
  },
];

export const hostileUse: readonly Hostile[] = [
  ...arguments_,
  ...throwing,
  ...flooding,
  ...copying,
  ...shapes,
];
