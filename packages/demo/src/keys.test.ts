import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { demoGenesisSeed, demoWarning } from './keys.ts';

describe("the demo's key", () => {
  test('is the first of the public vectors, and marked as known', () => {
    const file = new URL('../../core/vectors/ledger/keys.json', import.meta.url);
    const { keys } = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(encodeHex(demoGenesisSeed()), keys[0].raw_private_key_hex);
    assert.match(demoWarning[0], /PUBLICLY KNOWN/);
  });
});
