import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readTypeAndFormat } from '@symbolon/core/attributes/attribute-formats';
import { attributeTypes, type DemoDocument, readDemoFile, writeDemoFile } from './file.ts';

const person = { name: 'n', did: 'd', address: 'a', privateKey: 'p', publicKey: 'q', apiKey: 'k' };
const document: DemoDocument = {
  warning: 'w',
  service: 's',
  ledger: 'l',
  issuer: { ...person, bbsPublicKeyMultibase: 'z' },
  holder: person,
  holder2: person,
  verifier: person,
  attributeTypes: attributeTypes(),
  templates: [{ templateId: 't', name: 'n', version: '1', price: '5' }],
  credentials: [{ vcId: 'v', title: 't', templateId: 't', holder: 'holder', status: 'Active' }],
  token: { address: 'a', name: 'n', symbol: 's', decimals: 2 },
};

describe('demo.json', () => {
  test('is read as it was written, and is for its owner alone', async (context) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-demo-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'demo.json');
    assert.equal(await readDemoFile(file), undefined);
    // Whoever made it readable for all does not keep it so.
    writeFileSync(file, '', { mode: 0o644 });
    await writeDemoFile(file, document);
    assert.deepEqual(await readDemoFile(file), document);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ['demo.json']);
    for (const spoilt of ['', '{', 'null', '{"issuer":{}}', JSON.stringify({ ...document, holder: 7 })]) {
      writeFileSync(file, spoilt);
      assert.equal(await readDemoFile(file), undefined, spoilt);
    }
  });

  test('names a type for every format, and each is one that templates take', () => {
    for (const [format, code] of Object.entries(attributeTypes())) {
      const read = readTypeAndFormat(code, format);
      assert.ok('type' in read, format);
    }
  });
});
