/**
 * What strangers do in their first hour besides the six mistakes of `mistakes.test.ts`: they pipe into programs that
 * stop reading, mistype words in scripts that read JSON, stand in another folder or have another user's files before
 * them. Needs no demo.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ownerOfSuite } from '../support/owner.ts';
import { type Ended, startSymbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const main = path.resolve(import.meta.dirname, '../../packages/cli/src/main.ts');

describe('the first hour', () => {
  const owner = ownerOfSuite();
  const folder = tempFolder(owner);
  const run = (...args: string[]): Promise<Ended> => startSymbolon(owner, args, {}, { cwd: folder }).ended;

  test('a reader that has gone ends a command without a word, and not as a success', async () => {
    for (const args of [['--help'], ['vc', '--help'], ['keys', 'new', '--out', 'piped.key']]) {
      const child = spawn(process.execPath, [main, ...args], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child.stdout.destroy();
      let err = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        err += chunk;
      });
      const [code] = await once(child, 'close');
      assert.equal(code, 141, err);
      assert.doesNotMatch(err, /EPIPE|\n\s+at /);
    }
  });

  test('a node whose log nobody reads any more stops as it would on a signal', async () => {
    assert.equal((await run('node', 'init', '--data', 'mine')).code, 0);
    const args = ['node', 'start', '--data', 'mine', '--port', '0', '--socket-port', '0'];
    const child = spawn(process.execPath, [main, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    child.stderr.resume();
    owner.after(() => void child.kill('SIGKILL'));
    await once(child, 'close');
    const verified = await run('node', 'verify', '--data', 'mine', '--json');
    assert.equal(verified.code, 0, verified.err);
  });

  test('mistyped words are told to programs too', async () => {
    const wrong = await run('vc', 'show', 'privbtSomethingSecret', '--json');
    assert.equal(wrong.code, 2);
    assert.deepEqual(JSON.parse(wrong.out), {
      error: {
        message:
          "'id' does not fit. It must be did:, a method, a colon and 64 hex digits, or what a list shows of it.",
        code: 'usage',
      },
    });
    assert.ok(!(wrong.out + wrong.err).includes('SomethingSecret'));
    const alone = await run('vc', '--help', '--json');
    assert.equal(alone.code, 0);
    for (const words of [['tempalte'], ['template', 'lsit'], ['service', 'key', 'crate']]) {
      const { code, err } = await run(...words);
      assert.equal(code, 2);
      assert.match(err, /Did you mean/);
    }
  });

  test('help shows groups, examples and how a checkout spells them', async () => {
    const { out } = await run('--help');
    for (const part of [/\nBegin:\n/, /\nCredentials:\n/, /\nLedger:\n/, /npm run symbolon -- COMMAND/])
      assert.match(out, part);
    assert.match((await run('tx', 'pay', '--help')).out, /\nExamples:\n {2}symbolon tx pay holder 1000000\n/);
  });

  test('in a folder without a demo is told where to go', async () => {
    const person = await run('account', 'show', 'holder');
    assert.equal(person.code, 2);
    assert.match(person.err, /no profile here[\s\S]*npm start[\s\S]*--profile/);
    const signing = await run('vc', 'held');
    assert.equal(signing.code, 2);
    assert.match(signing.err, /Nobody signs[\s\S]*no profile in this folder[\s\S]*npm start/);
  });

  test('a profile that is there and does not open is told as such', async () => {
    mkdirSync(path.join(folder, '.symbolon/dev'), { recursive: true });
    symlinkSync('demo.json', path.join(folder, '.symbolon/dev/demo.json'));
    const { code, err } = await run('vc', 'held');
    assert.equal(code, 78);
    assert.match(err, /cannot be read \(ELOOP\)[\s\S]*another user[\s\S]*--profile/);
  });

  test('a folder that cannot be made is told with why and what to do', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    const { code, err } = await run('node', 'init', '--data', 'file/below');
    assert.equal(code, 1);
    assert.match(err, /cannot be used\.\nA part of this path is a file[^\n]*\nName another path\./);
  });
});
