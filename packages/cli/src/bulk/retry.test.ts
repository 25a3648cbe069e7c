import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { bulkLimits } from '../limits/command-limits.ts';
import { createPatience } from './retry.ts';

const refusal = (code: string, status: number, retryAfter?: number) =>
  new ServiceError({ title: '', status, code, detail: code, requestId: '' }, retryAfter);
const away = () => new SdkError('unreachable', 'nobody answers', { hint: '' });

/** A clock that moves when somebody waits. */
function patience() {
  let now = 0;
  const pauses: number[] = [];
  const patiently = createPatience({
    nowMs: () => now,
    wait: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
  });
  return { patiently, pauses };
}

/** Fails with these first, then answers. */
function failing(...errors: Error[]) {
  const calls = { count: 0 };
  const call = async () => {
    const error = errors[calls.count];
    calls.count += 1;
    if (error) throw error;
    return 'done';
  };
  return { call, calls };
}

describe('patience', () => {
  test('waits as long as it is told, and longer each time nobody answers', async () => {
    const { patiently, pauses } = patience();
    const { call } = failing(refusal('tooManyRequests', 429, 7), away(), away(), refusal('overloaded', 503));
    assert.equal(await patiently(call), 'done');
    assert.deepEqual(pauses, [7_000, 500, 1_000, 1_000]);
  });

  test('waits no longer than it is patient, whatever it is told', async () => {
    const { patiently, pauses } = patience();
    await patiently(failing(refusal('tooManyRequests', 429, 1e9)).call);
    assert.deepEqual(pauses, [bulkLimits.patienceMs]);
  });

  test('makes all wait when one is told to, but not for a request of its own', async () => {
    const { patiently, pauses } = patience();
    await patiently(failing(refusal('requestInProgress', 409, 1)).call);
    assert.deepEqual(pauses, [1_000]);
    const first = failing(refusal('tooManyRequests', 429, 3));
    const second = failing();
    const firstDone = patiently(first.call);
    await Promise.resolve();
    await Promise.all([firstDone, patiently(second.call)]);
    assert.deepEqual([first.calls.count, second.calls.count], [2, 1]);
  });

  test('ends: nobody answers, or the service is busy for too long', async () => {
    const nobody = patience();
    const silent = failing(...Array.from({ length: 20 }, away));
    await assert.rejects(nobody.patiently(silent.call), { code: 'unreachable' });
    assert.equal(silent.calls.count, bulkLimits.attemptsMax);
    const busy = failing(...Array.from({ length: 100 }, () => refusal('tooManyRequests', 429, 60)));
    await assert.rejects(patience().patiently(busy.call), { code: 'tooManyRequests' });
    assert.ok(busy.calls.count < 15);
  });

  test('does not repeat what is refused for good, or is a defect', async () => {
    for (const error of [
      refusal('attributesInvalid', 400),
      refusal('internalError', 500),
      new TypeError('x'),
    ]) {
      const { patiently, pauses } = patience();
      const { call, calls } = failing(error);
      await assert.rejects(patiently(call), error);
      assert.deepEqual([calls.count, pauses], [1, []]);
    }
  });
});
