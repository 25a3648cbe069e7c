import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@symbolon/wire/json/json';
import { SdkError } from '../errors/errors.ts';
import { assertAsOrdered, firstDifference } from './order-comparison.ts';

test('equal values have no difference, whatever the order of their members', () => {
  assert.equal(firstDifference({ a: 1, b: [1n, 'x', null] }, { b: [1n, 'x', null], a: 1 }), undefined);
});

test('the first difference is named: changed, missing, added, of another kind', () => {
  const cases: [JsonValue, JsonValue | undefined, string][] = [
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, 'a.b[1]'],
    [{ a: { b: [1, 2] } }, { a: { b: [1] } }, 'a.b[1]'],
    [{ a: 1 }, { a: 1, c: 2 }, 'c'],
    [{ a: 1, c: 2 }, { a: 1 }, 'c'],
    [{ a: 1 }, { a: '1' }, 'a'],
    [{ a: 1 }, { a: 1n }, 'a'],
    [{ a: [] }, { a: {} }, 'a'],
    [{ a: null }, {}, 'a'],
    [{}, { toString: 'x' }, 'toString'],
    ['a', undefined, ''],
  ];
  for (const [ordered, offered, difference] of cases)
    assert.equal(firstDifference(ordered, offered), difference);
});

test('what is not as ordered is an error that names the member, never its value', () => {
  assert.throws(
    () =>
      assertAsOrdered({ what: 'the credential', rootMember: 'vcObject' }, { name: 'Ann' }, { name: 'Eve' }),
    (error) =>
      error instanceof SdkError &&
      error.code === 'notAsOrdered' &&
      error.message.endsWith(': name') &&
      !/Ann|Eve/.test(error.message),
  );
});
