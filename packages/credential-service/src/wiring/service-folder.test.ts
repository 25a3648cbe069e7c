import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { ConfigError } from '@symbolon/host/config/config';
import { serviceConfigSchema } from '../parts/service-config.ts';
import { VaultError } from '../vault/vault-error.ts';
import {
  assertServiceSettings,
  databaseUrl,
  initServiceFolder,
  isServiceFolder,
  loadServiceConfig,
  readMasterKeys,
  ServiceFolderError,
  settingsPath,
} from './service-folder.ts';

function emptyFolder(context: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-service-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const config = (values: object = {}) => serviceConfigSchema.parse(values);

describe('the folder of a service', () => {
  test('is made once, for its owner alone', async (context) => {
    const folder = path.join(emptyFolder(context), 'new');
    assert.equal(await isServiceFolder(folder), false);
    await initServiceFolder(folder, { port: 1234 });
    assert.equal(await isServiceFolder(folder), true);
    for (const name of ['service.json', 'master.key'])
      assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600, name);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal((await loadServiceConfig(folder, {})).port, 1234);
    await assert.rejects(initServiceFolder(folder), ServiceFolderError);
  });

  test('that was cut short before its settings is completed with the same key', async (context) => {
    const folder = emptyFolder(context);
    await initServiceFolder(folder);
    const key = readFileSync(path.join(folder, 'master.key'), 'utf8');
    rmSync(settingsPath(folder));
    await initServiceFolder(folder);
    assert.equal(readFileSync(path.join(folder, 'master.key'), 'utf8'), key);
  });

  test('that holds something else is left alone', async (context) => {
    const folder = emptyFolder(context);
    writeFileSync(path.join(folder, 'letter.txt'), 'dear');
    await assert.rejects(initServiceFolder(folder), /is not empty/);
    await assert.rejects(loadServiceConfig(folder, {}), /service init/);
  });

  test("has settings from file, environment and command line; the node's own names are none of them", async (context) => {
    const folder = emptyFolder(context);
    await initServiceFolder(folder, { port: 1, nodeUrl: 'http://127.0.0.1:1', proofWorkers: 3 });
    const env = {
      SYMBOLON_PORT: '2',
      SYMBOLON_LEDGER_PORT: '9',
      SYMBOLON_NODE_URL: 'http://127.0.0.1:2',
      SYMBOLON_TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16',
    };
    const loaded = await loadServiceConfig(folder, { env, overrides: { nodeUrl: undefined, port: 3 } });
    assert.deepEqual([loaded.port, loaded.nodeUrl, loaded.proofWorkers], [3, 'http://127.0.0.1:2', 3]);
    assert.deepEqual(loaded.trustedProxies, ['10.0.0.1', '10.1.0.0/16']);
  });

  test('has all its mistakes told at once, without secrets', async (context) => {
    const folder = emptyFolder(context);
    await initServiceFolder(folder, { port: 70_000, masterKey: { value: 7 }, database: 'oracle:hunter2' });
    const env = { SYMBOLON_PROOF_WORKERS: 'many', SYMBOLON_PORTT: '1' };
    await assert.rejects(loadServiceConfig(folder, { env }), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(error.problems.length, 5, error.message);
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    });
  });

  test('has the address of its database checked with its settings, without being told what is in it', () => {
    const settings = (database: string) => ({ env: { SYMBOLON_DATABASE: database } });
    const postgres = 'postgres://u:hunter2@host/name';
    for (const query of ['sslmode=prefer', 'sslmode=no-verify', 'sslmod=disable', 'sslcert=x'])
      assert.throws(
        () => assertServiceSettings({}, settings(`${postgres}?${query}`)),
        (error) => error instanceof ConfigError && !error.message.includes('hunter2'),
      );
    assert.throws(() => assertServiceSettings({}, settings('mysql://x')), ConfigError);
    for (const good of [postgres, `${postgres}?sslmode=disable`, 'sqlite:x.db'])
      assertServiceSettings({ nodeUrl: 'http://127.0.0.1:1' }, settings(good));
  });

  test('is where files of the settings are', () => {
    assert.equal(databaseUrl('/data', config()), 'sqlite:/data/service.db');
    assert.equal(databaseUrl('/data', config({ database: 'sqlite:/else/x.db' })), 'sqlite:/else/x.db');
    assert.equal(databaseUrl('/data', config({ database: 'sqlite::memory:' })), 'sqlite::memory:');
    const postgres = 'postgres://u:p@host/name';
    assert.equal(databaseUrl('/data', config({ database: postgres })), postgres);
  });

  test('gives its master key, or the one that is set, and those of the past', async (context) => {
    const folder = emptyFolder(context);
    const ofFile = await readMasterKeys(folder, config());
    assert.equal((await readMasterKeys(folder, config())).current.id, ofFile.current.id);
    const [value, old] = ['0f'.repeat(31), '1e'.repeat(31)].map((text) => `${text}00`);
    const set = await readMasterKeys(folder, config({ masterKey: { value, previous: [old] } }));
    assert.notEqual(set.current.id, ofFile.current.id);
    assert.equal(set.previous?.length, 1);
    await assert.rejects(readMasterKeys(folder, config({ masterKey: { value: 'short' } })), VaultError);
    chmodSync(path.join(folder, 'master.key'), 0o644);
    await assert.rejects(readMasterKeys(folder, config()), /chmod 600/);
  });

  test('is refused when others can reach settings with a secret in them, and only then', async (context) => {
    const secrets: object[] = [
      { masterKey: { value: `${'ab'.repeat(31)}cd` } },
      { masterKey: { hsm: { module: '/m.so', tokenLabel: 't', pin: '1234' } } },
      { database: 'postgres://user:hunter2@127.0.0.1:1/name' },
    ];
    for (const [index, settings] of [...secrets, { port: 1 }].entries()) {
      const folder = path.join(emptyFolder(context), 'new');
      await initServiceFolder(folder, settings);
      await loadServiceConfig(folder, {});
      chmodSync(settingsPath(folder), 0o644);
      if (index === secrets.length) await loadServiceConfig(folder, {});
      else
        await assert.rejects(loadServiceConfig(folder, {}), (error) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, /others than its owner can reach it\. Close it with: chmod 600/);
          assert.doesNotMatch(error.message, /1234|hunter2|abab/);
          return true;
        });
    }
  });
});
