/** What is built: how much a first page loads, that nothing is inline, what has a compressed sibling, and when it is built. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { createProgram } from '@symbolon/cli/program';
import { commandRows } from '@symbolon/console/code/commands';
import { ensureConsoleBuilt } from '../support/console-world.ts';

const root = path.resolve(import.meta.dirname, '../..');
const dist = path.join(root, 'packages/console/dist');
const firstLoadBytesMax = 300_000;
/** The library of proofs, by what it is called in its package. */
const proofEngine = /crypto[-_]wasm/i;

before(ensureConsoleBuilt);

const read = (name: string): string => readFileSync(path.join(dist, name), 'utf8');
const assets = (): string[] => readdirSync(path.join(dist, 'assets'));

/** The scripts that a page names, and all that these import before they run. */
function firstScripts(): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, inner = ''] of read(name).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
      visit(`assets/${inner}`);
  };
  for (const [, name = ''] of read('index.html').matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g))
    visit(name);
  return found;
}

const compressed = (name: string): number =>
  gzipSync(readFileSync(path.join(dist, name)), { level: 9 }).length;

describe('the built console', () => {
  test('loads less than 300 kB of compressed JavaScript first, words included', (context) => {
    const words = assets().find((name) => /^en-.*\.js$/.test(name));
    assert.ok(words, 'the English words are a chunk');
    const scripts = [...firstScripts(), `assets/${words}`];
    const bytes = scripts.reduce((sum, name) => sum + compressed(name), 0);
    context.diagnostic(`${bytes} bytes in ${scripts.length} files`);
    assert.ok(bytes < firstLoadBytesMax, `${bytes} bytes`);
  });

  test('brings no proof engine with the first page', () => {
    for (const name of firstScripts()) assert.doesNotMatch(read(name), proofEngine, name);
  });

  test('has nothing inline, and asks nobody else', () => {
    const page = read('index.html');
    assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
    for (const [, address = ''] of page.matchAll(/(?:src|href)="([^"]*)"/g))
      assert.match(address, /^\/assets\//);
    for (const name of assets().filter((one) => one.endsWith('.css')))
      assert.doesNotMatch(read(`assets/${name}`), /url\(["']?(https?:|\/\/|data:)|@import/, name);
  });

  test('names every file by its content, with a compressed sibling where it compresses', () => {
    for (const name of assets().filter((one) => !one.endsWith('.br'))) {
      assert.match(name, /-[\w-]{8}\.\w+$/);
      if (name.endsWith('.woff2')) continue;
      const packed = brotliDecompressSync(readFileSync(path.join(dist, 'assets', `${name}.br`)));
      assert.equal(packed.toString(), read(`assets/${name}`), name);
    }
    assert.ok(existsSync(path.join(dist, 'index.html.br')));
  });

  test('is not built again when nothing changed', async () => {
    const made = statSync(path.join(dist, 'index.html')).mtimeMs;
    const script = pathToFileURL(path.join(root, 'scripts/console/build.mjs')).href;
    const { buildConsole } = (await import(script)) as { buildConsole: () => Promise<boolean> };
    assert.equal(await buildConsole(), false);
    assert.equal(statSync(path.join(dist, 'index.html')).mtimeMs, made);
  });
});

test('every command that the console shows is one of the program', async () => {
  for (const { words } of [...Object.values(commandRows.service), ...Object.values(commandRows.ledger)]) {
    const names = words.split(' ');
    let at = await createProgram(names);
    for (const name of names) {
      const found = at.commands.find((command) => command.name() === name);
      assert.ok(found, words);
      at = found;
    }
  }
});
