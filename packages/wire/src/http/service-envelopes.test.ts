import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { custodyRoutes } from '../custody/routes.ts';
import { settleEnvelope, verifyEnvelope } from '../payments/facilitator-replies.ts';
import { custodyEnvelope, dataEnvelope, objectEnvelope } from './service-envelopes.ts';

const errors = [{ pointer: '/password', detail: 'is too short' }];

describe('an answer of the further endpoints', () => {
  test('in the object envelope', () => {
    assert.deepEqual(objectEnvelope.success({ a: 1 }), {
      object: { a: 1 },
      messages: [],
      success: true,
      httpStatus: 200,
    });
    const { status, body } = objectEnvelope.failure(new Fault('credentialUnknown', { detail: 'gone' }), 'r');
    assert.equal(status, 404);
    assert.deepEqual(body.messages, [{ type: 'ERROR', errorCode: 650_200, message: 'gone' }]);
    assert.deepEqual([body.object, body.success, body.traceId], [null, false, 'r']);
  });

  test('in the data envelope, with what the caller needs to go on', () => {
    assert.deepEqual(dataEnvelope.success({ a: 1 }), { status: 200, message: 'success', data: { a: 1 } });
    const fault = new Fault('settlementUnknown', { facts: { paymentId: 'p' } });
    const { status, body } = dataEnvelope.failure(fault, 'r');
    assert.equal(status, 502);
    assert.equal(body.status, 4_012);
    assert.deepEqual(body.data, { paymentId: 'p' });
  });

  test('of custody has status 200 whatever happened', () => {
    assert.deepEqual(custodyEnvelope.success({ a: 1 }), { errorCode: 0, message: 'success', data: { a: 1 } });
    const wrong = custodyEnvelope.failure(new Fault('passwordWrong'), 'r');
    assert.deepEqual([wrong.status, wrong.body.errorCode], [200, 1_000_026]);
    const malformed = custodyEnvelope.failure(new Fault('requestMalformed', { errors }), 'r');
    assert.equal(malformed.body.errorCode, 1);
    assert.deepEqual(malformed.body.data, { errorList: ['password\uFF1Ais too short'] });
    assert.equal(custodyEnvelope.failure(new Fault('internalError'), 'r').body.errorCode, 400_000);
  });

  test('is opened again by the envelope that wrapped it', () => {
    const reply = { a: 1, list: ['x'] };
    for (const envelope of [objectEnvelope, dataEnvelope, custodyEnvelope]) {
      assert.deepEqual(envelope.open(envelope.success(reply)), reply);
      assert.equal(envelope.open({}), undefined);
    }
    const { envelope: listed } = custodyRoutes.signCustodyBlobListed;
    assert.deepEqual(listed?.open(listed.success(reply)), reply);
    assert.equal(listed?.open({ object: reply }), undefined);
  });

  test('about money, too, with what stands beside the reply', () => {
    const verified = { isValid: true, payer: 'p' };
    assert.deepEqual(verifyEnvelope.open(verifyEnvelope.success(verified)), verified);
    const settled = { status: 'CONFIRMED', txHash: 'h', payer: 'p', amount: '1', network: 'n' };
    assert.deepEqual(settleEnvelope.open(settleEnvelope.success(settled)), settled);
    const pending = { status: 'PENDING' };
    assert.deepEqual(settleEnvelope.open(settleEnvelope.success(pending)), pending);
    for (const envelope of [verifyEnvelope, settleEnvelope]) {
      for (const object of [null, 'x', []]) assert.equal(envelope.open({ object }), undefined);
    }
  });
});
