/** A further replica on the PostgreSQL of a service, by the commands of docs/operations.md: one master key, or nothing. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { startPostgres } from '../support/postgres.ts';
import { symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('a second replica of a service', () => {
  const owner = ownerOfSuite();
  const place = tempFolder(owner);
  const folder = (name: string) => path.join(place, name);
  let env: Record<string, string>;
  const init = (name: string) =>
    symbolon(
      owner,
      ['service', 'init', '--data', folder(name), '--node', 'http://127.0.0.1:1', '--json'],
      env,
    );
  const registrarOf = (out: string) => (parseJson(out) as JsonObject).registrar;
  let first: unknown;

  before(async () => {
    env = { SYMBOLON_DATABASE: (await startPostgres(owner)).url };
    const made = await init('first');
    assert.equal(made.code, 0, made.err);
    first = registrarOf(made.out);
  });

  test('is refused with a master key of its own, and leaves nothing behind', async () => {
    const { code, err } = await init('second');
    assert.equal(code, 78, err);
    assert.match(err, /sealed under another master key; nothing was made/);
    assert.match(err, /put a copy of its master\.key into/);
    assert.ok(!existsSync(folder('second')));
  });

  test('is made with a copy of the master key, and has the same registrar', async () => {
    mkdirSync(folder('second'), { mode: 0o700 });
    copyFileSync(path.join(folder('first'), 'master.key'), path.join(folder('second'), 'master.key'));
    const { code, out, err } = await init('second');
    assert.equal(code, 0, err);
    assert.equal(registrarOf(out), first);
    assert.deepEqual(readdirSync(folder('second')).sort(), ['master.key', 'service.json']);
  });

  test('that is refused keeps the key that was put there', async () => {
    mkdirSync(folder('third'), { mode: 0o700 });
    const other = await symbolon(owner, [
      'service',
      'init',
      '--data',
      folder('other'),
      '--node',
      'http://127.0.0.1:1',
    ]);
    assert.equal(other.code, 0, other.err);
    copyFileSync(path.join(folder('other'), 'master.key'), path.join(folder('third'), 'master.key'));
    assert.equal((await init('third')).code, 78);
    assert.deepEqual(readdirSync(folder('third')), ['master.key']);
  });
});
