import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeBase58, encodeBase64Url, encodeHex, parseBase58, parseBase64, parseHex } from './bytes.ts';

describe('hex', () => {
  it('is written in lower case and read back, every byte of it', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    assert.equal(encodeHex(all), Buffer.from(all).toString('hex'));
    assert.deepEqual(parseHex(encodeHex(all)), all);
    assert.equal(encodeHex(Buffer.from('00ff', 'hex')), '00ff', 'bytes of any kind');
    assert.equal(encodeHex(new Uint8Array(0)), '');
  });
});

describe('base64 and base58', () => {
  it('read back what was written, in every spelling', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const usual = Buffer.from(bytes).toString('base64');
        const spellings = [encodeBase64Url(bytes), usual, usual.replace(/=+$/, '')];
        for (const text of spellings) assert.deepEqual([...parseBase64(text)!], [...bytes]);
        assert.deepEqual([...parseBase58(encodeBase58(bytes), 200)!], [...bytes]);
      }),
    );
  });

  it('refuse everything else', () => {
    for (const text of ['a', 'a=', 'ab=', 'a b', 'ab\n', '+_aa', 'ab===', 'AB', '=', '====', 'ä']) {
      assert.equal(parseBase64(text), undefined, text);
    }
    for (const text of ['0', 'O', 'I', 'l', ' 1', 'ä', '1'.repeat(11)]) {
      assert.equal(parseBase58(text, 10), undefined, text);
    }
  });
});
