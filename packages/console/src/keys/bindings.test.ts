import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindingOf, heldBindings, type KeyBinding, spelledKey } from './bindings.ts';

const binding = (keys: string, title: string, group: KeyBinding['group'] = 'anywhere'): KeyBinding => ({
  keys,
  title,
  group,
  act: () => undefined,
});

test('a key is listed once, as what it does here', () => {
  const frame = [binding('/', 'Search or jump to'), binding('?', 'This list')];
  const page = binding('/', 'Search the ledger', 'page');
  for (const all of [
    [page, ...frame],
    [...frame, page],
  ]) {
    assert.equal(bindingOf(all, '/'), page);
    assert.deepEqual(
      heldBindings(all)
        .map(({ title }) => title)
        .sort(),
      ['Search the ledger', 'This list'],
    );
  }
  assert.equal(bindingOf(frame, undefined), undefined);
});

test('of two of a kind the newer one counts', () => {
  const [older, newer] = [binding('j', 'old', 'lists'), binding('j', 'new', 'lists')];
  assert.deepEqual(heldBindings([older, newer]), [newer]);
});

test('keys are called as on the reader’s keyboard', () => {
  assert.equal(spelledKey('mod+k', 'Strg'), 'Strg K');
  assert.equal(spelledKey('j', 'Ctrl'), 'J');
  assert.equal(spelledKey('Enter', 'Ctrl'), 'Enter');
});
