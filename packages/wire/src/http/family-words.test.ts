import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { refusePayment } from '@symbolon/core/faults/payment-refusals';
import type { JsonObject } from '../json/json.ts';
import {
  openEnvelope,
  renderSettled,
  renderSettlement,
  settleEnvelope,
} from '../payments/facilitator-replies.ts';
import { paymentEnvelope } from '../payments/replies.ts';
import {
  familyCodeOf,
  familyMessage,
  faultFacts,
  refusalFacts,
  refusalInWords,
  refusalText,
} from './family-words.ts';
import { custodyEnvelope, objectEnvelope } from './service-envelopes.ts';

const refused = new Fault('paymentRefused', {
  reason: 'blobExpired',
  detail: 'too late',
  facts: { paymentId: 'p' },
});

describe('words and numbers of the family', () => {
  test('a refused payment has the number of its route, and that of its case in data', () => {
    const { status, body } = paymentEnvelope.failure(refused, 'r');
    assert.deepEqual([status, body.status, body.message], [402, 4006, 'blob_expired: too late']);
    assert.deepEqual(body.data, {
      paymentId: 'p',
      errorCode: 460_807,
      errorMsg: 'blob_expired: too late',
    });
    const plain = paymentEnvelope.failure(new Fault('paymentRefused', { facts: { paymentId: 'p' } }), 'r');
    assert.deepEqual(plain.body.data, { paymentId: 'p' });
    const unknown = paymentEnvelope.failure(new Fault('settlementUnknown'), 'r');
    assert.deepEqual([unknown.status, unknown.body.status], [502, 4012]);
    const signer = paymentEnvelope.failure(new Fault('signerMismatch', { detail: 'x' }), 'r');
    assert.deepEqual([signer.status, signer.body.message], [401, 'X402_SIGNATURE_INVALID: x']);
  });

  test('the facilitator has the number of the case alone', () => {
    const { status, body } = openEnvelope.failure(refused, 'r');
    assert.equal(status, 402);
    assert.deepEqual(body.object, { errorCode: 460_807, errorMsg: 'blob_expired: too late' });
    const again = new Fault('paymentSettled', { reason: 'blobAlreadySettled', detail: 'ask' });
    const settled = settleEnvelope.failure(again, 'r');
    assert.equal(settled.status, 409);
    const { errorCode, errorMsg } = settled.body.object as JsonObject;
    assert.deepEqual([errorCode, errorMsg], [460_810, 'blob_already_settled: ask']);
    assert.equal(settled.body.errorReason, 'blob_already_settled');
    const malformed = settleEnvelope.failure(new Fault('requestMalformed'), 'r');
    assert.equal(malformed.body.errorReason, 'payload_decode_failed');
    const facts = { errorCode: 4006, errorMsg: 'nonce_not_next: x' };
    assert.deepEqual(refusalFacts(refusePayment('nonceNotNext', 'x')), facts);
  });

  test('what became of a settlement has the words that clients wait for', () => {
    const paid = {
      hash: 'h',
      network: 'n:t',
      payer: 'p',
      amount: 5n,
      payTo: 't',
      asset: 'a',
      nonce: 1n,
      feeLimit: 1n,
      gasPrice: 1n,
      feePayer: 'p',
      publicKey: 'k',
    };
    const facts = { txHash: 'h', network: 'n:t', payer: 'p', amount: '5' };
    assert.deepEqual(renderSettled(paid, { kind: 'executed' }), { ...facts, status: 'CONFIRMED' });
    const failure = refusalText(refusePayment('settlementFailed', 'no'));
    assert.deepEqual(renderSettled(paid, { kind: 'failed', failure }), {
      ...facts,
      status: 'FAILED',
      errorCode: 461_405,
      errorMsg: 'settlement_failed: no',
    });
    const queued = renderSettled(paid, { kind: 'unknown' });
    assert.ok('text' in queued && queued.status === 202);
    assert.deepEqual(JSON.parse(queued.text).object, { status: 'QUEUED', txHash: 'h', blobId: 'h' });
    assert.deepEqual(renderSettlement('h', { kind: 'unknown' }), { status: 'PENDING', txHash: 'h' });
    assert.deepEqual(renderSettlement('h', { kind: 'executed' }), { status: 'CONFIRMED', txHash: 'h' });
    const failed = renderSettlement('h', { kind: 'failed', failure });
    assert.deepEqual([failed.status, failed.errorCode, failed.errorMsg], ['FAILED', 461_405, failure]);
    assert.equal(refusalInWords('nonce_not_next: x').errorCode, 4006);
  });

  test('wallets and sessions have words before the message, and a fault without any has none', () => {
    const wallet = new Fault('walletNotAuthenticated', { reason: 'walletNotHolder', detail: 'x' });
    const { body } = objectEnvelope.failure(wallet, 'r');
    assert.deepEqual(body.messages, [
      { type: 'ERROR', errorCode: 401, message: 'WALLET_AUTH_HOLDER_MISMATCH: x' },
    ]);
    assert.match(familyMessage(new Fault('sessionExpired')), /^VERIFICATION_REQUEST_EXPIRED: /);
    assert.equal(familyMessage(new Fault('sessionClosed', { detail: 'x' })), 'x');
    assert.equal(faultFacts(wallet), undefined);
    assert.equal(faultFacts(new Fault('internalError')), undefined);
  });

  test('hardware that fails has one number in both envelopes of custody', () => {
    const fault = new Fault('overloaded', { reason: 'hardwareFailed' });
    assert.equal(custodyEnvelope.failure(fault, 'r').body.errorCode, 1_000_026);
    assert.equal(familyCodeOf(fault), 1_000_026);
    assert.equal(familyCodeOf(new Fault('overloaded')), 503);
  });
});
