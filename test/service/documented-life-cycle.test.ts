/** The script of docs/credentials.md, "One life cycle", run as it stands there against the demo. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startSymbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const manual = readFileSync(path.resolve(import.meta.dirname, '../../docs/credentials.md'), 'utf8');
const run = promisify(execFile);

test('the documented life cycle is verified, and after its revocation refused', async (context) => {
  const script = /\n## One life cycle\n[\s\S]*?```js\n([\s\S]*?)```/.exec(manual)?.[1];
  assert.ok(script, 'the document has the script');
  const folder = tempFolder(context);
  const file = path.join(folder, 'life-cycle.mjs');
  writeFileSync(file, script);
  const data = path.join(folder, 'data');
  const args = ['dev', '--data', data, '--ledger-port', '0', '--service-port', '0', '--no-open'];
  await startSymbolon(context, args).printed(/Demo people +(\S+)/);
  const { stdout } = await run(process.execPath, [file, path.join(data, 'demo.json')]);
  assert.match(stdout, /verified: true,[\s\S]*name: 'Aroha Ngata'[\s\S]*range proof ok: >= 100/);
  assert.match(stdout, /verified: false,[\s\S]*status: credential revoked in ledger \d+ \(since /);
});
