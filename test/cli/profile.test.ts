/** Profiles by command: written, listed, chosen for a folder or for oneself, shown without what is secret in them. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type Ended, startSymbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

describe('profiles', () => {
  const owner = ownerOfSuite();
  const home = path.join(tempFolder(owner), 'mine');
  const [folder, elsewhere] = [tempFolder(owner), tempFolder(owner)];
  const apiKey = `sym_abcdefgh_${'k-'.repeat(21)}k`;
  const service = 'http://127.0.0.1:9';
  const ledger = 'http://127.0.0.1:10';
  const env = { SYMBOLON_HOME: home };
  const run = (
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
    cwd = folder,
  ): Promise<Ended> => startSymbolon(owner, args, { ...env, ...more }, { cwd }).ended;
  const done = async (...args: Parameters<typeof run>): Promise<string> => {
    const { code, out, err } = await run(...args);
    assert.equal(code, 0, `${args[0].join(' ')}: ${err}`);
    return out + err;
  };
  const file = path.join(home, 'profiles', 'choir.json');
  writeFileSync(path.join(folder, 'my.key'), person('issuer').privateKey, { mode: 0o600 });

  test('are written for their owner alone, and say how to be used', async () => {
    const words = [
      '--service',
      service,
      '--ledger',
      ledger,
      '--person',
      'issuer=my.key',
      '--api-key-of',
      'issuer',
    ];
    const told = await done(['profile', 'add', 'choir', ...words], { SYMBOLON_API_KEY: apiKey });
    assert.match(told, /symbolon profile use choir/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { issuer } = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual([issuer.apiKey, issuer.keyFile], [apiKey, path.join(folder, 'my.key')]);
    const again = await run(['profile', 'add', 'choir']);
    assert.equal(again.code, 2);
    assert.match(again.err, /already[\s\S]*--force/);
  });

  test('with members that nobody knows are refused with the one that was meant', async () => {
    const wrong: [object, RegExp][] = [
      [{ servcie: service }, /"servcie" is not known here; did you mean "service"\?/],
      [{ issuer: { apikey: apiKey } }, /issuer: "apikey" is not known here; did you mean "apiKey"\?/],
      [{ pins: { chainID: 1 } }, /pins: "chainID" is not known here; did you mean "chainId"\?/],
      [{ ledger: apiKey }, /"ledger" is not of the form/],
    ];
    for (const [content, words] of wrong) {
      writeFileSync(path.join(folder, 'from.json'), JSON.stringify(content));
      const { code, err } = await run(['profile', 'add', 'odd', '--from', 'from.json']);
      assert.equal(code, 2, err);
      assert.match(err, words);
      assert.ok(!err.includes(apiKey));
    }
  });

  test('are chosen once, from any folder; a folder may choose for itself', async () => {
    const unknown = await run(['profile', 'use', 'chior']);
    assert.match(unknown.err, /Did you mean choir\?/);
    await done(['profile', 'use', 'choir']);
    assert.match(await done(['profile', 'list'], {}, elsewhere), /\* +choir +you/);
    await done(['profile', 'add', 'here', '--here', '--service', 'http://127.0.0.1:11']);
    await done(['profile', 'use', 'here']);
    const named = async (more = {}, cwd = folder): Promise<unknown> =>
      JSON.parse(await done(['profile', 'show', '--json'], more, cwd)).profile;
    assert.equal(await named(), 'here', "the folder's own comes first");
    assert.equal(await named({}, elsewhere), 'choir', "then the user's");
    assert.equal(await named({ SYMBOLON_PROFILE: 'choir' }), 'choir', 'the environment before both');
    rmSync(path.join(folder, '.symbolon', 'current'));
  });

  test('are shown without what is secret in them', async () => {
    const told = await done(['profile', 'show']);
    assert.match(told, /API key +in the profile, not shown/);
    for (const words of [
      ['profile', 'show', '--json'],
      ['profile', 'list'],
      ['profile', 'show', 'choir'],
    ])
      assert.ok(!(await done(words)).includes('k-k-'), words.join(' '));
  });

  test('say where node and service are, to those who ask how they are', async () => {
    const [node, credentials] = [await run(['node', 'status']), await run(['service', 'status'])];
    assert.match(node.err, /No node answers at http:\/\/127\.0\.0\.1:10\./);
    assert.match(credentials.err, /No service answers at http:\/\/127\.0\.0\.1:9\./);
    const named = await run(['node', 'status', '--ledger', 'http://127.0.0.1:12']);
    assert.match(named.err, /127\.0\.0\.1:12/);
  });

  test('that are gone are told as such', async () => {
    mkdirSync(path.join(home, 'profiles'), { recursive: true });
    rmSync(file);
    const { code, err } = await run(['node', 'status']);
    assert.equal(code, 78);
    assert.match(err, /The profile choir is gone[\s\S]*symbolon profile use/);
  });

  test('give way to a demo in the folder where it is started, until that is removed', {
    timeout: 60_000,
  }, async () => {
    await done(['profile', 'add', 'own', '--service', service, '--ledger', ledger]);
    await done(['profile', 'use', 'own']);
    const words = ['dev', '--ledger-port', '0', '--service-port', '0'];
    const cwd = tempFolder(owner);
    const demo = startSymbolon(owner, words, env, { cwd });
    await demo.printed(/Ctrl-C (stops)/);
    await until('the remark', () => /profile use own --here/.test(demo.err()) || undefined);
    assert.match(demo.err(), /In this folder commands mean this demo from now on/);
    const meant = async (place: string): Promise<unknown> =>
      JSON.parse(await done(['profile', 'show', '--json'], {}, place)).profile;
    assert.deepEqual([await meant(cwd), await meant(elsewhere)], ['dev', 'own']);
    await demo.stop();
    await done(['reset', '--yes'], {}, cwd);
    assert.equal(await meant(cwd), 'own');
  });
});
