/** What is built: that nothing is inline, what has a compressed sibling, and when it is built. And that samples of code are good. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { createProgram } from '@symbolon/cli/program';
import { commandRows } from '@symbolon/console/code/commands';
import { sampleOf } from '@symbolon/console/code/sample';
import { allExamples } from '@symbolon/console/code/testing/examples';
import { ensureConsoleBuilt } from '../support/console-world.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
const root = path.resolve(import.meta.dirname, '../..');
const dist = path.join(root, 'packages/console/dist');
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

describe('the built console', () => {
  test('brings no proof engine with the first page', () => {
    for (const name of firstScripts()) assert.doesNotMatch(read(name), proofEngine, name);
  });

  test('has the library of proofs once, for the worker', () => {
    const large = assets().filter(
      (name) => name.endsWith('.js') && statSync(path.join(dist, 'assets', name)).size > 1_000_000,
    );
    assert.equal(large.length, 1, large.join(', '));
  });

  test('has nothing inline, and asks nobody else', () => {
    const page = read('index.html');
    assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
    for (const [, address = ''] of page.matchAll(/(?:src|href)="([^"]*)"/g))
      assert.match(address, /^\/(assets\/|manifest\.webmanifest$|icon-192\.png$)/);
    for (const name of assets().filter((one) => one.endsWith('.css')))
      assert.doesNotMatch(read(`assets/${name}`), /url\(["']?(https?:|\/\/|data:)|@import/, name);
  });

  test('names every file by its content, with a compressed sibling where it compresses', () => {
    for (const name of assets().filter((one) => !one.endsWith('.br'))) {
      assert.match(name, /-[\w-]{8}\.\w+$/);
      if (/\.woff2?$/.test(name)) continue;
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

/** Words of the commands in a sample, as a shell makes them; `symbolon` is a function here. */
function commandsIn(text: string, folder: string): string[][] {
  const shell = `symbolon() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${text}`;
  const said = execFileSync('bash', ['-c', shell], { cwd: folder, encoding: 'utf8' }).split('\0');
  const commands: string[][] = [[]];
  for (const word of said.slice(0, -1))
    if (word === '\n') commands.push([]);
    else commands.at(-1)?.push(word);
  return commands.slice(0, -1);
}

/** Has the program read a command as it would to run it; what is left open need not be of the right form. */
async function assertUnderstood(words: readonly string[], hasOpen: boolean): Promise<void> {
  const said = words.join(' ');
  let at = await createProgram([...words]);
  let rest = [...words];
  for (;;) {
    const found = at.commands.find((command) => command.name() === rest[0]);
    if (!found) break;
    at = found;
    rest = rest.slice(1);
  }
  at.exitOverride().configureOutput({ writeErr: () => undefined });
  try {
    const { operands, unknown } = at.parseOptions(rest);
    assert.deepEqual(unknown, [], said);
    const { registeredArguments } = at;
    const needed = registeredArguments.filter(({ required }) => required).length;
    assert.ok(operands.length >= needed && operands.length <= registeredArguments.length, said);
    for (const [place, word] of operands.entries()) registeredArguments[place]?.parseArg?.(word, undefined);
    for (const option of at.options.filter(({ mandatory }) => mandatory))
      assert.notEqual(at.getOptionValue(option.attributeName()), undefined, `${said}: ${option.long}`);
  } catch (error) {
    const isForm = error instanceof Error && 'code' in error && error.code === 'commander.invalidArgument';
    if (!isForm || !hasOpen) throw error;
  }
}

describe('samples of "Show as code"', () => {
  const samples = allExamples.map((example) => sampleOf(example, 'http://127.0.0.1:8080'));
  let folder: string;

  before(() => {
    folder = makeTempFolder();
    owner.after(() => removeFolder(folder));
  });

  test('every command is one that the program understands', async () => {
    const said = samples.flatMap(({ cli }) => cli ?? []);
    for (const { words } of Object.values(commandRows).flatMap((rows) => Object.values(rows)))
      assert.ok(
        said.some(({ text }) => text.includes(`symbolon ${words}`)),
        words,
      );
    for (const { text, open } of said)
      for (const words of commandsIn(text, folder)) await assertUnderstood(words, open.length > 0);
  });

  test('every program compiles', async () => {
    const files = samples.map(({ typescript }, place) => {
      writeFileSync(path.join(folder, `sample-${place}.ts`), `${typescript.text}\n`);
      return `sample-${place}.ts`;
    });
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const project = { extends: path.join(root, 'tsconfig.json'), files, include: [] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [
      tsc,
      '--pretty',
      'false',
      '-p',
      folder,
    ]).catch((error: { stdout?: string }) => ({ stdout: String(error.stdout) }));
    assert.equal(stdout, '');
  });
});
