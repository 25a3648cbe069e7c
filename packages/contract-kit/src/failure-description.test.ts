import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readFailure } from './failure-description.ts';

const nothing = { contract: undefined, exception: undefined, line: undefined, functions: [], findings: [] };

describe('the description of a failure', () => {
  test('says which contract threw what in which line', () => {
    const document = { contract: 'ZTX3…', exception: 'too late', linenum: 12, stack: 'at main' };
    assert.deepEqual(readFailure(151, JSON.stringify(document)), {
      summary: 'ERRCODE_CONTRACT_EXECUTE_FAIL (151): too late (line 12)',
      contract: 'ZTX3…',
      exception: 'too late',
      line: 12,
      functions: [],
      findings: [],
    });
  });

  test('says which functions had called each other', () => {
    const stack = '    at put (contract:16:3)\n    at main (contract:34)\n    at <eval> (elsewhere:1:1)\n';
    const { functions } = readFailure(151, JSON.stringify({ exception: 'x', linenum: 16, stack }));
    assert.deepEqual(functions, [
      { name: 'put', line: 16 },
      { name: 'main', line: 34 },
    ]);
  });

  test('does without a line, without a contract', () => {
    const { summary, line } = readFailure(151, '{"exception":"Lost of main function","linenum":0}');
    assert.equal(line, undefined);
    assert.match(summary, /Lost of main function$/);
  });

  test('shows what the syntax check found, counted from one', () => {
    const finding = { line: 2, column: 4, code: 'empty_block', message: 'Empty block.' };
    const { summary, findings } = readFailure(152, JSON.stringify([{ name: 'JSLintError', ...finding }]));
    assert.deepEqual(findings, [finding]);
    assert.match(summary, /\(152\): 3:5 Empty block\.$/);
  });

  for (const description of [
    '',
    'no JSON at all',
    '{"exception":',
    '7',
    'null',
    '{"exception":7,"linenum":"3"}',
    '[1,{"line":"x"}]',
  ]) {
    test(`is a sentence when it is ${JSON.stringify(description)}`, () => {
      for (const code of [151, 152, 155]) {
        const { summary, ...fields } = readFailure(code, description);
        assert.deepEqual(fields, nothing);
        assert.ok(summary.endsWith(`(${code}): ${description}`));
      }
    });
  }

  test('is a sentence with any other code, even if it looks like JSON', () => {
    const { summary, ...fields } = readFailure(100, '{"exception":"x"}');
    assert.deepEqual(fields, nothing);
    assert.equal(summary, 'ERRCODE_ACCOUNT_LOW_RESERVE (100): {"exception":"x"}');
    assert.match(readFailure(9999, 'odd').summary, /^unknown code \(9999\): odd$/);
  });
});
