/** `symbolon service …`: a service of one's own from its folder to its API keys, as an operator sees it. */
import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { directClient } from '@symbolon/cli/servers/start-node';
import { exitCodes } from '@symbolon/cli/terminal/failure';
import { grantFunds } from '@symbolon/demo/funds';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { send } from '../support/http.ts';
import { richest } from '../support/people.ts';
import { startNode } from '../support/running-node.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

async function newService(context: TestContext, ...more: string[]) {
  const folder = path.join(tempFolder(context), 'service');
  const made = await symbolon(context, ['service', 'init', '--data', folder, '--json', ...more]);
  assert.equal(made.code, 0, made.err);
  const { registrar } = JSON.parse(made.out);
  return { folder, registrar: registrar as string };
}

describe('symbolon service', () => {
  test('makes a folder for its owner alone, starts, gets ready when paid, and ends', async (context) => {
    const node = await startNode(context);
    const { folder, registrar } = await newService(context, '--node', node.url);
    for (const name of readdirSync(folder))
      assert.equal(statSync(path.join(folder, name)).mode & 0o077, 0, name);
    const running = startSymbolon(context, ['service', 'start', '--data', folder, '--port', '0']);
    const url = await running.printed(/Credential service +(http:\S+)/);
    assert.equal(await running.printed(/Registrar +(\w+)/), registrar);
    await running.printed(/NOT READY: (.*Fund address \w+)/);
    const early = await symbolon(context, ['service', 'status', '--url', url]);
    assert.equal(early.code, exitCodes.failed);
    assert.match(early.err, new RegExp(`not ready: .*Fund address ${registrar}`));

    const client = directClient(node.served.node, (name) => assert.fail(name));
    const funder = await signerFromSeed(richest.seed);
    await grantFunds(client, funder, [{ address: registrar, amount: 1_000_000_000n }]);
    await until('the service is ready', async () => (await send(`${url}/readyz`)).status === 200);
    const status = await symbolon(context, ['service', 'status', '--url', url, '--json']);
    assert.deepEqual([status.code, JSON.parse(status.out)], [0, { ready: true }]);
    const { code } = await running.stop();
    assert.equal(code, 0);
  });

  test('makes, lists and revokes keys that a running service knows', async (context) => {
    const node = await startNode(context);
    const { folder, registrar } = await newService(context, '--node', node.url);
    const client = directClient(node.served.node, (name) => assert.fail(name));
    const funder = await signerFromSeed(richest.seed);
    await grantFunds(client, funder, [{ address: registrar, amount: 1_000_000_000n }]);
    const running = startSymbolon(context, ['service', 'start', '--data', folder, '--port', '0']);
    const url = await running.printed(/Credential service +(http:\S+)/);

    const key = (...words: string[]) => symbolon(context, ['service', 'key', ...words, '--data', folder]);
    const made = await key('create', '--scope', 'admin', 'verify', '--label', 'mine', '--json');
    assert.equal(made.code, 0, made.err);
    const { key: token, id, scopes } = JSON.parse(made.out);
    assert.deepEqual(scopes, ['verify', 'admin']);
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await send(`${url}/cred/v1/audit`, { headers })).status, 200);
    const bare = await key('create', '--scope', 'verify', '--did', `did:zid:${'a'.repeat(64)}`);
    assert.match(bare.out, /^sym_[a-z2-7]{8}_[\w-]{43}\n$/);
    const listed = await key('list', '--json');
    assert.deepEqual(JSON.parse(listed.out).length, 2);
    assert.ok(!listed.out.includes(token.slice(13)), 'no secret is listed');
    assert.match((await key('list')).out, new RegExp(`${id}  in force  mine  +-  +verify,admin\n`));

    assert.equal((await key('revoke', id)).code, 0);
    assert.equal((await key('revoke', id)).code, exitCodes.usage);
    await until(
      'the key is refused',
      async () => (await send(`${url}/cred/v1/audit`, { headers })).status === 401,
    );
    assert.match((await key('list')).out, new RegExp(`${id}  revoked`));
  });

  test('refuses words that make no sense, and says which', async (context) => {
    const { folder } = await newService(context);
    const key = (...words: string[]) =>
      symbolon(context, ['service', 'key', 'create', '--data', folder, ...words]);
    const attempts = await Promise.all([
      key('--scope', 'everything'),
      key(),
      key('--scope', 'verify', '--expires', 'tomorrow'),
      symbolon(context, ['service', 'start', '--data', folder, '--node', 'ftp://x']),
    ]);
    for (const { code, err } of attempts) assert.equal(code, exitCodes.usage, err);
    const refused = await key('--scope', 'verify', '--did', 'nobody');
    assert.equal(refused.code, exitCodes.failed);
    assert.match(refused.err, /^did is not a DID\n$/);
  });

  test('tells every mistake of its settings at once, and no secret', async (context) => {
    const { folder } = await newService(context);
    writeFileSync(
      path.join(folder, 'service.json'),
      '{"port":"high","hots":"x","rates":{"lightPerMinute":0}}',
    );
    const env = {
      SYMBOLON_DATABASE: 'mysql://root:hunter2@db/x',
      SYMBOLON_BLOB_LIFETIME_SECONDS: 'long',
      SYMBOLON_LEDGER_PORT: '1234',
    };
    const { code, err } = await symbolon(context, ['service', 'start', '--data', folder], env);
    assert.equal(code, exitCodes.config);
    assert.match(err, /^5 mistakes in the configuration:/);
    assert.match(err, /hots in .*did you mean host\?/);
    assert.ok(!err.includes('hunter2'));
  });

  test('refuses folders that are none, are used, or have lost their key', async (context) => {
    const { folder } = await newService(context);
    const again = await symbolon(context, ['service', 'init', '--data', folder]);
    assert.equal(again.code, exitCodes.config);
    assert.match(again.err, /is not empty/);
    const none = await symbolon(context, ['service', 'start', '--data', tempFolder(context)]);
    assert.equal(none.code, exitCodes.config);
    assert.match(none.err, /symbolon service init/);
    writeFileSync(path.join(folder, 'master.key'), `${'ab'.repeat(31)}cd\n`);
    const lost = await symbolon(context, ['service', 'start', '--data', folder, '--port', '0']);
    assert.equal(lost.code, exitCodes.config);
    assert.match(lost.err, /master key does not fit this database/);
    const away = await symbolon(context, ['service', 'status', '--url', 'http://127.0.0.1:1']);
    assert.equal(away.code, exitCodes.unreachable);
  });
});
