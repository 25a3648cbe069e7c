import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freshClock, freshVault, sqliteRecords, start } from '../../database/testing/records.ts';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import { parseConfigurationId } from './configurations.ts';
import { createOpenidSecrets, makeReference } from './openid-secrets.ts';

describe('secrets of this plane', () => {
  test('codes and tokens follow from their names by a key of the vault', async (context) => {
    const database = await sqliteRecords(context);
    const vault = freshVault();
    const [one, same] = [0, 1].map(() => createOpenidSecrets({ database, vault, clock: freshClock() }));
    const other = createOpenidSecrets({ database: await sqliteRecords(context), vault, clock: freshClock() });
    const reference = makeReference();
    assert.equal(await one.code(reference), await same.code(reference));
    assert.notEqual(await one.code(reference), await other.code(reference));
    assert.notEqual(await one.code(reference), await one.accessToken(reference));
    assert.equal(Buffer.from(await one.code(reference), 'base64url').length, limits.secretBytes);
    assert.notEqual(await one.txCodeMark('a', '123456'), await one.txCodeMark('b', '123456'));
  });

  test('a nonce is of one issuer, young, and nobody else makes one', async (context) => {
    const parts = { database: await sqliteRecords(context), vault: freshVault(), clock: freshClock() };
    const secrets = createOpenidSecrets(parts);
    const nonce = await secrets.nonce('issuer', start);
    const isGood = async (text: string, issuer: string, at: number) =>
      (await secrets.nonceJudge(issuer, at))(text);
    assert.notEqual(nonce, await secrets.nonce('issuer', start));
    assert.ok(await isGood(nonce, 'issuer', start));
    assert.ok(await isGood(nonce, 'issuer', start + limits.nonceSeconds * 1_000));
    assert.equal(await isGood(nonce, 'issuer', start + limits.nonceSeconds * 1_000 + 1), false);
    assert.equal(await isGood(nonce, 'issuer', start - 1), false, 'from the future');
    assert.equal(await isGood(nonce, 'another', start), false);
    const [head, mac] = nonce.split('.');
    const younger = Buffer.from(head, 'base64url');
    younger[5] ^= 1;
    const spoiled = ['', '.', head, `${head}.`, `${nonce}.x`, `.${mac}`, `${nonce}A`, `A${nonce}`];
    for (const text of [...spoiled, `${younger.toString('base64url')}.${mac}`])
      assert.equal(await isGood(text, 'issuer', start), false, text);
  });
});

describe('names of configurations', () => {
  const hex = 'a'.repeat(64);

  test('say template, version and format, and no other text does', () => {
    assert.deepEqual(parseConfigurationId(`zid.${hex}.1.0.0.sd`), {
      templateHex: hex,
      version: '1.0.0',
      suffix: 'sd',
    });
    for (const text of [
      '',
      `zid.${hex}.1.0.0`,
      `zid.${hex}.1.0.0.pdf`,
      `zid.${hex.slice(1)}.1.0.sd`,
      `x.${hex}.1.sd`,
    ])
      assert.equal(parseConfigurationId(text), undefined, text);
  });
});
