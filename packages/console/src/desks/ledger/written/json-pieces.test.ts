import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPieces, prettyJson } from './json-pieces.ts';

test('JSON is indented, and nothing in it changes', () => {
  const text = '{"a":[1,"x, {y}"],"b":{},"c":9007199254740993,"d":"\\"q\\""}';
  const pretty = prettyJson(text);
  assert.equal(
    pretty,
    '{\n  "a": [\n    1,\n    "x, {y}"\n  ],\n  "b": {},\n  "c": 9007199254740993,\n  "d": "\\"q\\""\n}',
  );
  assert.equal(
    jsonPieces(pretty)
      .map(({ text: piece }) => piece)
      .join(''),
    pretty,
  );
  assert.deepEqual(
    jsonPieces(pretty)
      .filter(({ tone }) => tone === 's')
      .map(({ text: piece }) => piece),
    ['"x, {y}"', '"\\"q\\""'],
  );
});
