import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import {
  readCredentialFile,
  readDocumentFile,
  readPresentationFile,
  writeDocumentFile,
} from './document-files.ts';

const usage = (message: RegExp) => (error: unknown) =>
  error instanceof CommandFailure && error.exitCode === exitCodes.usage && message.test(error.message);

describe('files with documents', () => {
  let folder = '';
  const file = (name: string) => path.join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('are written for their owner alone, and not over another', async () => {
    await writeDocumentFile(file('a.json'), { a: 1n });
    assert.equal(readFileSync(file('a.json'), 'utf8'), '{"a":1}\n');
    assert.equal(statSync(file('a.json')).mode & 0o777, 0o600);
    await assert.rejects(writeDocumentFile(file('a.json'), { b: 2 }), usage(/there already[\s\S]*--force/));
    chmodSync(file('a.json'), 0o644);
    await writeDocumentFile(file('a.json'), { b: 2 }, { mayReplace: true });
    assert.deepEqual(await readDocumentFile(file('a.json'), 'a thing'), { b: 2 });
    assert.equal(statSync(file('a.json')).mode & 0o777, 0o600, 'one that was open to others is closed');
    await assert.rejects(writeDocumentFile(file('no/a.json'), {}), usage(/cannot be written/));
  });

  test('that say one thing twice are refused with its name', async () => {
    writeFileSync(file('twice.json'), '{"a":{"id":"priv-secret","id":"other"}}');
    await assert.rejects(
      readDocumentFile(file('twice.json'), 'a thing'),
      (error: Error) => usage(/the member "id" twice/)(error) && !error.message.includes('priv-secret'),
    );
  });

  test('that hold something else are named, and nothing of their content is', async () => {
    const cases = {
      'text.json': 'priv-secret',
      'list.json': '["priv-secret"]',
      'half.json': '{"a":"priv-secret',
    };
    for (const [name, content] of Object.entries(cases)) {
      writeFileSync(file(name), content);
      await assert.rejects(
        readDocumentFile(file(name), 'a thing'),
        (error: Error) => usage(/is not a thing/)(error) && !error.message.includes('priv-secret'),
      );
    }
    await assert.rejects(
      readDocumentFile(file('none.json'), 'a thing'),
      usage(/no such file[\s\S]*with a thing/),
    );
    await assert.rejects(readDocumentFile(folder, 'a thing'), usage(/not a file with a thing/));
    writeFileSync(file('large.json'), Buffer.alloc(9_000_000, 32));
    await assert.rejects(readDocumentFile(file('large.json'), 'a thing'), usage(/too large/));
  });

  test('are told apart: a credential is kept, a presentation is shown', async () => {
    writeFileSync(file('vc.json'), '{"type":["VerifiableCredential","X"]}');
    writeFileSync(file('vp.json'), '{"type":["VerifiablePresentation"]}');
    writeFileSync(file('other.json'), '{"type":"other"}');
    assert.ok(await readCredentialFile(file('vc.json')));
    assert.ok(await readPresentationFile(file('vp.json')));
    await assert.rejects(
      readPresentationFile(file('vc.json')),
      usage(/whole credential[\s\S]*symbolon vp create/),
    );
    await assert.rejects(readCredentialFile(file('vp.json')), usage(/presentation already/));
    await assert.rejects(readPresentationFile(file('other.json')), usage(/Its type is another/));
    await assert.rejects(readCredentialFile(file('other.json')), usage(/symbolon vc download/));
  });
});
