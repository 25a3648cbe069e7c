/** Contracts that compute without end, grow without end, rebuild their world or look for a way out of it. */
import { expired, failed, type Hostile, memory, refused, runs, stack, step, type } from './hostile-case.ts';

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

export const hostileComputing: readonly Hostile[] = [...endless, ...large, ...tampering, ...reaching];
