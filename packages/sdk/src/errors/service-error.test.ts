import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fault, faults } from '@symbolon/core/faults/faults';
import type { ServiceRoute } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type AllRoutes, allRoutes } from '@symbolon/wire/openapi/all-routes';
import { readPaymentRequired } from '../transport/payment-required.ts';
import { readRefusal, ServiceError } from './service-error.ts';

describe('a refusal of the service', () => {
  it('is understood in the envelope of every route', () => {
    const fault = new Fault('passwordWrong', { detail: 'no such account', facts: { paymentId: 'p' } });
    const wrapped = (Object.keys(allRoutes) as (keyof AllRoutes)[]).flatMap((name) => {
      const { envelope }: ServiceRoute = allRoutes[name];
      return envelope ? [{ name, ...envelope.failure(fault, 'r') }] : [];
    });
    assert.ok(wrapped.length > 20);
    for (const { name, status, body } of wrapped) {
      const refusal = readRefusal(body, { status, requestId: 'r' });
      assert.ok(refusal, name);
      // OAuth has few words, and tells which of its own it was by them alone.
      const code = 'error' in body ? 'requestMalformed' : 'passwordWrong';
      assert.deepEqual([refusal.code, refusal.requestId], [code, 'r'], name);
      assert.match(refusal.detail, /no such account/, name);
      assert.equal(refusal.status, 401, name);
    }
  });

  it('has a code, a status, words and a hint, also where its code is new', () => {
    const known = new ServiceError(readRefusal({ code: 'overloaded', detail: 'busy' }, { status: 503 })!, 3);
    assert.deepEqual([known.status, known.title, known.retryAfterSeconds], [503, faults.overloaded[1], 3]);
    assert.notEqual(known.hint, '');
    const body = { code: 'brandNew', message: 'm', data: { a: 1 } };
    const novel = new ServiceError(readRefusal(body, { status: 418, requestId: 'h' })!);
    assert.deepEqual(
      [novel.code, novel.status, novel.requestId, novel.facts],
      ['brandNew', 418, 'h', { a: 1 }],
    );
    assert.equal(novel.hint, 'm');
  });

  it('is none without a code and words', () => {
    const bodies: JsonObject[] = [
      {},
      { code: 1, detail: 'x' },
      { code: '', detail: 'x' },
      { code: 'overloaded' },
    ];
    for (const body of bodies) assert.equal(readRefusal(body, { status: 500 }), undefined);
    const names = ['constructor', '__proto__', 'toString'];
    for (const code of names) assert.equal(readRefusal({ code, detail: 'x' }, { status: 200 })?.status, 200);
  });
});

describe('a demand for payment', () => {
  const demand = { scheme: 'exact', network: 'n', payTo: 'p', asset: 'ZTX', amount: '5' };

  it('carries what is asked for', () => {
    const body = { x402Version: 1, error: 'pay', accepts: [{ ...demand, extra: { paymentId: 'id' } }] };
    const error = readPaymentRequired(body, { requestId: 'r' });
    assert.deepEqual([error?.paymentId, error?.demand.amount, error?.requestId], ['id', '5', 'r']);
    assert.deepEqual([error?.code, error?.message], ['paymentRequired', 'pay']);
  });

  it('is none where nothing usable is asked for', () => {
    const lists = [
      [],
      [null],
      ['x'],
      [{ ...demand, payTo: 7 }],
      [{ ...demand, amount: 5 }],
      [{ ...demand, extra: 'x' }],
    ];
    for (const accepts of lists) assert.equal(readPaymentRequired({ accepts }), undefined);
    assert.equal(readPaymentRequired({ code: 'paymentRefused', message: 'no' }), undefined);
    assert.equal(readPaymentRequired({ accepts: [demand] })?.paymentId, undefined);
  });
});
