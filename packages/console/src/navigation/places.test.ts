import assert from 'node:assert/strict';
import { test } from 'node:test';
import { desks, desksOf, type PlaceName } from './places.ts';

const everybody = { scopes: ['issue', 'templates', 'verify', 'admin'], isHolder: true } as const;

test('no two places share a path, a name or a key', () => {
  const places = desks.flatMap((desk) => desk.places);
  const keys = places.flatMap(({ key }) => (key === undefined ? [] : [key]));
  for (const list of [places.map(({ path }) => path), places.map(({ name }) => name), keys])
    assert.equal(new Set(list).size, list.length);
});

test('what is not built is absent, and so is what one has no key for', () => {
  const built = new Set<PlaceName>(['issued', 'cards', 'lab']);
  const names = (reader: Parameters<typeof desksOf>[0]) => desksOf(reader, built).map(({ name }) => name);
  assert.deepEqual(names({ scopes: [], isHolder: false }), ['lab']);
  assert.deepEqual(names({ scopes: ['verify'], isHolder: true }), ['wallet', 'lab']);
  assert.deepEqual(names(everybody), ['issue', 'wallet', 'lab']);
  assert.deepEqual(
    desksOf(everybody, built)[0]?.places.map(({ name }) => name),
    ['issued'],
  );
  assert.deepEqual(desksOf(everybody, new Set()), []);
  const developer = new Set<PlaceName>(['apiKeys', 'audit']);
  const placesOf = (reader: Parameters<typeof desksOf>[0]) =>
    desksOf(reader, developer).flatMap(({ places }) => places.map(({ name }) => name));
  assert.deepEqual(placesOf({ scopes: [], isHolder: true }), []);
  assert.deepEqual(placesOf({ scopes: ['verify'], isHolder: false }), ['apiKeys']);
  assert.deepEqual(placesOf(everybody), ['apiKeys', 'audit']);
});

test('checking a document is open to all, the rest of its desk is not', () => {
  const built = new Set<PlaceName>(['ask', 'check']);
  const names = (scopes: readonly 'verify'[]) =>
    desksOf({ scopes, isHolder: false }, built).flatMap(({ places }) => places.map(({ name }) => name));
  assert.deepEqual(names([]), ['check']);
  assert.deepEqual(names(['verify']), ['ask', 'check']);
});
