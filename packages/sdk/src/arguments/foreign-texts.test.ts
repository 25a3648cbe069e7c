import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseForeignBase64 } from './foreign-texts.ts';

test('base64 of any bytes is read back, padded or not', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      assert.deepEqual(parseForeignBase64(text), Uint8Array.from(bytes));
      assert.deepEqual(parseForeignBase64(text.replaceAll('=', '')), Uint8Array.from(bytes));
    }),
  );
});

for (const text of ['A', 'AAAAA', '=', 'A===', 'AA=A', 'AA==AA==', 'A A=', ' AAAA', 'AAAA\n', 'AA-_', 'AAA€'])
  test(`${JSON.stringify(text)} is not base64`, () => assert.equal(parseForeignBase64(text), undefined));
