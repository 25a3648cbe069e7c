import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RecentMap } from './recent-map.ts';

const mapOf = (names: Iterable<string>, entriesMax: number): RecentMap<string, string> => {
  const map = new RecentMap<string, string>(entriesMax);
  for (const name of names) map.set(name, name);
  return map;
};

describe('a recent map', () => {
  it('forgets what was not asked for, and keeps what was', () => {
    const map = mapOf('abcd', 4);
    assert.equal(map.get('a'), 'a');
    map.set('e', 'e');
    assert.equal(map.get('b'), undefined);
    assert.deepEqual(
      [...'ae'].map((name) => map.get(name)),
      ['a', 'e'],
    );
  });

  it('looks without asking', () => {
    const map = mapOf('abcd', 4);
    assert.ok(map.has('a') && !map.has('x'));
    map.set('e', 'e');
    assert.ok(!map.has('a'));
  });

  it('answers the newest value, deletes every one, and holds no more than its bound', () => {
    const entriesMax = 6;
    const step = fc.tuple(fc.constantFrom('set', 'get', 'delete'), fc.nat({ max: 12 }), fc.nat());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const map = new RecentMap<number, number>(entriesMax);
        const newest = new Map<number, number>();
        for (const [kind, key, value] of steps) {
          if (kind === 'delete') {
            map.delete(key);
            newest.delete(key);
          } else if (kind === 'set') {
            map.set(key, value);
            newest.set(key, value);
            assert.equal(map.get(key), value);
          } else assert.ok([undefined, newest.get(key)].includes(map.get(key)));
        }
        const held = Array.from({ length: 13 }, (_, key) => key).filter((key) => map.has(key));
        assert.ok(held.length <= entriesMax);
        assert.ok(held.every((key) => newest.has(key)));
      }),
    );
  });
});
