import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContractOutcome } from '@symbolon/core/ledger/terms/engine';
import { QuickJsEngine } from './quickjs-engine.ts';
import { TinyChain } from './testing/tiny-chain.ts';

const main = (body: string) => `function main(input) {\n  ${body}\n}`;

describe('the world of a contract', () => {
  const chain = new TinyChain(new QuickJsEngine());
  const outcomeOf = (code: string): ContractOutcome => chain.run({ code }).outcome;
  const answerOf = (expression: string) => {
    const outcome = outcomeOf(main(`return ${expression};`));
    assert.equal(outcome.kind, 'returned', JSON.stringify(outcome));
    return outcome.kind === 'returned' ? outcome.value : undefined;
  };
  const thrownBy = (code: string) => {
    const outcome = outcomeOf(code);
    assert.equal(outcome.kind, 'threw', JSON.stringify(outcome));
    return outcome.kind === 'threw' ? outcome.exception : undefined;
  };

  const absent = [
    ...['Date', 'Math', 'Intl', 'Temporal', 'performance', 'WeakRef', 'FinalizationRegistry', 'Atomics'],
    ...['SharedArrayBuffer', 'ArrayBuffer', 'Uint8Array', 'Float64Array', 'DataView', 'Proxy', 'Reflect'],
    ...[
      'Promise',
      'queueMicrotask',
      'setTimeout',
      'setInterval',
      'setImmediate',
      'Iterator',
      'WeakMap',
      'WeakSet',
    ],
    ...[
      'eval',
      'Function',
      'globalThis',
      'global',
      'window',
      'self',
      'process',
      'require',
      'module',
      'Buffer',
    ],
    ...[
      'console',
      'print',
      'std',
      'os',
      'scriptArgs',
      'fetch',
      'WebAssembly',
      'structuredClone',
      'navigator',
    ],
    ...[
      'encodeURI',
      'decodeURIComponent',
      'escape',
      'unescape',
      'btoa',
      'atob',
      'InternalError',
      'DOMException',
    ],
  ];
  for (const name of absent)
    test(`${name} does not exist`, () => assert.equal(answerOf(`typeof ${name}`), 'undefined'));

  test('what is left is a short list', () => {
    const names = answerOf('Object.getOwnPropertyNames(this).sort().join(" ")');
    assert.equal(
      names,
      'Array BigInt Boolean Chain Error EvalError Infinity JSON Map NaN Number Object RangeError ReferenceError ' +
        'RegExp Set String Symbol SyntaxError TypeError URIError Utils blockNumber isFinite isNaN main parseFloat ' +
        'parseInt sender storageLoad storageStore undefined',
    );
  });

  for (const expression of [
    '(1).toLocaleString',
    '"a".localeCompare',
    '"a".toLocaleUpperCase',
    '[].toLocaleString',
    '({}).toLocaleString',
    '10n .toLocaleString',
    'Array.fromAsync',
    'Error.captureStackTrace',
    'Error.prepareStackTrace',
    'Object.constructor',
    '(function () {}).constructor',
    '(() => 1).constructor',
    '(function* () {}).constructor',
    '(async function () {}).constructor',
    '(async function* () {}).constructor',
    '"".constructor.constructor',
    'Chain.load.constructor',
  ]) {
    test(`${expression} is nothing`, () => assert.equal(answerOf(`typeof (${expression})`), 'undefined'));
  }

  for (const code of [
    main('(function () {}).constructor = 1; "use strict";').replace(
      'main(input) {',
      'main(input) { "use strict";',
    ),
    main('"use strict"; Object.getPrototypeOf(function () {}).constructor = 1;'),
    main('"use strict"; Chain.load = 1;'),
    main('"use strict"; Chain.other = 1;'),
    main('"use strict"; delete Chain.load;'),
    main('"use strict"; Chain.block.number = 8;'),
    main('"use strict"; Chain.msg.asset.key.code = "X";'),
    main('"use strict"; Utils.assert.call = 1;'),
    main('"use strict"; Chain.load.name = "x";'),
    main('Object.defineProperty(Chain, "load", { get() { return 1; } });'),
    main('Object.defineProperty(Chain.load, "call", { value: 1 });'),
    main('Object.setPrototypeOf(Chain, { load: 1 });'),
    main('Chain.__proto__ = { x: 1 };'),
    main('new Chain.load("x");'),
  ]) {
    test(`refused: ${code.split('\n')[1]?.trim()}`, () =>
      assert.match(String(thrownBy(code)), /^TypeError: /));
  }

  test('a contract may declare the plain names itself', () => {
    assert.deepEqual(
      outcomeOf(
        'const sender = "own"; function storageLoad() { return sender; } function main() { return storageLoad(); }',
      ),
      {
        kind: 'returned',
        value: 'own',
      },
    );
  });

  test('promises exist for whoever finds them, and nothing ever continues', () => {
    const code = main(
      '(async function () { Chain.note(1); await 1; Chain.note(2); }()); (async () => 1)().then(() => Chain.note(3)); return "done";',
    );
    assert.deepEqual(outcomeOf(code), { kind: 'returned', value: 'done' });
    assert.deepEqual(chain.notes.splice(0), [[1]]);
    assert.deepEqual(
      outcomeOf(main('return (async () => { throw new Error("lost"); })() instanceof Object;')),
      {
        kind: 'returned',
        value: true,
      },
    );
    assert.deepEqual(outcomeOf(main('import("node:fs").then(() => Chain.note(4)); return "done";')), {
      kind: 'returned',
      value: 'done',
    });
    assert.deepEqual(chain.notes, []);
  });

  test('nothing survives a run', () => {
    const code = main(
      'Object.prototype.seen = 1; Array.prototype.push = 2; this.seen = 3; Symbol.for("seen"); return String(({}).seen);',
    );
    assert.deepEqual(outcomeOf(code), { kind: 'returned', value: '1' });
    assert.equal(
      answerOf('String(({}).seen) + typeof [].push + typeof this.seen'),
      'undefinedfunctionundefined',
    );
  });

  test('what a contract does to its own world does not reach the engine', () => {
    const code = `
      const evil = () => { Chain.note("ran"); return "evil"; };
      Object.prototype.value = "evil";
      Object.prototype.toJSON = evil;
      Array.prototype.toJSON = evil;
      Array.prototype[Symbol.iterator] = evil;
      String.prototype.slice = evil;
      String.prototype.concat = evil;
      String.prototype.toString = evil;
      Error.prototype.toString = evil;
      Object.getPrototypeOf(evil).call = evil;
      Object.getPrototypeOf(evil).apply = evil;
      JSON.parse = evil;
      JSON.stringify = evil;
      Error.isError = evil;
      String = evil;
      Error.prepareStackTrace = evil;
      Error.stackTraceLimit = 0;
      function main() {
        Chain.load("key");
        const error = new TypeError("plain");
        error.stack = "forged";
        Object.defineProperty(error, "toString", { value: evil });
        throw error;
      }`;
    assert.deepEqual(outcomeOf(code), {
      kind: 'threw',
      exception: 'TypeError: plain',
      line: 21,
      stack: '    at main (contract:21:27)',
    });
    assert.deepEqual(chain.notes, []);
  });
});
