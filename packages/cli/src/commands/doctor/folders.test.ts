import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoGenesisSeed } from '@symbolon/demo/keys';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import { keyFormat } from '../../profile/key-format.ts';
import { publicGenesisAddress } from './folders.ts';

test('the doctor knows a chain of the demo by its genesis account', () => {
  assert.equal(publicGenesisAddress, keyFormat.addressOf(publicKeyOf(demoGenesisSeed())));
});
