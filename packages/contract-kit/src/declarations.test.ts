/**
 * The declarations of the contract language and docs/contracts.md, held against the language itself: the names a
 * running contract sees, the limits, and what a type checker makes of right and wrong contracts.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { ContractCall, ContractEngine } from '@symbolon/core/ledger/terms/engine';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import { newAccount } from '@symbolon/core/ledger/terms/state';
import { contractLimits, operationLimits } from '@symbolon/core/limits/consensus';
import { allowedGlobals } from '@symbolon/ledger-node/contracts/syntax/globals';
import { FakeLedger } from './fake-ledger.ts';
import { watchedRules } from './watched-rules.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const declarationsFile = 'packages/contract-kit/types/contract.d.ts';
const declarations = read(declarationsFile);
const manual = read('docs/contracts.md');
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** The dotted names that running contracts are given: with an asset sent along, and in a query. */
function namesInUse(): Record<'main' | 'query', string[]> {
  const seen: Partial<Record<string, string[]>> = {};
  const engine: ContractEngine = {
    run({ entry, builtIns, values }: ContractCall) {
      // An asset is one value to who reads the manual.
      const valueNames = Object.keys(values).map((name) => name.replace(/(asset)\.[\w.]+$/i, '$1'));
      seen[entry] = sorted([...builtIns, ...valueNames]);
      return { kind: 'returned', value: true };
    },
  };
  const { rules } = watchedRules({ baseReserve: 0n, hear: () => {} });
  const contracts = { ...rules.contracts, engine };
  const ledger = new FakeLedger({ ...rules, contracts }, { number: 1, timestamp: 1 });
  const [owner, target] = ['owner', 'target'].map((it) => rules.keys.addressOfText(it));
  const key = { issuer: owner, code: 'GOLD' };
  ledger.set((layer) => {
    layer.putAccount(newAccount(owner, 10n));
    layer.putAccount({ ...newAccount(target, 0n), contract: { payload: 'code' } as never });
    layer.putAssetAmount(owner, { ...key } as never, 1n);
  });
  const payAsset = { destAddress: target, asset: { key, amount: 1n } };
  ledger.execute(owner, { type: operationTypes.payAsset, payAsset });
  ledger.query(owner, target, { code: 'code', input: '' });
  return { main: seen.main ?? [], query: seen.query ?? [] };
}

interface Declared {
  readonly name: string;
  readonly comment: string;
}

const isForWriting = ({ comment }: Declared): boolean => comment.includes('Init and main only.');

