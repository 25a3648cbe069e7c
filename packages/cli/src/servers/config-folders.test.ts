import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadServiceConfig } from '@symbolon/credential-service/wiring/service-folder';
import { ConfigError } from '@symbolon/host/config/config';
import { inspectFolder } from './config-folders.ts';

function serviceFolder(context: TestContext, settings: object, mode = 0o600): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-settings-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'service.json');
  writeFileSync(file, JSON.stringify(settings));
  chmodSync(file, mode);
  return folder;
}

/** What `config check` finds, which the start refuses as well. */
async function mistakes(folder: string, env: Record<string, string>): Promise<string[]> {
  const { problems } = inspectFolder({ kind: 'service', folder }, env);
  const lines = problems.map(({ place, problem }) => `${place}: ${problem}`);
  await assert.rejects(loadServiceConfig(folder, { env }), (error) => {
    assert.ok(error instanceof ConfigError, String(error));
    for (const line of lines) assert.ok(error.message.includes(line), line);
    return true;
  });
  return lines;
}

test('every mistake of a service is told at once, by the check and by the start', async (context) => {
  const folder = serviceFolder(context, { masterKey: { value: 'ab'.repeat(32) } }, 0o644);
  const found = await mistakes(folder, {
    SYMBOLON_PUBLIC_URL: 'credentials.example.org',
    SYMBOLON_TRUSTED_PROXIES: 'abc, 192.0.2.0/24, 127.0.0.1/33, proxy.example, ::1',
    SYMBOLON_DATABASE: 'sqlite:',
  });
  const all = found.join('\n');
  assert.match(all, /SYMBOLON_PUBLIC_URL.*https:\/\/verifier\.example/);
  for (const word of ['abc', '127.0.0.1/33', 'proxy.example']) assert.ok(all.includes(word), word);
  assert.ok(!all.includes('192.0.2.0/24') && !all.includes('::1"'), all);
  assert.match(all, /SYMBOLON_DATABASE: is not allowed/);
  assert.match(all, /service\.json.*a master key.*chmod 600/);
});

test('settings that are in order are fine', async (context) => {
  const folder = serviceFolder(context, {}, 0o644);
  const env = {
    SYMBOLON_PUBLIC_URL: 'https://credentials.example.org',
    SYMBOLON_TRUSTED_PROXIES: 'loopback, 10.0.0.0/255.0.0.0, fe80::/10, 192.0.2.1',
  };
  assert.deepEqual(inspectFolder({ kind: 'service', folder }, env).problems, []);
  await loadServiceConfig(folder, { env });
});

test('a node told to be reached at no address is a mistake, and no crash', (context) => {
  const folder = serviceFolder(context, {});
  const { problems } = inspectFolder({ kind: 'node', folder }, { SYMBOLON_LEDGER_PUBLIC_URL: 'foo' });
  const ofUrl = problems.filter(({ place }) => place === 'SYMBOLON_LEDGER_PUBLIC_URL');
  assert.deepEqual(
    ofUrl.map(({ problem }) => problem.includes('must be an origin')),
    [true],
  );
});
