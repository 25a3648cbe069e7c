import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fault, type FaultName, faults } from '@symbolon/core/faults/faults';
import { problemReply } from '@symbolon/wire/credentials/replies';
import { DatabaseError } from '../database/common/database-error.ts';
import { brokenProblemText, faultHeaders, faultOf, problemDetails } from './problem-details.ts';

describe('problem details', () => {
  it('say what every fault is, in the shape that clients know', () => {
    for (const [code, [status, title, hint]] of Object.entries(faults)) {
      const problem = problemReply.parse(problemDetails(new Fault(code as FaultName), 'id-1'));
      assert.deepEqual(problem, {
        type: `urn:symbolon:fault:${code}`,
        title,
        status,
        code,
        detail: title,
        hint,
        help: `/docs/errors#${code.toLowerCase()}`,
        requestId: 'id-1',
      });
    }
  });

  it('never show a cause', () => {
    const fault = new Fault('ledgerFailed', { cause: new Error('inner'), detail: 'said' });
    const problem = problemDetails(fault, 'x');
    assert.equal(problem.detail, 'said');
    assert.doesNotMatch(JSON.stringify(problem), /inner|stack/);
  });

  it('are short, whatever they complain about', () => {
    const long = 'x'.repeat(100_000);
    const fault = new Fault('requestMalformed', {
      detail: long,
      errors: [{ pointer: `/${long}`, detail: long }],
    });
    assert.ok(JSON.stringify(problemDetails(fault, 'x')).length < 2_000);
  });

  it('make faults of everything that is thrown', () => {
    const fault = new Fault('blobUnknown');
    assert.equal(faultOf(fault), fault);
    for (const [thrown, code] of [
      [new Error('x'), 'internalError'],
      [undefined, 'internalError'],
      ['text', 'internalError'],
      [{ statusCode: 500 }, 'internalError'],
      [{ statusCode: '404' }, 'internalError'],
      [{ statusCode: 404 }, 'routeUnknown'],
      [{ statusCode: 413 }, 'bodyTooLarge'],
      [{ statusCode: 415 }, 'requestMalformed'],
      [new DatabaseError('contention', 'x'), 'overloaded'],
      [new DatabaseError('unique', 'x'), 'internalError'],
      [new DatabaseError('text', 'x'), 'requestMalformed'],
    ] as const)
      assert.equal(faultOf(thrown).code, code);
  });

  it('bring the headers that belong to them', () => {
    assert.deepEqual(faultHeaders(new Fault('requestMalformed')), {});
    assert.deepEqual(faultHeaders(new Fault('tooManyRequests', { retryAfterSeconds: 7 })), {
      'retry-after': '7',
    });
    assert.ok('www-authenticate' in faultHeaders(new Fault('notAuthenticated')));
    assert.equal(JSON.parse(brokenProblemText(431)).status, 431);
  });
});
