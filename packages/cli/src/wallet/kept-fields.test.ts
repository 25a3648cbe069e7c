import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { CommandFailure } from '../terminal/failure.ts';
import { type KeptField, newFieldId, openKeptFields } from './kept-fields.ts';
import { openWalletDatabase } from './wallet-database.ts';

const signer = await signerFromSeed(new Uint8Array(32).fill(2));

async function openFields(context: TestContext) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-fields-'));
  const database = await openWalletDatabase(folder);
  context.after(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const field = (): KeptField => {
    const key = { crv: 'P-256', kty: 'EC', x: 'x', y: 'y', d: 'd' } as const;
    const one = { format: 'dc+sd-jwt', document: 'text', key } as const;
    return { id: newFieldId(), title: 'Card', credentials: [one, one] };
  };
  return {
    fields: await openKeptFields(database, signer),
    again: () => openKeptFields(database, signer),
    field,
  };
}

const usedOf = (fields: { kept: () => readonly KeptField[] }, { id }: KeptField) =>
  fields.kept().find((one) => one.id === id)?.used;

test('a copy is shown once, and again only where its owner knows', async (context) => {
  const { fields, again, field } = await openFields(context);
  const card = field();
  fields.put(card);
  fields.use([{ id: card.id, copy: 1, isAgain: false }]);
  const other = await again();
  assert.deepEqual(usedOf(other, card), [1]);
  assert.throws(() => other.use([{ id: card.id, copy: 1, isAgain: false }]), CommandFailure);
  other.use([{ id: card.id, copy: 1, isAgain: true }]);
  other.use([{ id: card.id, copy: 0, isAgain: false }]);
  assert.deepEqual(usedOf(fields, card), [1, 0]);
});

test('all copies of an answer are noted, or none', async (context) => {
  const { fields, field } = await openFields(context);
  const [card, pass] = [field(), field()];
  fields.put(card);
  fields.put(pass);
  fields.use([{ id: pass.id, copy: 0, isAgain: false }]);
  const both = [card, pass].map(({ id }) => ({ id, copy: 0, isAgain: false }));
  assert.throws(() => fields.use(both), CommandFailure);
  assert.equal(usedOf(fields, card), undefined);
  fields.drop(card.id);
  assert.throws(() => fields.use([{ id: card.id, copy: 0, isAgain: true }]), CommandFailure);
});
