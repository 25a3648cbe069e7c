/** What contracts say while they are tested; a chain knows nothing of it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { checkContractSyntax } from '@symbolon/ledger-node/contracts/syntax/check-syntax';
import { createTestChain, expectFailure } from './test-chain.ts';
import { isAboutConsole } from './test-console.ts';

const main = (body: string) =>
  `'use strict';\nfunction main(input) {\n${body}\nreturn input;\n}\nfunction init() { return true; }`;

/** The lines that are printed meanwhile. */
function listen(context: TestContext): unknown[] {
  const heard: unknown[] = [];
  context.mock.method(console, 'log', (...words: unknown[]) => heard.push(...words));
  return heard;
}

describe('console.log in a contract under test', () => {
  test('is printed with the name of the contract, values as JSON', (context) => {
    const heard = listen(context);
    const code = main('console.log("got", input, 1, true, null, undefined, { a: [1] });\nconsole.log();');
    const chain = createTestChain({ contracts: { it: code } });
    assert.equal(chain.call('it', 'x').returned, 'x');
    assert.deepEqual(heard, ['[it] got x 1 true null undefined {"a":[1]}', '[it] ']);
  });

  test('is heard of a run that fails, and of queries', (context) => {
    const heard = listen(context);
    const code = `${main('console.log("before");\nUtils.assert(false, "no");')}
      function query(input) { console.log("asked"); return input; }`;
    const chain = createTestChain({ contracts: { it: code } });
    expectFailure(() => chain.call('it', ''), { exception: 'no' });
    chain.query('it', '');
    assert.deepEqual(heard, ['[it] before', '[it] asked']);
  });

  test('knows the name of a contract that is just being deployed', (context) => {
    const heard = listen(context);
    const code = `'use strict';\nfunction init(input) { console.log(input); throw new Error("no"); }`;
    const order = { contracts: { board: { code, input: 'first' } } };
    const failure = expectFailure(() => createTestChain(order));
    assert.deepEqual(heard, ['[board] first']);
    assert.match(failure.message, /Operation 1 ran init of board\.\nboard failed, line 2:/);
  });

  test('is nothing that a chain takes', () => {
    const findings = checkContractSyntax(main('console.log(input);'));
    assert.deepEqual(findings.map(isAboutConsole), [true]);
  });

  test('hides nothing else that a chain refuses', () => {
    expectFailure(() => createTestChain().deploy(main('console.log(input == 1);')), { code: 152 });
    const many = 'console.log(input);\n'.repeat(contractLimits.syntaxFindingsMax);
    expectFailure(() => createTestChain().deploy(main(`${many}window.alert(input);`)), { code: 152 });
  });

  test('has no other methods', () => {
    const chain = createTestChain({ contracts: { it: main('console.error(input);') } });
    expectFailure(() => chain.call('it', ''), { code: 151, exception: /not a function/ });
  });

  test('leaves contracts alone that do not use it: their steps are those of a chain', () => {
    const counter = readFileSync(path.resolve(import.meta.dirname, '../../../contracts/counter.js'), 'utf8');
    const steps = (code: string) => {
      const chain = createTestChain({ contracts: { counter: code } });
      return chain.call('counter', { method: 'increment' }).steps;
    };
    const before = steps(counter);
    steps(counter.replace('const { method, params }', 'console.log(input);\n  const { method, params }'));
    assert.equal(steps(counter), before);
  });
});

describe('a failure in a test', () => {
  const token = main('Utils.assert(input === "",\n  "The balance is too low.");');
  const shop = main('Chain.contractCall(JSON.parse(input).token, true, "0", "5");');

  test('says who had called whom, and shows the line', () => {
    const chain = createTestChain({ contracts: { token, shop } });
    const input = { method: 'buy', token: chain.address('token') };
    const failure = expectFailure(() => chain.call('shop', input), { code: 151 });
    assert.deepEqual(failure.message.split('\n'), [
      `ERRCODE_CONTRACT_EXECUTE_FAIL (151): The balance is too low. (line ${failure.line})`,
      'Operation 1 ran main of shop, method buy.',
      'shop ran main of token (Chain.contractCall).',
      `token failed in Utils.assert, line ${failure.line}:`,
      '  3 | Utils.assert(input === "",',
    ]);
    assert.deepEqual(
      failure.calls.map(({ contract }) => chain.address(contract)),
      [chain.address('shop'), chain.address('token')],
    );
  });

  test('says nothing of calls where no contract ran', () => {
    const failure = expectFailure(() => createTestChain().deploy('x'), { code: 152 });
    assert.deepEqual(failure.calls, []);
    assert.doesNotMatch(failure.message, /\n/);
  });
});
