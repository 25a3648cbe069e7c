/**
 * Contracts that mean harm, and how each must end: `deploy` is the code of its creation (152 is told at submit, the
 * others in history), `call` that of a call of its main in a block. Nothing is claimed about anything else.
 */

export interface Hostile {
  readonly name: string;
  readonly code: string;
  readonly deploy?: number;
  readonly call?: number;
  /** The exception of a failed call, as far as it matters. */
  readonly exception?: RegExp;
  readonly input?: string;
  readonly balance?: number;
}

interface Parts {
  readonly top?: string;
  readonly init?: string;
}

const whole = (main: string, { top = '', init = 'return true;' }: Parts = {}): string =>
  `"use strict";\n${top}\nfunction init(input) {\n${init}\n}\nfunction main(input) {\n${main}\n}\nfunction query(input) {\nreturn input;\n}\n`;

/** A main, and the code its call ends with. */
const runs = (name: string, call: number, main: string, more: Partial<Hostile> & Parts = {}): Hostile => ({
  name,
  call,
  code: whole(main, more),
  ...more,
});

/** What the syntax check does not let pass. */
const refused = (name: string, main: string, more: Parts = {}): Hostile => ({
  name,
  deploy: 152,
  code: whole(main, more),
});

const expired = 155;
const failed = 151;
const step = { exception: /Step exceeding/ };
const memory = { exception: /Memory exceeding/ };
const stack = { exception: /Stack exceeding/ };
const type = { exception: /^TypeError/ };

const endless: Hostile[] = [
  runs('an endless loop', expired, 'while (true) { input = ""; }', step),
  runs('an endless do loop', expired, 'do { input = ""; } while (true);', step),
  runs(
    'a long loop over a long text',
    expired,
    'let i = 0; const s = "x".repeat(100000); while (i < 1e9) { i += s.indexOf("y") + 2; }',
    step,
  ),
  runs('own recursion', expired, 'return main(input);', stack),
  runs(
    'recursion through two functions',
    expired,
    'const both = {}; both.ping = function (n) { return both.pong(n); }; both.pong = function (n) { return both.ping(n); }; return both.ping(1);',
    stack,
  ),
  runs('recursion through a callback', expired, 'return "a".replace(/a/, main);', stack),
  runs('recursion through sort', expired, 'return [2, 1].sort(main);', stack),
  runs(
    'recursion through toString',
    expired,
    'const o = { toString: function () { return "" + o; } }; return "" + o;',
    stack,
  ),
  runs(
    'recursion through toJSON',
    expired,
    'const o = { toJSON: function () { return JSON.stringify(o); } }; return JSON.stringify(o);',
    stack,
  ),
  runs(
    'recursion through a getter',
    expired,
    'const o = {}; Object.defineProperty(o, "x", { get: function () { return o.x; } }); return o.x;',
    stack,
  ),
  runs(
    'a comparison that never ends',
    expired,
    '[3, 2, 1].sort(function (a, b) { while (true) { a = b; } }); return true;',
    step,
  ),
  runs('a regular expression that blows up', expired, 'return /^(a+)+$/.test("a".repeat(40) + "b");', step),
  runs('a regular expression with references', expired, 'return /(x+x+)+\\1y/.test("x".repeat(60));', step),
  runs(
    'a regular expression made of input',
    expired,
    'return new RegExp("^(([a-z])+.)+[A-Z]([a-z])+$").test("a".repeat(200));',
    step,
  ),
  runs(
    'an iterator that never ends',
    expired,
    'const o = {}; o[Symbol.iterator] = function () { return { next: function () { return { done: false, value: 1 }; } }; }; return [...o].length;',
  ),
  runs(
    'an endless valueOf',
    expired,
    'return { valueOf: function () { while (true) { input = ""; } } } > 1;',
    step,
  ),
  runs('an endless top level', failed, 'return true;', {
    deploy: expired,
    call: undefined,
    top: 'let i = 0; while (true) { i += 1; }',
  }),
];

