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
  test('carries what the description says, and what was noted until then', () => {
    const failure = documented(thrown);
    const { contract, exception, line, steps, logs } = failure;
    assert.deepEqual({ contract, exception, linenum: line }, thrown);
    assert.deepEqual({ steps, logs }, notes);
    assert.equal(failure.message, 'ERRCODE_CONTRACT_EXECUTE_FAIL (151): too late (line 12)');
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
