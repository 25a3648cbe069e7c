/** Every example of docs/sdk.md, in order, as one program: compiled as it stands there, then run against the demo. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ownerOfSuite } from '../support/owner.ts';
import { startSymbolon } from '../support/symbolon-process.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const manual = readFileSync(path.join(root, 'docs/sdk.md'), 'utf8');
const run = promisify(execFile);
const owner = ownerOfSuite();
const program = [...manual.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block).join('\n');

describe('the examples of the document', () => {
  let folder: string;

  before(() => {
    folder = makeTempFolder();
    owner.after(() => removeFolder(folder));
    writeFileSync(path.join(folder, 'examples.ts'), program);
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    // The wallet of the field brings libraries along that have no types of their own.
    const files = ['examples.ts', path.join(root, 'packages/formats/src/json-ld/untyped.d.ts')];
    const project = { extends: path.join(root, 'tsconfig.json'), files, include: [] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
  });

  test('are there for everything that the document promises', () => {
    const names = [
      'generateKey',
      'trustedIssuers',
      'minAge',
      'issueCredential',
      'presentCredential',
      'askVerdict',
      'verifyPresentationOffline',
    ];
    for (const name of [...names, 'sendTransaction', 'waitForReceipt', 'watchLedger', 'ServiceError'])
      assert.ok(program.includes(name), name);
  });

  test('compile', async () => {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '--pretty', 'false', '-p', folder]).catch(
      (error: { stdout?: string }) => ({ stdout: String(error.stdout) }),
    );
    assert.equal(stdout, '');
  });

  test('run', async () => {
    const data = path.join(folder, '.symbolon', 'dev');
    mkdirSync(path.dirname(data));
    const args = ['dev', '--data', data, '--ledger-port', '0', '--service-port', '0', '--no-open'];
    await startSymbolon(owner, args).printed(/Demo people +(\S+)/);
    const { stdout } = await run(process.execPath, ['examples.ts'], { cwd: folder, timeout: 120_000 });
    for (const said of [
      /^the city is Wellington$/m,
      /^a new account: \S+ did:zid:\S+$/m,
      /^the same account: true$/m,
      /^accepted with Nelson$/m,
      /^the verifier has taken it: true$/m,
      /^without the service: true$/m,
      /^City library says: 18 or older$/m,
      /^the session is CREATED$/m,
      /^executed in block \d+n for a fee of \d+n$/m,
      /^the first event was a (block|submission|transaction)$/m,
      /^applicationUnknown - .+$/m,
    ])
      assert.match(stdout, said);
  });
});