const large: Hostile[] = [
  runs('a huge string', expired, 'return "x".repeat(500000000);', memory),
  runs(
    'a string that doubles',
    expired,
    'let s = "xx"; while (s.charCodeAt(0) > 0) { s = s + s; } return s;',
  ),
  runs(
    'a string that doubles and is never read',
    failed,
    'let s = "xx"; while (s.length > 0) { s = s + s; } return s;',
    { exception: /string too long/ },
  ),
  runs('a padded string', expired, 'return "x".padEnd(200000000, "ab");', memory),
  runs(
    'strings kept in an array',
    expired,
    'const kept = []; while (true) { kept.push("x".repeat(100000) + kept.length); }',
  ),
  runs(
    'an array that doubles',
    expired,
    'let a = [1, 2, 3]; while (a.length > 0) { a = a.concat(a); } return true;',
  ),
  runs('a huge sparse array', expired, 'const a = []; a.length = 4294967295; a.fill(1); return true;'),
  runs('a huge array joined', expired, 'const a = []; a[4294967294] = 1; return a.join("x");'),
  runs('a growing map', expired, 'const m = new Map(); while (true) { m.set({}, {}); }'),
  runs('a text taken apart', expired, 'return "x".repeat(3000000).split("").length > 0;'),
  runs('wide JSON', expired, 'return JSON.parse("[" + "1,".repeat(2000000) + "1]").length > 0;'),
  runs('deep JSON', expired, 'return JSON.parse("[".repeat(100000) + "]".repeat(100000));', stack),
  runs(
    'a deep array as JSON',
    expired,
    'let a = []; let i = 0; while (i < 20000) { a = [a]; i += 1; } return JSON.stringify(a);',
    stack,
  ),
  runs(
    'a deep array, dropped',
    0,
    'let a = []; let i = 0; while (i < 20000) { a = [a]; i += 1; } a = []; return true;',
  ),
  runs('many arguments', failed, 'const a = []; a.length = 70000; Chain.load(...a); return true;', {
    exception: /too many arguments/,
  }),
  runs(
    'a text that grows by replacing',
    expired,
    'let s = "aa"; while (true) { s = s.replace(/a/g, "aa"); }',
  ),
  runs(
    'a long chain of prototypes',
    expired,
    'let o = {}; let i = 0; while (i < 1e6) { o = Object.create(o); i += 1; } return o.x;',
  ),
];

const tampering: Hostile[] = [
  runs(
    'Object.prototype with asset members',
    0,
    `Object.prototype.issuer = Chain.thisAddress; Object.prototype.code = "X"; Utils.assert(Chain.getAccountAsset(Chain.thisAddress, {}) === false); Chain.store("k", "v"); return true;`,
  ),
  runs(
    'toJSON everywhere',
    0,
    'Object.prototype.toJSON = function () { return "evil"; }; Chain.store("k", JSON.stringify({})); Utils.assert(Chain.getAccountAsset(Chain.thisAddress, { issuer: "a", code: "b" }) === false); return true;',
  ),
  runs(
    'functions of arrays and texts replaced',
    0,
    'const evil = function () { while (true) { input = "x"; } }; const push = [].constructor.prototype; push.push = evil; push.map = evil; push.join = evil; String.prototype.slice = evil; String.prototype.split = evil; JSON.stringify = evil; JSON.parse = evil; Object.keys = evil; Chain.store("k", "v"); Chain.tlog("t", 1); Utils.assert(Chain.load("k") === "v"); return true;',
  ),
  runs(
    'an exception in a world that was rebuilt',
    failed,
    'const evil = function () { while (true) { input = "x"; } }; String = evil; Error.prototype.toString = evil; Object.prototype.toString = evil; throw new Error("plain");',
    { exception: /^Error: plain$/ },
  ),
  runs(
    'a getter in the place of a built-in',
    failed,
    'Object.defineProperty(Chain, "load", { get: function () { return 1; } }); return true;',
    type,
  ),
  runs('another built-in', failed, 'Chain.load = function () { return "forged"; }; return true;', type),
  runs('a built-in removed', failed, 'delete Utils.assert; return true;', type),
  runs('another sender', failed, 'Chain.msg.sender = Chain.thisAddress; return true;', type),
  runs(
    'another prototype for Chain',
    failed,
    'Object.setPrototypeOf(Chain, { load: 1 }); return true;',
    type,
  ),
  runs('a property on a built-in', failed, 'Chain.load.call = function () { return 1; }; return true;', type),
  runs(
    'getters on the values',
    failed,
    'Object.defineProperty(Chain.block, "number", { value: 1 }); return true;',
    type,
  ),
  runs(
    'a frozen world',
    0,
    'Object.freeze(Object.prototype); Object.freeze(String.prototype); Object.freeze([].constructor.prototype); Chain.store("k", "v"); return true;',
  ),
  runs(
    'a then on every object',
    0,
    'Object.defineProperty(Object.prototype, "then", { get: function () { throw "then"; } }); Chain.store("k", "v"); return true;',
  ),
  runs('an accessor in the place of an entry function', failed, 'return true;', {
    top: 'Object.defineProperty(this, "main", { get: function () { return 1; } });',
    deploy: failed,
    call: undefined,
  }),
];

