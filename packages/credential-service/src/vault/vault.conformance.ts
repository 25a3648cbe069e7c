/**
 * What the vault does with a database behind it, whichever: the check value, keys of callers and of the service, and
 * the change of the master key. Run like `store/store.conformance.ts`.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { createSealedLayer } from '@symbolon/host/service/sealed-layer';
import { addBlob } from '../blobs/blob-rows.ts';
import { readSetting } from '../database/settings.ts';
import {
  applied,
  freshClock,
  holder,
  issued,
  issuer,
  type MakeRecords,
  present,
  start,
  twentyTimes,
} from '../database/testing/records.ts';
import { findApplication } from '../issuance/application-rows.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { prepareStatusChanges } from '../status/status-change-rows.ts';
import { findBbsKey, keepBbsKey, keyOwnerOf } from './caller-keys.ts';
import { encryptedColumns } from './encrypted-rows.ts';
import { contexts } from './encryption-contexts.ts';
import { masterKeyFromBytes } from './master-key.ts';
import { openVault, rewrapAll } from './open-vault.ts';
import { createSealKeySource, registrarKey } from './service-keys.ts';
import type { EncryptionContext } from './vault.ts';
import { VaultError } from './vault-error.ts';
import { listVaultKeys } from './vault-key-rows.ts';

const freshKey = () => masterKeyFromBytes(randomBytes(32));
const isVaultError = (code: string) => (error: unknown) => error instanceof VaultError && error.code === code;

export function registerVaultConformance(name: string, make: MakeRecords): void {
  registerCheckAndRotation(name, make);
  registerKeys(name, make);
}

function registerCheckAndRotation(name: string, make: MakeRecords): void {
  test(`${name}: a wrong master key stops the start, the right one does not`, async (context) => {
    const { kysely } = await make(context);
    const [right, wrong] = [freshKey(), freshKey()];
    const vaults = await twentyTimes(() => openVault(kysely, { current: right }, start));
    assert.equal(new Set(vaults.map(({ masterKeyId }) => masterKeyId)).size, 1);
    await assert.rejects(openVault(kysely, { current: wrong }, start), isVaultError('wrongMasterKey'));
    await openVault(kysely, { current: wrong, previous: [right] }, start);
    await kysely.updateTable('settings').set({ secret: null }).execute();
    await assert.rejects(openVault(kysely, { current: right }, start), isVaultError('wrongMasterKey'));
  });

  test(`${name}: all records go over to a new master key, and the old one is not needed after`, async (context) => {
    const { kysely } = await make(context);
    const [old, next] = [freshKey(), freshKey()];
    const before = await openVault(kysely, { current: old }, start);
    const seal = (place: EncryptionContext) => before.encryptText(`${place.table} ${place.purpose}`, place);
    await addBlob(kysely, {
      id: 'blob',
      kind: 'revoke',
      owner: issuer,
      payload: await seal(contexts.blobPayload('blob')),
      now: start,
      expiresAt: start + 1,
    });
    const vcId = await applied(kysely, {
      vcId: 'a',
      attributes: await seal(contexts.applicationAttributes('a')),
    });
    await issued(kysely, { vcId: 'c', credential: await seal(contexts.credential('c')) });
    const remark = await seal(contexts.statusRemark('blob', 'c'));
    const credentials = [{ vcId: 'c', remark, remarkHash: null }];
    await prepareStatusChanges(kysely, { blobId: 'blob', kind: 'revoke', credentials, now: start });
    await registrarKey(kysely, before, start);
    const checkBefore = present(await readSetting(kysely, 'vault.check')).secret;

    const during = await openVault(kysely, { current: next, previous: [old] }, start);
    assert.equal(await rewrapAll(kysely, during), 6);
    assert.equal(await rewrapAll(kysely, during), 0);
    const after = await openVault(kysely, { current: next }, start);
    const { attributes } = present(await findApplication(kysely, vcId));
    const place = contexts.applicationAttributes('a');
    assert.equal(await after.decryptText(present(attributes), place), 'applications attributes');
    assert.equal((await registrarKey(kysely, after, start)).seed.length, 32);
    assert.notDeepEqual((await readSetting(kysely, 'vault.check'))?.secret, checkBefore);
    await assert.rejects(openVault(kysely, { current: old }, start), isVaultError('wrongMasterKey'));
  });

  test(`${name}: every column of encrypted bytes goes over`, async (context) => {
    const { kysely } = await make(context);
    const tables = await kysely.introspection.getTables();
    const found = tables.flatMap(({ name: table, columns }) =>
      columns
        .filter(({ dataType }) => /^(bytea|blob)$/i.test(dataType))
        .map((column) => `${table}.${column.name}`),
    );
    // The registrar's own bytes are public on the ledger.
    const encrypted = [
      ...encryptedColumns.map(({ table, column }) => `${table}.${column}`),
      'anchorIntents.blob',
    ];
    assert.deepEqual(found.sort(), encrypted.sort());
    // It holds the check value: a new master key has taken over when that is under it.
    assert.equal(encryptedColumns.at(-1)?.table, 'settings');
  });
}

function registerKeys(name: string, make: MakeRecords): void {
  test(`${name}: a BBS key is found by its owner alone`, async (context) => {
    const { kysely } = await make(context);
    const vault = await openVault(kysely, { current: freshKey() }, start);
    const secretKey = randomBytes(32);
    const key = { owner: issuer, publicKey: 'zPublic' };
    await twentyTimes(() => keepBbsKey(kysely, vault, { ...key, secretKey, now: start }));
    assert.deepEqual(Buffer.from(present(await findBbsKey(kysely, vault, key))), secretKey);
    assert.equal(await findBbsKey(kysely, vault, { ...key, owner: holder }), undefined);
    assert.equal(await findBbsKey(kysely, vault, { ...key, publicKey: 'zOther' }), undefined);
    const kept = await listVaultKeys(kysely, { kind: 'bbs', owner: issuer });
    assert.deepEqual(
      kept.map(({ publicKey }) => publicKey),
      ['zPublic'],
    );
    await kysely.updateTable('vaultKeys').set({ owner: holder }).execute();
    assert.equal(
      await findBbsKey(kysely, vault, { ...key, owner: holder }),
      undefined,
      'not even by a new owner',
    );
  });

  test(`${name}: a secret that is moved to another key does not open`, async (context) => {
    const { kysely } = await make(context);
    const vault = await openVault(kysely, { current: freshKey() }, start);
    const keep = (publicKey: string) =>
      keepBbsKey(kysely, vault, { owner: issuer, publicKey, secretKey: randomBytes(32), now: start });
    await keep('zOne');
    await keep('zTwo');
    const stolen = await kysely
      .selectFrom('vaultKeys')
      .select('secret')
      .where('publicKey', '=', 'zOne')
      .executeTakeFirstOrThrow();
    await kysely.updateTable('vaultKeys').set(stolen).where('publicKey', '=', 'zTwo').execute();
    const found = findBbsKey(kysely, vault, { owner: issuer, publicKey: 'zTwo' });
    await assert.rejects(found, isVaultError('damaged'));
  });

  test(`${name}: keys belong to a DID, else to an API key, never to nobody`, () => {
    assert.equal(keyOwnerOf({ did: issuer, keyId: 'abc' }), issuer);
    assert.equal(keyOwnerOf({ keyId: 'abc' }), 'key:abc');
    assert.throws(() => keyOwnerOf({}), Fault);
  });

  test(`${name}: the registrar has one key, whoever asks first`, async (context) => {
    const { kysely } = await make(context);
    const vault = await openVault(kysely, { current: freshKey() }, start);
    const keys = await twentyTimes(() => registrarKey(kysely, vault, start));
    assert.equal(new Set(keys.map(({ seed }) => Buffer.from(seed).toString('hex'))).size, 1);
    assert.equal(new Set(keys.map(({ publicKey }) => Buffer.from(publicKey).toString('hex'))).size, 1);
  });

  test(`${name}: sealed pairs change by period and overlap`, async (context) => {
    const { kysely } = await make(context);
    const vault = await openVault(kysely, { current: freshKey() }, start);
    const clock = freshClock();
    const replicas = [createSealKeySource(kysely, vault, clock), createSealKeySource(kysely, vault, clock)];
    const [first, again] = await Promise.all(replicas.map((keys) => keys()));
    assert.equal(first.length, 1);
    assert.deepEqual(first, again, 'replicas agree');
    assert.equal(first[0].x25519PrivateKey.length, 32);
    const layer = createSealedLayer({ keys: replicas[0] });
    assert.equal((await layer.publicKeys()).keys.length, 1);
    const kids = async () => (await replicas[0]()).map(({ kid }) => kid);
    clock.advanceMs(recordLimits.sealKeyRotationMs);
    const second = await kids();
    assert.equal(second.length, 2);
    assert.equal(second[1], first[0].kid);
    clock.advanceMs(recordLimits.sealKeyRotationMs);
    assert.ok(!(await kids()).includes(first[0].kid));
  });

  test(`${name}: a failure to read sealed pairs is not remembered`, async (context) => {
    const { kysely } = await make(context);
    const vault = await openVault(kysely, { current: freshKey() }, start);
    await createSealKeySource(kysely, vault, freshClock())();
    let failures = 1;
    const shaky = {
      ...vault,
      decryptText: (...given: Parameters<typeof vault.decryptText>) => {
        failures -= 1;
        return failures < 0 ? vault.decryptText(...given) : Promise.reject(new Error('the module is away'));
      },
    };
    const keys = createSealKeySource(kysely, shaky, freshClock());
    await assert.rejects(keys(), /away/);
    assert.equal((await keys()).length, 1);
  });
}
