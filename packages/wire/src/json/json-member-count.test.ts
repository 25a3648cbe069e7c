import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonLimits } from '@symbolon/core/limits/documents';
import { hasTooManyMembers } from './json-member-count.ts';

const { membersMax, objectMembersMax } = jsonLimits;
const object = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;

describe('members of a request', () => {
  it('are bounded in one object, wherever it stands', () => {
    assert.equal(hasTooManyMembers(object(objectMembersMax)), false);
    assert.equal(hasTooManyMembers(object(objectMembersMax + 1)), true);
    assert.equal(hasTooManyMembers(`{"a":[[{"b":${object(objectMembersMax + 1)}}]]}`), true);
    const around = `{"in":${object(3)},${object(objectMembersMax).slice(1)}`;
    assert.equal(hasTooManyMembers(around), true, 'an object inside is not the one around it');
  });

  it('are bounded in the whole text', () => {
    const many = (count: number) => `[${Array.from({ length: count }, () => object(10)).join()}]`;
    assert.equal(hasTooManyMembers(many(membersMax / 10)), false);
    assert.equal(hasTooManyMembers(many(membersMax / 10 + 1)), true);
  });

  it('are not what stands in strings, and elements are none', () => {
    assert.equal(hasTooManyMembers(`{"a":"${':'.repeat(membersMax + 1)}\\":"}`), false);
    assert.equal(hasTooManyMembers(`[${'1,'.repeat(membersMax)}1]`), false);
  });

  it('that are a list by their names are none, as far as they follow each other', () => {
    const list = (count: number, from = 0) =>
      `{${Array.from({ length: count }, (_, index) => `"${index + from}" : 7`).join()}}`;
    assert.equal(hasTooManyMembers(`[${list(membersMax + 1)},${list(5)}]`), false);
    assert.equal(hasTooManyMembers(list(objectMembersMax + 1, 1)), true);
  });

  it('of what is no JSON end somewhere', () => {
    assert.equal(hasTooManyMembers('{'.repeat(100_000)), false);
    assert.equal(hasTooManyMembers(`${'}'.repeat(100)}${':'.repeat(membersMax + 1)}`), true);
    assert.equal(hasTooManyMembers('{"a'), false);
    assert.equal(hasTooManyMembers(':'.repeat(objectMembersMax)), false);
    assert.equal(hasTooManyMembers(':'.repeat(objectMembersMax + 1)), true, 'the shortest that has too many');
  });
});
