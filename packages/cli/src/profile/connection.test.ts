import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { didOfSigner } from '@symbolon/sdk/keys/signer';
import { CommandFailure } from '../terminal/failure.ts';
import type { Lines } from '../terminal/terminal.ts';
import { connect } from './connection.ts';
import { makeKeyFile } from './key-file.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-connection-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: object): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

const issuer = { apiKey: 'the-key-of-the-profile' };
const home = 'http://127.0.0.1:8081';
const own = write('own.json', { service: home, issuer });
const open = write('open.json', { issuer });

/** Which key would go to a service, and what is said about it. */
async function keyFor(
  profile: string,
  service?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly key: string | undefined; readonly remarks: string }> {
  const remarks: string[] = [];
  const terminal = {
    print: () => undefined,
    remark: (lines: Lines) => void remarks.push(...[lines].flat()),
    isWatched: false,
    hasColours: false,
  };
  const words = { profile, as: 'issuer', ...(service !== undefined && { service }) };
  const { apiKey } = await connect(words, terminal, env);
  assert.ok(!remarks.some((line) => line.includes('\n')), 'a line is one line');
  return { key: apiKey, remarks: remarks.join('\n') };
}

const others = ['http://127.0.0.1:8082', 'https://127.0.0.1:8081', 'https://example.org'];

describe('an API key of a profile', () => {
  test("goes to the profile's service and to no other", async () => {
    for (const service of [undefined, home, `${home}/`])
      assert.deepEqual(await keyFor(own, service), { key: issuer.apiKey, remarks: '' });
    for (const other of others) {
      const { key, remarks } = await keyFor(own, other);
      assert.equal(key, undefined, other);
      assert.match(
        remarks,
        /is for http:\/\/127\.0\.0\.1:8081 and is not sent elsewhere[\s\S]*SYMBOLON_API_KEY_FOR/,
      );
      assert.doesNotMatch(remarks, /the-key/);
    }
  });

  test('without a service in the profile is for the usual one on this machine', async () => {
    assert.equal((await keyFor(open)).key, issuer.apiKey);
    assert.equal((await keyFor(open, 'http://127.0.0.1:8080')).key, issuer.apiKey);
    for (const other of others) assert.equal((await keyFor(open, other)).key, undefined, other);
  });
});

describe('an API key of the environment', () => {
  const env = { SYMBOLON_API_KEY: 'the-key-of-the-environment' };

  test("goes to the profile's service and to no other", async () => {
    assert.deepEqual(await keyFor(own, undefined, env), { key: env.SYMBOLON_API_KEY, remarks: '' });
    for (const other of others) {
      const { key, remarks } = await keyFor(own, other, env);
      assert.equal(key, undefined, other);
      assert.match(remarks, /not sent elsewhere/);
      assert.doesNotMatch(remarks, /the-key/);
    }
  });

  test('without a profile is for the usual service on this machine', async () => {
    for (const other of others) assert.equal((await keyFor('dev', other, env)).key, undefined, other);
    assert.equal((await keyFor('dev', 'http://127.0.0.1:8080', env)).key, env.SYMBOLON_API_KEY);
  });

  test('is for the origin that the environment names, whatever the profile says', async () => {
    const named = { ...env, SYMBOLON_API_KEY_FOR: 'https://example.org' };
    assert.equal((await keyFor(own, 'https://example.org/', named)).key, env.SYMBOLON_API_KEY);
    assert.equal((await keyFor('dev', 'https://example.org', named)).key, env.SYMBOLON_API_KEY);
    assert.equal((await keyFor(own, undefined, named)).key, issuer.apiKey, "home, the profile's own is used");
    assert.equal((await keyFor(own, 'https://example.org.evil.example', named)).key, undefined);
  });

  test('whose origin is none is refused, and neither is repeated', async () => {
    for (const text of [
      'example.org',
      'https://example.org/path',
      'https://me:pw@example.org',
      'ftp://x',
      '',
    ])
      await assert.rejects(keyFor(own, undefined, { ...env, SYMBOLON_API_KEY_FOR: text }), (error) => {
        assert.ok(error instanceof CommandFailure);
        assert.match(error.message, /SYMBOLON_API_KEY_FOR/);
        assert.doesNotMatch(error.message, /the-key|me:pw/);
        return true;
      });
  });
});

describe('a key file that is named', () => {
  const keyOf = async (name: string): Promise<{ readonly file: string; readonly did: string }> => {
    const file = path.join(folder, `${name}.key`);
    return { file, did: didOfSigner(await makeKeyFile(file)) };
  };
  const terminal = { print: () => undefined, remark: () => undefined, isWatched: false, hasColours: false };

  test('is whoever has it, and nobody else in the profile', async () => {
    const [own, other, stranger] = [await keyOf('own'), await keyOf('other'), await keyOf('stranger')];
    const people = {
      issuer: { did: own.did, apiKey: 'key-of-own', bbsPublicKeyMultibase: 'z1' },
      desk: { did: other.did, apiKey: 'key-of-other' },
    };
    const profile = write('people.json', { service: home, ...people });
    const acting = async (key: string) => connect({ profile, as: 'issuer', key }, terminal, {});
    assert.deepEqual((await acting(own.file)).person, people.issuer);
    assert.deepEqual((await acting(other.file)).person, people.desk);
    const unknown = await acting(stranger.file);
    assert.deepEqual([unknown.person, unknown.apiKey], [undefined, undefined]);
  });

  test('takes an API key that does not say whose it is', async () => {
    const { file: key } = await keyOf('anybody');
    const { apiKey } = await connect({ profile: own, as: 'issuer', key }, terminal, {});
    assert.equal(apiKey, issuer.apiKey);
  });
});
