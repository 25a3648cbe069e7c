import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecordSealer, openWhole } from './records.ts';
import { randomBytes, secretBytes } from './sealing.ts';
import type { VaultFailure } from './vault-failure.ts';
import type { KeptRecord } from './vault-store.ts';

const mine = 'did:zid:aa';
const sealer = await createRecordSealer(mine, randomBytes(secretBytes));
const others = await createRecordSealer('did:zid:bb', randomBytes(secretBytes));
const first = await sealer.seal({ name: 'data/cards/1', value: { degree: 'BSc' } });
const second = await sealer.seal({ name: 'data/cards/2', value: { degree: 'MSc' } });
const foreign = await others.seal({ name: 'data/cards/1', value: { degree: 'PhD' } });

/** What somebody with the disk can put in the place of the first record. */
const attacks: Readonly<Record<string, KeptRecord>> = {
  'another record of the vault': { ...second, mark: first.mark },
  'a record of another vault': { ...foreign, vault: mine, mark: first.mark },
  'a cut one': { ...first, ciphertext: first.ciphertext.slice(0, -1) },
  'an empty one': { ...first, ciphertext: new Uint8Array(0) },
  'one with another beginning': { ...first, iv: randomBytes(12) },
  'what is no record': { vault: mine, mark: first.mark } as KeptRecord,
};

test('a record that was changed, cut or swapped does not open', async () => {
  for (const [what, kept] of Object.entries(attacks))
    await assert.rejects(sealer.open(kept), ({ code }: VaultFailure) => code === 'damaged', what);
});

test('one that does not open takes no other with it, and is counted', async () => {
  for (const [what, kept] of Object.entries(attacks))
    assert.deepEqual(
      await openWhole(sealer, [kept, second]),
      { records: [{ name: 'data/cards/2', value: { degree: 'MSc' } }], damaged: 1 },
      what,
    );
});
