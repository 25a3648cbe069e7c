import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPlaces, lineOfPointer } from './json-places.ts';

const mistakeIn = (text: string) => {
  const places = jsonPlaces(text);
  return 'mistake' in places ? places.mistake : undefined;
};

test('every value has its line', () => {
  const places = jsonPlaces('{\n  "a": [1,\n    {"b/c": true}\n  ],\n  "d": "x"\n}');
  assert.ok('lines' in places);
  assert.equal(places.lines.get(''), 1);
  assert.equal(places.lines.get('/a/0'), 2);
  assert.equal(places.lines.get('/a/1/b~1c'), 3);
  assert.equal(places.lines.get('/d'), 5);
  assert.equal(lineOfPointer(places.lines, '/a/1/missing/deep'), 3);
  assert.equal(lineOfPointer(places.lines, '/nowhere'), 1);
});

test('the first mistake has its line', () => {
  assert.deepEqual(mistakeIn(' \n '), { line: 2, problem: 'empty' });
  assert.deepEqual(mistakeIn('{\n "a": 1\n "b": 2\n}'), { line: 3, problem: 'comma' });
  assert.deepEqual(mistakeIn('{\n "a": ,\n}'), { line: 2, problem: 'value' });
  assert.deepEqual(mistakeIn('{"a": 1,\n}'), { line: 2, problem: 'member' });
  assert.deepEqual(mistakeIn('[\n"open'), { line: 2, problem: 'text' });
  assert.deepEqual(mistakeIn('{}\nmore'), { line: 2, problem: 'rest' });
  assert.deepEqual(mistakeIn('['.repeat(100)), { line: 1, problem: 'depth' });
});

test('it takes what JSON.parse takes, and nothing else', () => {
  for (const text of ['{}', '[]', '"é\\u00e9"', '-1.5e3', 'null', ' [ 1 , [ ] ] '])
    assert.equal(mistakeIn(text), undefined, text);
  for (const text of ['01', "'a'", '{a:1}', '[1,]', 'nul', '"\t"']) {
    assert.throws(() => JSON.parse(text), text);
    assert.ok(mistakeIn(text), text);
  }
});
