import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandFailure } from '../terminal/failure.ts';
import { type BackupSecrets, encryptSecrets, openSecrets } from './encrypted-secrets.ts';

const secrets: BackupSecrets = {
  files: { 'service/master.key': 'the-master-key\n', 'demo.json': '{}' },
  settings: { database: 'postgres://user:pass@host/name' },
};
const order = { passphrase: 'correct horse battery', contentHash: 'ab'.repeat(32) };

test('secrets open with their passphrase in their backup and nowhere else', async () => {
  const sealed = await encryptSecrets(secrets, order);
  assert.doesNotMatch(sealed, /master|postgres/);
  assert.deepEqual(await openSecrets(sealed, order), secrets);
  const refused = (error: unknown) =>
    error instanceof CommandFailure && !/master-key|postgres|correct/.test(error.message);
  await assert.rejects(openSecrets(sealed, { ...order, passphrase: 'correct horse batterz' }), refused);
  await assert.rejects(openSecrets(sealed, { ...order, contentHash: 'cd'.repeat(32) }), refused);
  const body = sealed.split('\n')[1] as string;
  const bytes = Buffer.from(body, 'base64');
  bytes[40] = (bytes[40] as number) ^ 1;
  await assert.rejects(openSecrets(sealed.replace(body, bytes.toString('base64')), order), refused);
  for (const odd of ['', 'symbolon backup secrets v1\n', sealed.replace('v1', 'v2'), body])
    await assert.rejects(openSecrets(odd, order), /the file is damaged/);
});

test('secrets that name a file of another place are not opened', async () => {
  const odd = { ...secrets, files: { '../../elsewhere': 'x' } } as unknown as BackupSecrets;
  await assert.rejects(openSecrets(await encryptSecrets(odd, order), order), CommandFailure);
});
