import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { didMethod, issuer, sha256, stranger } from '../credential/testing/sample-credentials.ts';
import {
  compareVersions,
  isCleanName,
  isFrameName,
  isReservedKey,
  isVersion,
  normalisedName,
  templateId,
} from './template-names.ts';

describe('names of templates', () => {
  test('case, spacing and composition do not make another name', () => {
    const same = ['Residence Permit', ' residence  PERMIT ', 'Residence\tPermit', 'Residence\u00a0Permit'];
    assert.equal(new Set(same.map(normalisedName)).size, 1);
    assert.equal(normalisedName('CAFE\u0301'), normalisedName('caf\u00e9'));
  });

  test('the identifier is of issuer and name', () => {
    const idOf = (name: string, owner = issuer.did) =>
      templateId({ issuer: owner, name }, { didMethod, sha256 });
    assert.match(idOf('a'), /^did:zid:[0-9a-f]{64}$/);
    assert.equal(idOf('A '), idOf('a'));
    assert.notEqual(idOf('a'), idOf('b'));
    assert.notEqual(idOf('a'), idOf('a', stranger.did));
  });

  test('names that deceive are not clean', () => {
    for (const name of [
      '',
      ' a',
      'a  b',
      'a\u202eb',
      'a\u200bb',
      'a\0',
      'e\u0301',
      '\ud800',
      'a'.repeat(129),
      'a\nb',
    ])
      assert.equal(isCleanName(name), false, JSON.stringify(name));
    for (const name of ['a', 'Größe 1', '居留许可', 'a'.repeat(128)]) assert.ok(isCleanName(name));
  });

  test('keys that mean something else', () => {
    for (const key of ['id', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])
      assert.ok(isReservedKey(key));
    for (const key of ['ID', 'name', 'proto']) assert.equal(isReservedKey(key), false);
    for (const key of [
      'issuer',
      'type',
      'validUntil',
      'credentialSubject',
      'proof',
      'holder',
      'expirationDate',
    ])
      assert.ok(isFrameName(key));
    for (const key of ['Issuer', 'name', 'description', 'status']) assert.equal(isFrameName(key), false);
  });
});

describe('versions', () => {
  test('dotted numbers only', () => {
    for (const version of ['1', '1.0', '0.0.1', '1.2.3.4', '999999999']) assert.ok(isVersion(version));
    for (const version of [
      '',
      '1.',
      '.1',
      'v1',
      '1.0.0.0.0',
      '01',
      '1.00',
      '-1',
      '1e3',
      '1 ',
      '1.0-beta',
      '1234567890',
    ])
      assert.equal(isVersion(version), false, version);
  });

  test('numbers compare as numbers, missing parts are 0', () => {
    assert.ok(compareVersions('1.10', '1.9') > 0);
    assert.ok(compareVersions('1.0.1', '1') > 0);
    assert.ok(compareVersions('0.9.9.9', '1') < 0);
    assert.equal(compareVersions('1', '1.0.0.0'), 0);
  });

  test('property: comparing is an order', () => {
    const version = fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        assert.equal(Math.sign(compareVersions(a, b)), -Math.sign(compareVersions(b, a)) || 0);
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) assert.ok(compareVersions(a, c) <= 0);
      }),
    );
  });
});
