import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContractFailure, expectFailure } from './contract-failure.ts';

const notes = { steps: 7, logs: ['so far'] };
const thrown = { contract: 'ZTX3…', exception: 'too late', linenum: 12 };
const documented = (document: object, code = 151) =>
  new ContractFailure({ code, description: JSON.stringify(document), isDocument: true }, notes);

const fail = (failure: Error) => () => {
  throw failure;
};

describe('a contract failure', () => {
  test('says which contract threw what in which line', () => {
    const failure = documented(thrown);
    assert.deepEqual(
      { contract: failure.contract, exception: failure.exception, linenum: failure.line },
      thrown,
    );
    assert.equal(failure.message, 'ERRCODE_CONTRACT_EXECUTE_FAIL (151): too late (line 12)');
    assert.deepEqual([failure.steps, failure.logs], [7, ['so far']]);
  });

  test('does without a line where there is none', () => {
    const failure = documented({ ...thrown, linenum: 0 });
    assert.equal(failure.line, undefined);
    assert.match(failure.message, /too late$/);
  });

  test('keeps other descriptions as they are', () => {
    const failure = new ContractFailure({ code: 100, description: '{"exception":"no document"}' }, notes);
    assert.equal(failure.exception, undefined);
    assert.equal(failure.description, '{"exception":"no document"}');
    assert.match(failure.message, /^ERRCODE_ACCOUNT_LOW_RESERVE \(100\)/);
  });

  test('shows what the syntax check found, counted from one', () => {
    const finding = { line: 2, column: 4, code: 'empty_block', message: 'Empty block.' };
    const failure = documented([finding], 152);
    assert.deepEqual(failure.findings, [finding]);
    assert.match(failure.message, /\(152\): 3:5 Empty block\.$/);
  });

  test('does not hide a code that nobody knows', () => {
    assert.match(new ContractFailure({ code: 9999, description: 'odd' }, notes).message, /9999.*odd/);
  });
});

describe('expectFailure', () => {
  test('answers the failure that was expected', () => {
    const failure = documented(thrown);
    assert.equal(expectFailure(fail(failure)), failure);
    assert.equal(expectFailure(fail(failure), { code: 151, exception: 'too late' }), failure);
    assert.equal(expectFailure(fail(failure), { exception: /late/ }), failure);
    const plain = new ContractFailure({ code: 100, description: 'cannot pay' }, notes);
    assert.equal(expectFailure(fail(plain), { exception: /cannot/ }), plain);
  });

  test('complains when nothing fails', () => {
    assert.throws(() => expectFailure(() => 'fine'), /was expected to fail/);
  });

  test('complains when it fails otherwise', () => {
    const failing = fail(documented(thrown));
    for (const expected of [{ code: 155 }, { exception: 'late' }, { exception: /early/ }]) {
      assert.throws(() => expectFailure(failing, expected), { name: 'AssertionError' });
    }
  });

  test('lets through what is no failure of a contract', () => {
    assert.throws(() => expectFailure(fail(new TypeError('a defect of the test'))), TypeError);
  });
});
