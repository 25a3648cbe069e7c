import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { untilHeard } from './handing-in.ts';

const unheard = () => new SdkError('unreachable', 'nobody answers', { hint: 'Start it.' });

/** Fails so often before it is heard. */
function failing(times: number, error: Error) {
  let calls = 0;
  const submit = async () => {
    calls += 1;
    if (calls <= times) throw error;
    return 'told';
  };
  return { submit, calls: () => calls };
}

test('an answer that got lost is asked for again, a few times', async () => {
  const twice = failing(2, unheard());
  assert.equal(await untilHeard(twice.submit), 'told');
  assert.equal(twice.calls(), 3);
  const never = failing(99, unheard());
  await assert.rejects(untilHeard(never.submit), { code: 'unreachable' });
  assert.equal(never.calls(), 3);
});

test('a refusal was heard', async () => {
  const refused = failing(99, new SdkError('unexpectedReply', 'no', { hint: '' }));
  await assert.rejects(untilHeard(refused.submit), { code: 'unexpectedReply' });
  assert.equal(refused.calls(), 1);
});
