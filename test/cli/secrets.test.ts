/**
 * Where API keys of the command line go: to their own service, over a way that nobody else reads. Others are services
 * that keep what they are sent, and a proxy that reads along.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { sha256 } from '@symbolon/host/work/sha256';
import { ownerOfSuite } from '../support/owner.ts';
import { type Environment, startSymbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
const folder = tempFolder(owner);

async function listen(server: Server, sockets: Set<Socket>): Promise<string> {
  server.on('connection', (socket) => void sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A service that keeps the headers it sees, and knows no template. */
async function curious() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(JSON.stringify(request.headers));
    response.setHeader('content-type', 'application/json').end('{"templates":[],"nextCursor":null}');
  });
  return { url: await listen(server, new Set()), seen };
}

/** A proxy that reads what goes through it. */
async function readingProxy() {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(502).end();
  });
  server.on('connect', (request, client: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    sockets.add(target);
    client.on('data', (data) => {
      seen.push(data.toString('latin1'));
      target.write(data);
    });
    target.on('data', (data) => client.write(data));
    for (const socket of [client, target]) socket.on('error', () => socket.destroy());
  });
  return { url: await listen(server, sockets), seen };
}

const run = (args: readonly string[], env: Environment = {}) =>
  startSymbolon(owner, args, env, { cwd: folder }).ended;

const privateKey = createKeyFormat(zetrixProfile, sha256).encodePrivateKey(new Uint8Array(32).fill(7));

function profileOf(service: string): string {
  const file = path.join(folder, `${new URL(service).port}.json`);
  const person = { privateKey, apiKey: 'key-of-the-profile', bbsPublicKeyMultibase: 'z1' };
  writeFileSync(file, JSON.stringify({ service, issuer: person, holder: person, verifier: person }), {
    mode: 0o600,
  });
  return file;
}

describe('a login of a wallet', () => {
  test('goes home, and not to an address that was typed or stands in the environment', async () => {
    const [home, other] = [await curious(), await curious()];
    const words = ['vc', 'held', '--as', 'holder', '--profile', profileOf(home.url)];
    await run(words);
    assert.match(home.seen.join(), /signeddata/i);
    const typed = await run([...words, '--service', other.url]);
    await run(words, { SYMBOLON_SERVICE_URL: other.url });
    const id = `did:zid:${'ab'.repeat(32)}`;
    await run(['vc', 'download', id, ...words.slice(2), '--service', other.url]);
    assert.deepEqual(other.seen, []);
    assert.match(typed.err, /Nothing was signed for 127\.0\.0\.1:\d+\./);
    assert.match(typed.err, /--profile/);
  });
});

