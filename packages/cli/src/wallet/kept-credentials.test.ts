import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { holder, sampleCredential, stranger } from '@symbolon/core/credential/testing/sample-credentials';
import { Fault } from '@symbolon/core/faults/faults';
import { type Signer, signerFromSeed } from '@symbolon/sdk/keys/signer';
import type { JsonObject } from '@symbolon/wire/json/json';
import { CommandFailure } from '../terminal/failure.ts';
import { openKeptCredentials } from './kept-credentials.ts';
import { openWalletDatabase } from './wallet-database.ts';

const signer = await signerFromSeed(new Uint8Array(32).fill(2));
const document = sampleCredential() as unknown as JsonObject;

async function openDatabase(context: TestContext) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-kept-'));
  const database = await openWalletDatabase(folder);
  context.after(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return database;
}

describe('credentials in the wallet', () => {
  test('are kept once, and read as they were issued', async (context) => {
    const database = await openDatabase(context);
    const kept = await openKeptCredentials(database, signer);
    assert.equal(kept.keep(document), true);
    assert.equal(kept.keep(document), false);
    const again = (await openKeptCredentials(database, signer)).all();
    assert.deepEqual(
      again.map((one) => one.document),
      [document],
    );
    assert.equal(again[0]?.parsed.credential.credentialSubject.id, holder.did);
  });

  test('of somebody else, or none at all, are refused', async (context) => {
    const kept = await openKeptCredentials(await openDatabase(context), signer);
    const theirs = sampleCredential({ owner: stranger }) as unknown as JsonObject;
    assert.throws(() => kept.keep(theirs), CommandFailure);
    for (const none of [{}, { ...document, extra: 1 }, { ...document, proof: [] }])
      assert.throws(() => kept.keep(none), Fault);
    assert.deepEqual(kept.all(), []);
  });

  test('are sealed: nothing of them stands in the file, and no other key opens them', async (context) => {
    const database = await openDatabase(context);
    (await openKeptCredentials(database, signer)).keep(document);
    const [row] = database.prepare('select name, sealed from credential').all() as {
      name: string;
      sealed: Uint8Array;
    }[];
    const stored = Buffer.concat([Buffer.from(row!.name), row!.sealed]);
    for (const word of ['Elbonia', 'Residence', 'did:zid', 'ab'.repeat(32)])
      assert.ok(!stored.includes(word));
    const other = await openKeptCredentials(database, await signerFromSeed(new Uint8Array(32).fill(3)));
    assert.throws(() => other.all(), /damaged/);
  });

  test('that were changed, cut short or exchanged are not read', async (context) => {
    const database = await openDatabase(context);
    const kept = await openKeptCredentials(database, signer);
    kept.keep(document);
    const [{ sealed }] = database.prepare('select sealed from credential').all() as [{ sealed: Uint8Array }];
    const flipped = sealed.slice();
    flipped[20] = flipped[20]! ^ 1;
    for (const bytes of [flipped, sealed.slice(0, 40), sealed.slice(0, 5), new Uint8Array()]) {
      database.prepare('update credential set sealed = ?').run(bytes);
      assert.throws(() => kept.all(), /damaged/);
    }
    database.prepare("update credential set sealed = ?, name = 'another'").run(sealed);
    assert.throws(() => kept.all(), /damaged/);
  });

  test('are not locked away by a signer that signs differently each time', async (context) => {
    let count = 0;
    const moody: Signer = { ...signer, sign: async () => new Uint8Array(64).fill(count++) };
    await assert.rejects(
      openKeptCredentials(await openDatabase(context), moody),
      /another signature each time/,
    );
  });
});
