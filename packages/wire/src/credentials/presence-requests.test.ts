import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyBytes, isPlainMessage } from '@symbolon/core/custody/signable-bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { presenceText } from '@symbolon/core/presentation/presence-text';
import { parsePresenceHeader, presenceHeader, readPresence } from './presence-requests.ts';

const presence = {
  purpose: 'session-answer',
  audience: 'https://service.example',
  subject: 'a-session',
  created: '2026-11-16T10:00:00Z',
  nonce: 'x',
} as const;
const text = presenceText(presence);

test('a body has the text, a header its base64url', () => {
  assert.deepEqual(readPresence(text), { ...presence, text });
  assert.deepEqual(parsePresenceHeader(presenceHeader(text)), { ...presence, text });
  assert.equal(readPresence(undefined), undefined);
});

test('what is no such text is refused, by its place', () => {
  const isRefused = (error: unknown) =>
    error instanceof Fault && error.code === 'requestMalformed' && error.errors[0]?.pointer === '/signedText';
  for (const other of ['words', `${text}\n`, 'ZTX3abc']) assert.throws(() => readPresence(other), isRefused);
  const headers = ['', 'words', text, `${presenceHeader(text)}=`, Buffer.from([0xff]).toString('base64url')];
  for (const other of [...headers, 'A'.repeat(4_000)]) assert.equal(parsePresenceHeader(other), undefined);
});

test('a key in custody signs such a text as a message: nobody can read an order to pay in it', () => {
  const bytes = Buffer.from(text);
  assert.equal(classifyBytes(bytes).kind, 'data');
  assert.equal(isPlainMessage(text, bytes), true);
});
