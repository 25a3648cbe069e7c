import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { checkAge, checkSharedSignature } from './signatures.ts';

const timestamp = '2030-01-01T00:00:00Z';
const text = '{"verified":true}';

test('the shared signature is by the secret', () => {
  const signature = createHmac('sha256', 'secret').update(`${timestamp}.${text}`).digest('base64');
  assert.equal(checkSharedSignature('secret', { text, timestamp, signature }), undefined);
  for (const other of ['', 'AAAA', `A${signature.slice(1)}`, signature.toLowerCase()])
    assert.match(
      checkSharedSignature('secret', { text, timestamp, signature: other }) ?? '',
      /not by the shared/,
    );
  assert.ok(checkSharedSignature('other', { text, timestamp, signature }));
});

test('a signature counts for minutes', () => {
  const at = Date.parse(timestamp);
  assert.equal(checkAge(timestamp, at + 299_000), undefined);
  assert.equal(checkAge(timestamp, at - 299_000), undefined);
  for (const [time, now] of [
    [timestamp, at + 301_000],
    [timestamp, at - 301_000],
    ['then', at],
    ['', at],
  ] as const)
    assert.match(checkAge(time, now) ?? '', /not about now/);
});
