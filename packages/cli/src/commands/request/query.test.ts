import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import { ages, ranges } from '../../credentials/disclosure-options.ts';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { queryOf } from './query.ts';

const today = '2026-06-15';
const template = `did:zid:${'ab'.repeat(32)}`;

describe('a query', () => {
  test('is one that the service reads', () => {
    const query = parseDcql(
      queryOf({ ask: ['degree'], range: ranges('points:100..500') }, template, today),
      '',
    );
    const [credential] = query.credentials;
    assert.equal(credential?.templateId, template);
    assert.deepEqual(
      credential?.claims.map(({ key, constraints }) => [key, constraints]),
      [
        ['degree', {}],
        ['points', { minimum: 100, maximum: 500 }],
      ],
    );
  });

  test('has dates and long numbers as text, because JSON numbers would lose digits', () => {
    const query = queryOf(
      { range: ranges('a:2000-01-01..', ranges('b:..1234567890123456', ranges('c:-7..0.50'))) },
      undefined,
      today,
    );
    const claims = parseDcql(query, '').credentials[0]?.claims.map(({ constraints }) => constraints);
    assert.deepEqual(claims, [
      { minimum: -7, maximum: '0.50' },
      { maximum: '1234567890123456' },
      { minimum: '2000-01-01' },
    ]);
  });

  test('asks for ages as days of birth', () => {
    const query = queryOf(
      { age: ages('birthDate:18..', ages('b:18..65', ages('c:..17'))) },
      undefined,
      today,
    );
    const claims = parseDcql(query, '').credentials[0]?.claims.map(({ key, constraints }) => [
      key,
      constraints,
    ]);
    assert.deepEqual(claims, [
      ['c', { minimum: '2008-06-16' }],
      ['b', { minimum: '1960-06-16', maximum: '2008-06-15' }],
      ['birthDate', { maximum: '2008-06-15' }],
    ]);
  });

  test('asks for something, and for nothing twice', () => {
    const usage = (message: RegExp) => (error: unknown) =>
      error instanceof CommandFailure && error.exitCode === exitCodes.usage && message.test(error.message);
    assert.throws(() => queryOf({}, undefined, today), usage(/Nothing is asked for/));
    assert.throws(
      () => queryOf({ ask: ['points'], range: ranges('points:1..') }, undefined, today),
      usage(/twice/),
    );
    const both = { range: ranges('born:..2000-01-01'), age: ages('born:18..') };
    assert.throws(() => queryOf(both, undefined, today), usage(/born is asked for twice/));
    const impossible = { age: ages('born:65..18') };
    assert.throws(() => queryOf(impossible, undefined, today), usage(/greater than its maximum/));
    assert.ok(queryOf({}, template, today), 'having the credential is something');
  });
});