/** `Chain.block.number`, `Chain.load`, `storageLoad`, each with the comment in front of it. */
function declaredNames(): Declared[] {
  const found: Declared[] = [];
  const stack: string[] = [];
  let comment = '';
  for (const line of declarations.split('\n')) {
    const [, opened] = /^declare namespace (\w+) \{$/.exec(line) ?? [];
    const [, object] = /^ {2}const (\w+): \{$/.exec(line) ?? [];
    const [, name] =
      /^ {2}(?:function|const) (\w+)[(:]/.exec(line) ?? /^ {4}readonly (\w+)\??:/.exec(line) ?? [];
    const [, plain] = /^declare const (\w+):/.exec(line) ?? [];
    if (opened) stack.push(opened);
    else if (object) stack.push(object);
    else if (/^ {0,2}\};?$/.test(line)) stack.pop();
    else if (plain) found.push({ name: plain, comment });
    else if (name && stack.length > 0) found.push({ name: [...stack, name].join('.'), comment });
    if (/^\s*(\/\*\*|\*)/.test(line)) comment = line.includes('/**') ? line : `${comment}\n${line}`;
    else comment = '';
  }
  return found;
}

describe('the declarations', () => {
  const declared = declaredNames();
  const inUse = namesInUse();

  test('declare exactly what a contract sees', () => {
    assert.ok(inUse.main.length > 100);
    assert.deepEqual(sorted(declared.map(({ name }) => name)), inUse.main);
  });

  test('mark what a query does not see', () => {
    const marked = declared.filter(isForWriting).map(({ name }) => name);
    const missing = inUse.main.filter((name) => !inUse.query.includes(name));
    assert.deepEqual(sorted(marked), missing);
    assert.ok(missing.includes('Chain.store') && !missing.includes('Chain.load'));
  });

  test('say something about every function', () => {
    const silent = declared.filter(
      ({ name, comment }) => /^(Chain|Utils)\.\w+$/.test(name) && comment === '',
    );
    assert.deepEqual(silent, []);
  });

  test('are the same names that the manual lists', () => {
    const listed = [...manual.matchAll(/`((?:Chain|Utils)\.[\w.]+)[(`]/g)].map(([, name]) => name);
    const older = manual.slice(manual.indexOf('### Older names'), manual.indexOf('## Failures'));
    const plain = [...older.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    assert.deepEqual(sorted([...listed, ...plain]), inUse.main);
  });

  test('and the manual agree on what writes', () => {
    const rows = [...manual.matchAll(/^\| `(Chain\.[\w.]+)[(`].*?\| ([^|]*) \|/gm)];
    const writing = rows.filter(([, , kind]) => kind.endsWith('write')).map(([, name]) => name);
    const declaredSo = declared.filter(isForWriting).map(({ name }) => name);
    assert.deepEqual(sorted(writing), sorted(declaredSo.filter((name) => name.startsWith('Chain.'))));
  });
});

describe('the manual', () => {
  const grouped = (value: number | bigint): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

  test('names the limits as they are', () => {
    const { gasMax, gasPerStep, callDepthMax, triggeredTransactionsMax, builtInSteps } = contractLimits;
    const mebi = contractLimits.memoryBytesMax / 1024 ** 2;
    const kibi = contractLimits.stackBytesMax / 1024;
    for (const row of [
      `| code | ${grouped(operationLimits.contractCodeBytesMax)} bytes | 2 |`,
      `| steps of a signed transaction and all it causes | ${grouped(gasMax / gasPerStep)} | 155 |`,
      `| memory, stack | ${mebi} MiB, ${kibi} KiB | 155 |`,
      `| contracts calling contracts | ${callDepthMax} deep | 153;`,
      `| transactions triggered | ${triggeredTransactionsMax} | 154 |`,
      `${builtInSteps} for a function of \`Chain\``,
      `(${contractLimits.exceptionCharsMax} characters)`,
      `up to ${contractLimits.logArgumentsMax - 1} values`,
      `0 to ${contractLimits.blockHashesMax - 1} before`,
    ]) {
      assert.ok(manual.includes(row), row);
    }
  });

  test('names everything that a contract may use undeclared', () => {
    // "Error and its kinds" stands for the others.
    const names = [...allowedGlobals].filter((name) => !/.Error$/.test(name));
    assert.deepEqual(
      names.filter((name) => !new RegExp(`\\b${name}\\b`).test(manual)),
      [],
    );
  });

  test('shows the jsconfig.json of the samples', () => {
    const shown = manual.replaceAll(/^ {4}/gm, '');
    assert.ok(shown.includes(read('contracts/jsconfig.json')));
  });
});

const tsc = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);

function typeCheck(config: string): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '--pretty', 'false', '-p', config], { cwd: root }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    );
  });
}

/** Each line after `@ts-expect-error` must be wrong, and every other one right. */
const misuse = `'use strict';
/** @param {string} input */
function main(input) {
  // @ts-expect-error a value is text
  Chain.store('key', 7);
  // @ts-expect-error nothing may be stored
  const stored = Chain.load('key').length;
  // @ts-expect-error an amount is text
  Chain.payCoin(Chain.msg.sender, 5);
  // @ts-expect-error there may be no asset
  const asset = Chain.msg.asset.amount;
  // @ts-expect-error there is no such function
  Chain.sotre('key', 'value');
  // @ts-expect-error nothing of this can be changed
  Chain.block.number = 7;
  // @ts-expect-error the condition is a boolean
  Utils.assert(input, 'message');
  // @ts-expect-error a third form of data does not exist
  Utils.sha256(input, 3);
  // @ts-expect-error neither coins nor an asset
  Chain.contractCall(input, false, '0', '');
  // @ts-expect-error the answer may be an error
  const result = Chain.contractQuery(input, '').result;
  // @ts-expect-error no browser and no Node here
  console.log(stored + asset + result);
  // @ts-expect-error no clock either
  setTimeout(main, 1);

  const found = Chain.load(input);
  Utils.assert(found !== false, 'narrowed from here on');
  const answer = Chain.contractQuery(input, found.trim());
  return 'result' in answer ? answer.result : Utils.int64Add(found, 1);
}
`;

describe('a type checker', () => {
  test('finds nothing wrong with the sample contracts', async () => {
    const { code, said } = await typeCheck('contracts/jsconfig.json');
    assert.equal(code, 0, said);
  });

  test('finds what is wrong with others', async (context) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-contract-types-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const config = {
      extends: path.join(root, 'contracts/jsconfig.json'),
      include: ['*.js', path.join(root, declarationsFile)],
    };
    writeFileSync(path.join(folder, 'jsconfig.json'), JSON.stringify(config));
    writeFileSync(path.join(folder, 'misuse.js'), misuse);
    const { code, said } = await typeCheck(path.join(folder, 'jsconfig.json'));
    assert.equal(code, 0, said);
  });
});
