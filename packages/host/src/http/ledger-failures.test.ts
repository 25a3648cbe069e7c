import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureBody, httpFailureOf, internalFailure, isInternal } from './ledger-failures.ts';

describe('failures', () => {
  it('keep the status of client errors, with a text of our own', () => {
    for (const statusCode of [400, 404, 408, 413, 414, 415, 431]) {
      const failure = httpFailureOf(Object.assign(new Error('inner detail'), { statusCode }));
      assert.equal(failure.status, statusCode);
      assert.ok(!isInternal(failure));
      assert.ok(!failureBody(failure).includes('inner'));
    }
  });

  it('are internal in every other case', () => {
    const odd = [
      new Error('x'),
      undefined,
      null,
      'text',
      5,
      {},
      { statusCode: 200 },
      { statusCode: 503 },
      { statusCode: '404' },
    ];
    for (const error of odd) assert.equal(httpFailureOf(error), internalFailure);
  });

  it('carry the request id when there is one', () => {
    assert.equal(
      failureBody(internalFailure),
      '{"error_code":1,"error_desc":"internal error","result":null}',
    );
    assert.match(failureBody(internalFailure, 'id-1'), /"request_id":"id-1"/);
  });
});
