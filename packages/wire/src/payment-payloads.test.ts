import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults';
import type { JsonObject, JsonValue } from './json.ts';
import { lenientHexBytes } from './payment-lenient-text.ts';
import { readFacilitatorRequest, readPaymentHeader } from './payment-payloads.ts';

const payload = {
  type: 'signed_transaction',
  transactionBlob: '0A0b',
  signatures: [{ sign_data: 'FF', public_key: 'B0017F' }],
  validBefore: 1_900_000_000,
};
const family = { x402Version: 2, scheme: 'exact', network: 'zetrix:testnet', payload };
const requirements = { scheme: 'exact', network: 'zetrix:testnet', asset: 'ZTX', payTo: 'p', amount: '5' };
const header = (value: JsonValue) => Buffer.from(JSON.stringify(value)).toString('base64');

const read = {
  scheme: 'exact',
  network: 'zetrix:testnet',
  blob: Uint8Array.of(10, 11),
  signatures: [{ publicKey: 'b0017f', signature: Uint8Array.of(255) }],
  validBefore: 1_900_000_000,
};

describe('payments as clients write them', () => {
  test('the family form, bare or in a canonical body', () => {
    assert.deepEqual(readFacilitatorRequest({ body: family }), { payment: read });
    assert.deepEqual(readPaymentHeader(header(family)), read);
    assert.deepEqual(readFacilitatorRequest({ body: { x402Version: 2, paymentPayload: family } }), {
      payment: read,
    });
  });

  test('the canonical form with what is asked for, and the id of the offer', () => {
    const accepted = { ...requirements, extra: { paymentId: 'abc' } };
    const canonical = { x402Version: 2, accepted, payload };
    assert.deepEqual(readPaymentHeader(header(canonical)), { ...read, paymentId: 'abc' });
    const body = { x402Version: 2, paymentPayload: canonical, paymentRequirements: requirements };
    assert.deepEqual(readFacilitatorRequest({ body }).terms, {
      network: 'zetrix:testnet',
      payTo: 'p',
      asset: 'ZTX',
      amount: 5n,
    });
    const { amount, ...older } = requirements;
    const old = { ...body, paymentRequirements: { ...older, maxAmountRequired: amount } };
    assert.equal(readFacilitatorRequest({ body: old }).terms?.amount, 5n);
  });

  test('what a sponsor prepared', () => {
    const prepared = {
      type: 'facilitator_prepared',
      blobId: 'ID',
      blob: '0a0b',
      hash: '00',
      validBefore: '1900000000',
      clientSignature: { signBlob: 'ff', publicKey: 'b0017f' },
    };
    assert.deepEqual(readFacilitatorRequest({ body: { ...family, payload: prepared } }).payment, {
      ...read,
      blobId: 'ID',
    });
  });

  test('anything else is refused with its place', () => {
    const bad: readonly [string, JsonObject][] = [
      ['/payload', { ...family, payload: null }],
      ['/scheme', { ...family, scheme: 7 }],
      ['/network', { ...family, network: 'x'.repeat(200) }],
      ['/payload/type', { ...family, payload: { ...payload, type: 'x' } }],
      ['/payload/transactionBlob', { ...family, payload: { ...payload, transactionBlob: '0' } }],
      [
        '/payload/transactionBlob',
        { ...family, payload: { ...payload, transactionBlob: '00'.repeat(9_000) } },
      ],
      ['/payload/signatures', { ...family, payload: { ...payload, signatures: 'x' } }],
      ['/payload/signatures', { ...family, payload: { ...payload, signatures: Array(9).fill({}) } }],
      ['/payload/signatures/0', { ...family, payload: { ...payload, signatures: [1] } }],
      ['/payload/validBefore', { ...family, payload: { ...payload, validBefore: -1 } }],
      ['/payload/validBefore', { ...family, payload: { ...payload, validBefore: 1.5 } }],
      ['/payload/clientSignature', { ...family, payload: { ...payload, type: 'facilitator_prepared' } }],
      [
        '/paymentRequirements/amount',
        { paymentPayload: family, paymentRequirements: { ...requirements, amount: '05' } },
      ],
      ['/paymentRequirements', { paymentPayload: family, paymentRequirements: 'x' }],
      ['/paymentPayload', { paymentPayload: [] }],
    ];
    for (const [pointer, body] of bad)
      assert.throws(
        () => readFacilitatorRequest({ body }),
        (error) => error instanceof Fault && error.errors[0]?.pointer === pointer,
        pointer,
      );
  });

  test('a header that is none is a payment that was not made', () => {
    for (const text of [
      '',
      '!',
      'e30',
      header([]),
      header('x'),
      'A'.repeat(40_000),
      header({ ...family, payload: 1 }),
    ])
      assert.throws(
        () => readPaymentHeader(text),
        (error) => error instanceof Fault && error.code === 'paymentRefused',
      );
  });
});

test('the old rule reads any text as hex, so that two texts are one', () => {
  assert.deepEqual(lenientHexBytes('0aF'), Uint8Array.of(10));
  assert.deepEqual(lenientHexBytes('{"'), Uint8Array.of(0xff));
  assert.deepEqual(lenientHexBytes('z1'), Uint8Array.of(0xf1));
  assert.deepEqual(lenientHexBytes('1z'), Uint8Array.of(0xff));
  assert.deepEqual(lenientHexBytes('{"name":"Zoo"}'), lenientHexBytes('{"name":"Xuu"}'));
  assert.deepEqual(lenientHexBytes(''), new Uint8Array(0));
});
