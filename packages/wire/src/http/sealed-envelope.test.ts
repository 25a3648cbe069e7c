import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeBase64Url, encodeHex } from '@symbolon/core/basics/bytes';
import fc from 'fast-check';
import {
  encodeFrame,
  parseSealedFrame,
  parseSealHeaders,
  readX25519Key,
  renderSealHeaders,
  sealBytes,
  sealedTextCharsMax,
} from './sealed-envelope.ts';

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('the sealed envelope', () => {
  it('frames and unframes', () => {
    const frame = fc.record({
      iv: bytesOf(sealBytes.iv),
      ciphertext: fc.uint8Array({ maxLength: 200 }),
      tag: bytesOf(sealBytes.tag),
    });
    fc.assert(
      fc.property(frame, (parts) => {
        const text = encodeFrame(parts);
        assert.ok(text.length <= sealedTextCharsMax(parts.ciphertext.length));
        const parsed = parseSealedFrame(text)!;
        for (const part of ['iv', 'ciphertext', 'tag'] as const) {
          assert.deepEqual([...parsed[part]], [...parts[part]]);
        }
      }),
    );
  });

  it('unframes nothing else', () => {
    const short = encodeBase64Url(new Uint8Array(sealBytes.iv + sealBytes.tag - 1));
    for (const text of ['', '""', short, 'a', 'not base64!', '{"data":"x"}', `+_${'a'.repeat(60)}`]) {
      assert.equal(parseSealedFrame(text), undefined, text);
    }
  });

  it('renders headers that it reads', () => {
    fc.assert(
      fc.property(bytesOf(256), bytesOf(32), (wrappedKey, x25519PublicKey) => {
        const headers = renderSealHeaders({ wrappedKey, x25519PublicKey, keyId: 'k1' });
        const lower = Object.fromEntries(
          Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]),
        );
        const parsed = parseSealHeaders(lower)!;
        assert.deepEqual([...parsed.wrappedKey], [...wrappedKey]);
        assert.deepEqual([...parsed.x25519PublicKeys[0]], [...x25519PublicKey]);
        assert.equal(parsed.keyId, 'k1');
        for (const text of [encodeBase64Url(x25519PublicKey), encodeHex(x25519PublicKey).toUpperCase()]) {
          assert.ok(readX25519Key(text).some((key) => encodeHex(key) === encodeHex(x25519PublicKey)));
        }
      }),
    );
  });

  it('reads no other headers', () => {
    const good = { secretkey: 'AAAA', x25519pubkey: '00'.repeat(32) };
    assert.ok(parseSealHeaders(good));
    for (const bad of [
      {},
      { ...good, secretkey: '' },
      { ...good, secretkey: '!' },
      { ...good, secretkey: ['AAAA', 'AAAA'] },
      { ...good, secretkey: 'A'.repeat(2_052) },
      { ...good, x25519pubkey: '00'.repeat(31) },
      { ...good, x25519pubkey: 'z' },
      { ...good, kid: 'k'.repeat(65) },
      { ...good, kid: '' },
    ]) {
      assert.equal(parseSealHeaders(bad), undefined);
    }
  });
});