const reaching: Hostile[] = [
  refused('globalThis', 'return globalThis.process;'),
  refused('eval', 'return eval("1");'),
  refused('an indirect eval', 'const e = eval; return e("1");'),
  refused('Function', 'return new Function("return this")();'),
  refused('import()', 'return import("node:fs");'),
  refused('a module of the interpreter', 'return std.open("/etc/passwd", "r");'),
  refused('the system of the interpreter', 'return os.exec(["ls"]);'),
  refused('WebAssembly', 'return new WebAssembly.Memory({ initial: 1 });'),
  refused('process', 'return process.exit(1);'),
  refused('require', 'return require("fs");'),
  refused('a promise', 'return Promise.resolve(1);'),
  refused('async code', 'return true;', { top: 'async function later() { await 1; return main(""); }' }),
  refused('a proxy', 'return new Proxy(Chain, {});'),
  refused('Reflect', 'return Reflect.ownKeys(Chain);'),
  refused('shared memory', 'return new SharedArrayBuffer(8);'),
  refused('timers', 'return setTimeout(main, 0);'),
  refused('a clock', 'return String(Date.now());'),
  refused('randomness', 'return String(Math.random());'),
  refused(
    'catching what cannot be caught',
    'try { while (true) { input = ""; } } catch (e) { return true; }',
  ),
  runs('a constructor of a constructor', failed, 'return main.constructor("return 1")();', type),
  runs('a constructor of a built-in', failed, 'return Chain.load.constructor("return this")();', type),
  runs('a constructor by another way', failed, 'return "".sub.constructor.constructor("return 1")();', type),
  runs('the caller of a function', failed, 'return main.caller;', type),
  runs(
    'this of a plain function',
    failed,
    'const f = function () { return this.process; }; return f();',
    type,
  ),
  runs(
    'this at the top level',
    0,
    'Utils.assert(names.indexOf("process") < 0 && names.indexOf("eval") < 0 && names.indexOf("Function") < 0 && names.indexOf("std") < 0); return true;',
    { top: 'const names = Object.getOwnPropertyNames(this);' },
  ),
  runs(
    'stacks of the engine',
    0,
    'Utils.assert(Error.captureStackTrace === undefined && Error.prepareStackTrace === undefined); const e = new Error("x"); Utils.assert(String(e.stack).indexOf("node:") < 0 && String(e.stack).indexOf(".ts") < 0); return true;',
  ),
];

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
    '512 logs of the largest size',
    0,
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

export const hostileContracts: readonly Hostile[] = [
  ...endless,
  ...large,
  ...tampering,
  ...reaching,
  ...arguments_,
  ...throwing,
  ...flooding,
  ...shapes,
];
