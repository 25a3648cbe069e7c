/** The documents made from the code: the committed ones are the ones that the code makes, and their links exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const script = pathToFileURL(path.join(projectRoot, 'scripts/lib/documents.mjs')).href;
const { generatedDocuments } = (await import(script)) as {
  generatedDocuments: (node: string) => Promise<Record<string, string>>;
};
const documents = await generatedDocuments(process.execPath);

for (const [file, text] of Object.entries(documents)) {
  test(`${file} is up to date (npm run documents writes it)`, () => {
    assert.equal(readFileSync(path.join(projectRoot, file), 'utf8'), text);
  });

  test(`what ${file} links to exists`, () => {
    const anchors = new Set([...text.matchAll(/^### (.+)$/gm)].map(([, name]) => `#${name?.toLowerCase()}`));
    for (const [, link] of text.matchAll(/\]\(([^)]+)\)/g)) {
      if (link?.startsWith('#')) assert.ok(anchors.has(link), link);
      else {
        const [place] = (link as string).split('#');
        assert.ok(existsSync(path.join(projectRoot, path.dirname(file), place as string)), link);
      }
    }
  });
}

test('llms.txt names the commands with what they do', () => {
  const section = /## Commands\n([\s\S]*?)\n## /.exec(documents['llms.txt'] ?? '')?.[1] ?? '';
  const commands = [...section.matchAll(/^- `([a-z-]+)`: (\S.+)$/gm)].map(([, name]) => name);
  for (const name of ['dev', 'node', 'service', 'contract', 'did']) assert.ok(commands.includes(name), name);
  assert.ok(!commands.includes('help'));
});
