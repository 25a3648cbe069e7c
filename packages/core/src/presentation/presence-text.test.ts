import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { presenceLimits } from '../limits/documents.ts';
import {
  contentSubject,
  type ExpectedPresence,
  type Presence,
  parsePresenceText,
  presenceProblem,
  presenceText,
  presenceTextAt,
} from './presence-text.ts';

const now = Date.parse('2026-11-16T10:00:00Z');
const presence: Presence = {
  purpose: 'download',
  audience: 'https://service.example',
  subject: 'did:zid:ab',
  created: '2026-11-16T10:00:00Z',
};

describe('the text', () => {
  test('has one spelling, which is read back', () => {
    const text = presenceText(presence);
    assert.equal(
      text,
      'symbolon-presence-v1\npurpose: download\naudience: https://service.example\nsubject: did:zid:ab\ncreated: 2026-11-16T10:00:00Z',
    );
    assert.deepEqual(parsePresenceText(text), presence);
    const challenged = { ...presence, challenge: 'a-nonce' };
    assert.deepEqual(parsePresenceText(presenceText(challenged)), challenged);
    for (const one of [
      { ...presence, nonce: 'x' },
      { ...challenged, nonce: 'x' },
    ])
      assert.deepEqual(parsePresenceText(presenceText(one)), one);
    assert.equal(presenceTextAt(presence, now + 999), text);
  });

  test('is nothing else: other tags, purposes, orders, spaces, lines, sizes', () => {
    const text = presenceText(presence);
    for (const other of [
      '',
      'did:zid:ab',
      ` ${text}`,
      `${text}\n`,
      `${text}\nchallenge: `,
      `${text}\nchallenge: a b`,
      `${text}\nnonce: x\nchallenge: y`,
      `${text}\nnonce: x\nnonce: y`,
      `${text}\nanother: line`,
      text.replace('v1', 'v2'),
      text.replace('download', 'everything'),
      text.replaceAll('\n', '\r\n'),
      text.replace('did:zid:ab', 'did:zid:ab '),
      text.replace('did:zid:ab', 'did:zid:äb'),
      text.replace('10:00:00Z', '11:00:00+01:00'),
      text.replace('2026-11-16T10:00:00Z', 'now'),
      text.replace('did:zid:ab', 'a'.repeat(presenceLimits.textCharsMax)),
      text.split('\n').reverse().join('\n'),
    ])
      assert.equal(parsePresenceText(other), undefined, JSON.stringify(other));
  });

  test('names contents by their hash', () => {
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
    assert.equal(
      contentSubject('abc', sha256),
      'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

describe('a text is good', () => {
  const expected: ExpectedPresence = { ...presence, now };
  const problem = (given: Partial<Presence>, more: Partial<ExpectedPresence> = {}) =>
    presenceProblem({ ...presence, ...given }, { ...expected, ...more });

  test('for its purpose, service, subject and challenge alone', () => {
    assert.equal(problem({}), undefined);
    assert.equal(problem({ nonce: 'whatever' }), undefined);
    assert.match(problem({ purpose: 'download-all' }) ?? '', /is for download-all, and download is asked/);
    assert.match(problem({ audience: 'https://other.example' }) ?? '', /another service/);
    assert.match(problem({ audience: 'http://service.example' }) ?? '', /another service/);
    assert.match(problem({ subject: 'did:zid:ac' }) ?? '', /something else/);
    assert.match(problem({ challenge: 'x' }) ?? '', /challenge/);
    assert.equal(problem({ challenge: 'x' }, { challenge: 'x' }), undefined);
    const binding = { purpose: 'holder-binding' } as const;
    assert.match(problem(binding, { ...binding, challenge: 'x' }) ?? '', /challenge/);
    assert.equal(problem({ ...binding, challenge: 'x' }, { ...binding, challenge: 'x' }), undefined);
  });

  test('for five minutes, either way', () => {
    const { ageMsMax } = presenceLimits;
    assert.equal(problem({}, { now: now + ageMsMax }), undefined);
    assert.equal(problem({}, { now: now - ageMsMax }), undefined);
    assert.match(problem({}, { now: now + ageMsMax + 1 }) ?? '', /too long ago/);
    assert.match(problem({}, { now: now - ageMsMax - 1 }) ?? '', /future/);
  });

  test('at any name that this machine has for itself, with the same port', () => {
    const local = (left: string, right: string) => problem({ audience: left }, { audience: right });
    assert.equal(local('http://localhost:8080', 'http://127.0.0.1:8080'), undefined);
    assert.equal(local('http://[::1]:8080', 'http://localhost:8080'), undefined);
    assert.match(local('http://localhost:8081', 'http://127.0.0.1:8080') ?? '', /another/);
    assert.match(local('https://localhost:8080', 'http://127.0.0.1:8080') ?? '', /another/);
    assert.match(local('http://localhost.example:8080', 'http://localhost:8080') ?? '', /another/);
    assert.match(local('http://127.0.0.1:8080@evil.example', 'http://127.0.0.1:8080') ?? '', /another/);
  });
});
