import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { connect } from './connection.ts';
import type { Lines } from './terminal.ts';

test("an API key of a profile goes to the profile's service and to no other", async (context) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-connection-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, content: object) => {
    const file = path.join(folder, name);
    writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
    return file;
  };
  const issuer = { apiKey: 'the-key-of-the-profile' };
  const own = write('own.json', { service: 'http://127.0.0.1:8080', issuer });
  const open = write('open.json', { issuer });
  const remarks: string[] = [];
  const terminal = {
    print: () => undefined,
    remark: (lines: Lines) => void remarks.push(...[lines].flat()),
    isWatched: false,
    hasColours: false,
  };
  const keyFor = async (profile: string, service?: string) =>
    (await connect({ profile, as: 'issuer', ...(service !== undefined && { service }) }, terminal)).apiKey;
  assert.equal(await keyFor(own), issuer.apiKey);
  assert.equal(await keyFor(own, 'http://127.0.0.1:8080/'), issuer.apiKey);
  assert.equal(await keyFor(open, 'http://127.0.0.1:9999'), issuer.apiKey, 'a profile without a service');
  assert.deepEqual(remarks, []);
  for (const other of ['http://127.0.0.1:8081', 'https://127.0.0.1:8080', 'http://example.org', 'nonsense'])
    assert.equal(await keyFor(own, other).catch(() => undefined), undefined, other);
  assert.ok(remarks.length >= 3);
  assert.match(remarks[1] as string, /SYMBOLON_API_KEY/);
  assert.doesNotMatch(remarks.join(), /the-key-of-the-profile/);
});
