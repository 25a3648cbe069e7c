/**
 * The guides of docs/guides, each pasted into a shell from top to bottom in a folder of its own, with what it says one
 * sees; the programs in them, compiled; and where their links lead. Those that need no checkout
 * are played by `persons.test.ts`. How pages are read and run is `page-shell.ts`.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { root, runDocument } from '../support/document-shell.ts';
import { missingLine, readSteps } from '../support/page-shell.ts';
import { findSoftHsm } from '../support/softhsm.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = path.join(root, 'docs/guides');
const names = readdirSync(folder).map((file) => path.basename(file, '.md'));
const pageOf = (name: string): string => readFileSync(path.join(folder, `${name}.md`), 'utf8');
const guide = (name: string) => ({ page: pageOf(name), name: `docs/guides/${name}.md` });
const linesMax = 59;
const softHsm = await findSoftHsm();

describe('what the guides say works as pasted', { timeout: 840_000 }, () => {
  test('issue your first credential', async (context) => {
    const left = await runDocument(context, guide('first-credential'));
    assert.ok(existsSync(path.join(left, '.symbolon/credential.json')));
  });

  test('charge for a credential', async (context) => {
    await runDocument(context, guide('charge-for-a-credential'));
  });

  test('use your HSM', { skip: 'missing' in softHsm && softHsm.missing }, async (context) => {
    assert.ok(!('missing' in softHsm));
    const { module, program, libraryFolders } = softHsm;
    const env = { LD_LIBRARY_PATH: libraryFolders.join(':') || undefined };
    const programs = { 'softhsm2-util': program };
    const replace = { '/usr/lib/softhsm/libsofthsm2.so': module };
    const left = await runDocument(context, { ...guide('use-your-hsm'), env, programs, replace });
    assert.ok(!existsSync(path.join(left, '.symbolon/hsm/service/master.key')), 'only the token has the key');
  });
});

describe('what the guides are', () => {
  test('their programs compile', async (context) => {
    const place = tempFolder(context);
    symlinkSync(path.join(root, 'node_modules'), path.join(place, 'node_modules'));
    writeFileSync(path.join(place, 'package.json'), '{"type":"module"}');
    const files = names.flatMap((name) =>
      readSteps(pageOf(name)).flatMap(({ kind, file = '', text }) => {
        if (kind !== 'save' || !file.endsWith('.ts')) return [];
        const saved = path.join(place, name, file);
        mkdirSync(path.dirname(saved), { recursive: true });
        writeFileSync(saved, text);
        return [saved];
      }),
    );
    assert.ok(files.length >= 1, 'there are programs');
    const project = { extends: path.join(root, 'tsconfig.json'), files, include: [] };
    writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify(project));
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [
      tsc,
      '--pretty',
      'false',
      '-p',
      place,
    ]).catch((error: { stdout?: string }) => ({ stdout: String(error.stdout) }));
    assert.equal(stdout, '');
  });

  test('their links lead somewhere, errors are named, and none is long', () => {
    assert.equal(names.length, 10);
    for (const name of names) {
      const page = pageOf(name);
      assert.ok(page.trimEnd().split('\n').length <= linesMax, `${name} is short`);
      assert.match(page, /\n## When it goes wrong\n[\s\S]*errors\.md#[\s\S]*\nGo on: /, name);
      for (const [, place = '', , anchor] of page.matchAll(/\]\(([^)#]+)(#([^)]+))?\)/g)) {
        const target = path.resolve(folder, place);
        assert.ok(existsSync(target), `${name}: ${place}`);
        if (anchor !== undefined) assert.ok(anchorsOf(target).has(anchor), `${name}: ${place}#${anchor}`);
      }
    }
  });
});

/** As they are made of headings. */
const anchorsOf = (file: string): Set<string> =>
  new Set(
    [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );

describe('a page is read as its reader would', () => {
  const page = [
    'Save this as `a/b.ts`:\n\n```ts\nlet x;\n```',
    '```sh\nnpm start # leave it running\n```\n```text\nup\n```',
    '```sh\necho hi\n```\n```ini\nread=only\n```',
  ].join('\n\n');

  test('what to save, to leave running, to paste, and to see', () => {
    const steps = readSteps(page).map(({ kind, file, seen }) => [kind, file, seen]);
    assert.deepEqual(steps, [
      ['save', 'a/b.ts', undefined],
      ['leave', undefined, 'up\n'],
      ['paste', undefined, undefined],
    ]);
  });

  test('lines are to be seen whole and in order', () => {
    assert.equal(missingLine('a … c\nd', 'x\na b c\ny\nd\n'), undefined);
    assert.equal(missingLine('d\na … c', 'a b c\nd\n'), 'a … c');
    assert.equal(missingLine('a.c', 'abc'), 'a.c');
    assert.equal(missingLine('a', 'ab'), 'a');
  });

  test('a command that fails, or prints something else, fails the page', async (context) => {
    const run = (text: string) => runDocument(context, { page: text, name: 'page' });
    await run('```sh\nx=$(echo 5)\n```\n```sh\nsh -c "exit 3" # exit code 3\necho $x\n```\n```text\n5\n```');
    await assert.rejects(run('```sh\nfalse\necho fine\n```'), /page:1/);
    await assert.rejects(run('```sh\nx=$(false | cat)\n```'), /page:1/);
    await assert.rejects(run('```sh\necho no # exit code 3\n```'), /page:1/);
    await assert.rejects(run('```sh\necho no\n```\n```text\nyes\n```'), /should print, but does not:\nyes/);
  });
});
