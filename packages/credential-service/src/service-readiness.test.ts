import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createReadiness } from './service-readiness.ts';

describe('readiness', () => {
  const fine = { problem: 'the first does not answer', check: async () => 'anything' };

  test('is nothing but the first problem', async () => {
    assert.equal(await createReadiness([fine, fine])(), undefined);
    const broken = { problem: 'broken', check: () => Promise.reject(new Error('inner detail')) };
    const other = { problem: 'other', check: () => Promise.reject(new Error('inner detail')) };
    assert.equal(await createReadiness([fine, broken, other])(), 'broken');
  });

  test('does not wait for what hangs', async () => {
    const hangs = { problem: 'it hangs', check: () => new Promise(() => undefined) };
    assert.equal(await createReadiness([fine, hangs], 10)(), 'it hangs');
  });

  test('asks once for all who ask at the same time', async () => {
    let count = 0;
    const counted = { problem: 'none', check: async () => void count++ };
    const ask = createReadiness([counted]);
    await Promise.all(Array.from({ length: 100 }, () => ask()));
    assert.equal(count, 1);
  });
});
