/** A service whose database file, or its log, is gone or harmed: as an operator sees it, with every command that would write. */
import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { exitCodes } from '@symbolon/cli/terminal/failure';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const nobody = 'http://127.0.0.1:1';

async function newService(context: TestContext) {
  const folder = path.join(tempFolder(context), 'service');
  const made = await symbolon(context, ['service', 'init', '--data', folder, '--node', nobody]);
  assert.equal(made.code, 0, made.err);
  const start = (...more: string[]) =>
    startSymbolon(context, ['service', 'start', '--data', folder, '--port', '0', ...more]);
  const run = (...words: string[]) => symbolon(context, [...words, '--data', folder]);
  return { folder, file: path.join(folder, 'service.db'), start, run };
}

const createKey = ['service', 'key', 'create', '--scope', 'verify'];

describe('a service without its database', () => {
  test('does not begin another one, unless it is told to', async (context) => {
    const { folder, file, start, run } = await newService(context);
    for (const name of readdirSync(folder))
      if (name.startsWith('service.db')) rmSync(path.join(folder, name));
    const before = readdirSync(folder);
    const refused = await start().ended;
    assert.equal(refused.code, exitCodes.config, refused.err);
    assert.match(refused.err, /had a database, and it is gone/);
    assert.match(refused.err, /--begin-again/);
    const key = await run(...createKey);
    assert.deepEqual([key.code, readdirSync(folder)], [exitCodes.config, before]);
    const doctor = await run('doctor', '--ledger', nobody, '--service', nobody);
    assert.match(doctor.out, /✖ database +gone/);
    const again = start('--begin-again');
    await again.printed(/Credential service +(http:\S+)/);
    await again.stop();
    assert.ok(existsSync(file));
    const twice = await start('--begin-again').ended;
    assert.equal(twice.code, exitCodes.config);
    assert.match(twice.err, /cannot begin again: its database is there/);
  });

  test('is written by no command when its log is gone or a page is harmed', async (context) => {
    const { folder, file, start, run } = await newService(context);
    const key = JSON.parse((await run(...createKey, '--json')).out);
    const running = start();
    await running.printed(/Credential service +(http:\S+)/);
    await running.stop('SIGKILL');
    renameSync(`${file}-wal`, `${folder}.wal`);
    for (const words of [
      createKey,
      ['service', 'key', 'revoke', key.id],
      ['backup', '--out', `${folder}.copy`],
    ]) {
      const refused = await run(...words);
      assert.equal(refused.code, exitCodes.damaged, `${words.join(' ')}: ${refused.out}${refused.err}`);
      assert.match(refused.err, /has lost what was written to it/);
    }
    renameSync(`${folder}.wal`, `${file}-wal`);
    assert.equal((await run(...createKey)).code, 0);
    harm(file);
    const refused = await run(...createKey);
    assert.equal(refused.code, exitCodes.failed, refused.out);
    assert.match(refused.err, /is damaged/);
  });
});

/** The head of the last page, as a failing disk does. */
function harm(file: string): void {
  const handle = openSync(file, 'r+');
  for (let page = 40; page < 60; page += 1) writeSync(handle, Buffer.alloc(8, 0xff), 0, 8, page * 4_096);
  closeSync(handle);
}
