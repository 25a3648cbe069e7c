import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nearestName, nearestSpelling, unknownName } from './known-names.ts';

const known = ['vp', 'challenge', 'domain', 'request', 'trustedIssuers'];

describe('the name that was meant', () => {
  test('is the same in other letters, then what another dialect calls so, then the nearest spelling', () => {
    assert.equal(nearestName('trusted_issuers', known), 'trustedIssuers');
    assert.equal(nearestName('TRUSTED-ISSUERS', known), 'trustedIssuers');
    assert.equal(nearestName('nonce', known), 'challenge');
    assert.equal(nearestName('challange', known), 'challenge');
    assert.equal(nearestName('rangeProofs', known), 'request');
    assert.equal(nearestName('rangeProofs', ['rangeProof', 'request']), 'rangeProof');
    assert.equal(nearestSpelling('nonce', known), undefined);
  });

  test('is none where nothing is near', () => {
    for (const name of ['', 'xyzzy', 'constructor', '__proto__', 'x'.repeat(100_000), '🜁'])
      assert.equal(nearestName(name, known), undefined, name.slice(0, 20));
  });
});

test('what is said about it is one short line', () => {
  assert.equal(unknownName('nonce', known), '"nonce" is not known here; did you mean "challenge"?');
  assert.equal(unknownName('xyzzy', ['a', 'b']), '"xyzzy" is not known here; known are "a", "b"');
  assert.equal(unknownName('x', []), '"x" is not known here; nothing may stand here');
  const long = unknownName(`a\n${'b'.repeat(10_000)}`, ['c']);
  assert.ok(long.length < 120 && !long.includes('\n'), long);
});