describe('a folder that came from somebody else', () => {
  const profiles = path.join(folder, '.symbolon', 'profiles');
  const home = tempFolder(owner);
  const elsewhere = tempFolder(owner);
  const keyFile = path.join(elsewhere, 'my.key');
  writeFileSync(keyFile, privateKey, { mode: 0o600 });
  const env = { SYMBOLON_HOME: home, SYMBOLON_API_KEY: 'key-of-the-environment' };

  test('gets no secret, by the name of a profile of yours or by its own choice', async () => {
    const [mine, other] = [await curious(), await curious()];
    const words = ['--service', mine.url, '--person', `holder=${keyFile}`];
    await run(['profile', 'add', 'ada', ...words], { SYMBOLON_HOME: home });
    await run(['profile', 'use', 'ada'], { SYMBOLON_HOME: home });
    mkdirSync(profiles, { recursive: true });
    const person = { keyFile };
    const theirs = { service: other.url, ledger: other.url, issuer: person, holder: person };
    writeFileSync(path.join(profiles, 'ada.json'), JSON.stringify(theirs));
    await run(['vc', 'list', '--as', 'issuer'], env);
    await run(['vc', 'held', '--as', 'holder'], env);
    assert.match(mine.seen.join(), /key-of-the-environment/, 'yours is meant');
    assert.match(mine.seen.join(), /signeddata/i);
    const listed = await run(['profile', 'list', '--json'], env);
    const current = JSON.parse(listed.out).profiles.filter(
      ({ isCurrent }: { isCurrent: boolean }) => isCurrent,
    );
    assert.deepEqual(
      current.map(({ owner }: { owner: string }) => owner),
      ['user'],
    );
    const typed = await run(['vc', 'held', '--profile', 'ada'], env);
    assert.equal(typed.code, 2);
    assert.match(typed.err, /There are two profiles ada\./);
    writeFileSync(path.join(folder, '.symbolon', 'current'), 'ada\n');
    const keyed = await run(['vc', 'list', '--as', 'issuer'], env);
    assert.match(keyed.err, /SYMBOLON_API_KEY is not sent: this folder says to which service/);
    const signed = await run(['vc', 'held', '--as', 'holder'], env);
    assert.equal(signed.code, 78);
    assert.match(signed.err, /names a key outside of this folder/);
    assert.doesNotMatch(other.seen.join(), /key-of|signeddata/i);
    await run(['vc', 'list', '--as', 'issuer'], { ...env, SYMBOLON_API_KEY_FOR: other.url });
    assert.match(other.seen.join(), /key-of-the-environment/, 'you say whose it is');
    rmSync(path.join(folder, '.symbolon'), { recursive: true });
  });

  test('gets no profile with keys that lie elsewhere, nor writes one', async () => {
    const { code, err } = await run(
      ['profile', 'add', 'bob', '--here', '--person', `holder=${keyFile}`],
      env,
    );
    assert.equal(code, 2, err);
    assert.match(err, /names keys in that folder alone/);
  });
});

describe('an API key', () => {
  test('goes home, and not to an address that was typed', async () => {
    const [home, other] = [await curious(), await curious()];
    const profile = profileOf(home.url);
    const words = ['vc', 'list', '--as', 'issuer', '--profile', profile];
    const keys = { SYMBOLON_API_KEY: 'key-of-the-environment' };
    await run(words, keys);
    assert.match(home.seen.join(), /key-of-the-environment/);
    const { err } = await run([...words, '--service', other.url], keys);
    await run([...words, '--service', other.url]);
    await run(words, { ...keys, SYMBOLON_SERVICE_URL: other.url });
    await run(['demo', '--profile', profile, '--service', other.url]);
    assert.doesNotMatch(other.seen.join(), /key-of/);
    assert.match(err, /is not sent elsewhere/);
    await run([...words, '--service', other.url], { ...keys, SYMBOLON_API_KEY_FOR: other.url });
    assert.match(other.seen.join(), /key-of-the-environment/, 'the environment says whose it is');
  });

  test('is not read by a proxy of the environment', async () => {
    const [home, proxy] = [await curious(), await readingProxy()];
    const words = ['vc', 'list', '--as', 'issuer', '--profile', profileOf(home.url)];
    const environments: Environment[] = [
      { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url },
      { NODE_USE_ENV_PROXY: '1', http_proxy: proxy.url, no_proxy: 'example.org' },
      { NODE_OPTIONS: '--use-env-proxy', HTTP_PROXY: proxy.url, NO_PROXY: 'example.org' },
    ];
    for (const env of environments) {
      home.seen.length = 0;
      await run(words, env);
      assert.match(home.seen.join(), /key-of-the-profile/, 'the service is reached');
      assert.deepEqual(proxy.seen, []);
    }
  });

  test('is not sent to another machine in clear', async () => {
    const words = ['vc', 'list', '--as', 'issuer', '--profile', profileOf('http://192.0.2.1:8080')];
    const { code, err } = await run(words);
    assert.equal(code, 1, err);
    assert.match(err, /Nothing was sent to http:\/\/192\.0\.2\.1:8080[\s\S]*https/);
  });
});
