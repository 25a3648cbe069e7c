import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { lenientHexBytes } from './old-signing.ts';
import { readFacilitatorRequest, readGivenPayment, readPaymentHeader } from './payloads.ts';

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
    const asked = { scheme: 'exact', network: 'zetrix:testnet', payTo: 'p', asset: 'ZTX', amount: 5n };
    assert.deepEqual(readPaymentHeader(header(canonical)), { ...read, paymentId: 'abc', accepted: asked });
    const body = { x402Version: 2, paymentPayload: canonical, paymentRequirements: requirements };
    assert.deepEqual(readFacilitatorRequest({ body }).terms, asked);
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
      [
        '/payload/clientSignature',
        { ...family, payload: { type: 'facilitator_prepared', validBefore: 1_900_000_000 } },
      ],
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

  const canonical = { x402Version: 2, accepted: requirements, payload };
  const whole = { x402Version: 2, paymentPayload: canonical, paymentRequirements: requirements };
  const prepared = {
    type: 'facilitator_prepared',
    blobId: 'ID',
    blob: '0a0b',
    validBefore: 1_900_000_000,
    clientSignature: { signBlob: 'ff', publicKey: 'b0017f' },
  };

  test('a member that is not known is refused at every level, with the name that was meant', () => {
    const bodies: readonly [string, JsonObject][] = [
      [
        '/paymentRequirement',
        { x402Version: 2, paymentPayload: canonical, paymentRequirement: requirements },
      ],
      ['/payment_requirements', { ...whole, payment_requirements: requirements }],
      ['/PaymentRequirements', { ...family, PaymentRequirements: requirements }],
      ['/payTo', { ...family, payTo: 'p' }],
      ['/payload', { ...whole, payload }],
      [
        '/paymentPayload/paymentRequirements',
        { paymentPayload: { ...canonical, paymentRequirements: requirements } },
      ],
      [
        '/paymentPayload/accepted/payto',
        { paymentPayload: { ...canonical, accepted: { ...requirements, payto: 'q' } } },
      ],
      ['/paymentRequirements/payer', { ...whole, paymentRequirements: { ...requirements, payer: 'q' } }],
      ['/payload/amount', { ...family, payload: { ...payload, amount: '5' } }],
      [
        '/payload/signatures/0/weight',
        { ...family, payload: { ...payload, signatures: [{ ...payload.signatures[0], weight: 1 }] } },
      ],
      ['/payload/transactionBlob', { ...family, payload: { ...prepared, transactionBlob: '0a0b' } }],
      [
        '/payload/clientSignature/zz',
        { ...family, payload: { ...prepared, clientSignature: { ...prepared.clientSignature, zz: 1 } } },
      ],
    ];
    for (const [pointer, body] of bodies)
      assert.throws(
        () => readFacilitatorRequest({ body }),
        (error) =>
          error instanceof Fault &&
          error.errors[0]?.pointer === pointer &&
          / is not known here; /.test(error.message),
        pointer,
      );
    assert.throws(
      () => readFacilitatorRequest({ body: { ...family, paymentRequirement: requirements } }),
      /did you mean "paymentRequirements"/,
    );
    assert.throws(() => readPaymentHeader(header({ ...family, maxAmount: '5' })), /maxAmount/);
  });

  test('what clients of x402 are known to send is taken', () => {
    const older = {
      ...requirements,
      ...{
        maxAmountRequired: '5',
        maxTimeoutSeconds: 60,
        resource: 'https://shop.example',
        description: 'x',
      },
      ...{
        mimeType: 'application/json',
        outputSchema: null,
        extra: { gasModel: 'client', payTo: 'anybody' },
      },
    };
    const resource = { url: 'https://shop.example', tags: [], serviceName: 'Shop' };
    const paymentPayload = {
      ...canonical,
      accepted: older,
      resource,
      extensions: { anything: { at: 'all' } },
    };
    const body = { x402Version: 2, paymentPayload, paymentRequirements: older };
    assert.equal(readFacilitatorRequest({ body }).terms?.amount, 5n);
  });

  test('requirements that are there are read, wherever they may stand', () => {
    const terms = { ...requirements, amount: 5n };
    assert.deepEqual(readFacilitatorRequest({ body: { ...family, paymentRequirements: requirements } }), {
      payment: read,
      terms,
    });
    assert.deepEqual(readFacilitatorRequest({ body: whole }).payment.accepted, terms);
    const bad: readonly [string, JsonObject][] = [
      ['/paymentRequirements', { ...whole, paymentRequirements: null }],
      ['/paymentRequirements', { ...family, paymentRequirements: null }],
      ['/paymentRequirements', { ...whole, paymentRequirements: [requirements] }],
      ['/paymentRequirements/payTo', { ...whole, paymentRequirements: { ...requirements, payTo: null } }],
      ['/paymentRequirements/scheme', { ...whole, paymentRequirements: { ...requirements, scheme: null } }],
      [
        '/paymentRequirements/maxAmountRequired',
        { ...whole, paymentRequirements: { ...requirements, maxAmountRequired: '6' } },
      ],
      [
        '/paymentRequirements/maxTimeoutSeconds',
        { ...whole, paymentRequirements: { ...requirements, maxTimeoutSeconds: -5 } },
      ],
      ['/paymentPayload/accepted', { ...whole, paymentPayload: { ...canonical, accepted: null } }],
      [
        '/paymentPayload/accepted/amount',
        { ...whole, paymentPayload: { ...canonical, accepted: { ...requirements, amount: '05' } } },
      ],
      ['/paymentPayload/scheme', { ...whole, paymentPayload: { ...canonical, scheme: 'upto' } }],
      ['/x402Version', { ...whole, x402Version: 3 }],
    ];
    for (const [pointer, body] of bad)
      assert.throws(
        () => readFacilitatorRequest({ body }),
        (error) => error instanceof Fault && error.errors[0]?.pointer === pointer,
        pointer,
      );
  });

  test('two headers say the same payment, or none', () => {
    const headers = (given: Record<string, string>) => ({ header: (name: string) => given[name] });
    const both = { 'payment-signature': header(canonical), 'x-payment': header(family) };
    assert.deepEqual(readGivenPayment(headers(both))?.blob, read.blob);
    const other = header({ ...family, payload: { ...payload, transactionBlob: '0b0b' } });
    assert.throws(() => readGivenPayment(headers({ ...both, 'x-payment': other })), /two payments/);
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
