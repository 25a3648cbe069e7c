import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remembered } from './remembered.ts';

test('an answer is kept, a failure is not', async () => {
  let calls = 0;
  const read = remembered(async () => {
    calls += 1;
    if (calls === 1) throw new Error('away');
    return calls;
  });
  await assert.rejects(Promise.all([read(), read()]), /away/);
  assert.equal(calls, 1, 'whoever asks meanwhile waits for the same');
  assert.deepEqual(await Promise.all([read(), read()]), [2, 2]);
  assert.equal(await read(), 2);
});
