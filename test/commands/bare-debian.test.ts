/**
 * The project on a machine that has nothing: `scripts/bare-debian.mjs` starts it in a bare Debian 12, cold and warm.
 * Where root or the kernel's permission is missing, what is tested is that the command says so.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const script = path.join(projectRoot, 'scripts/bare-debian.mjs');
const folder = path.join(projectRoot, '.cache/bare-debian');

const notPossibleCode = 78;
const unreachableCode = 69;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function bareDebian(...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const printed = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed.out += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      printed.err += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...printed }));
  });
}

const visits = (): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('visit-')) : [];

test('words that it does not know are refused before anything is made', async () => {
  for (const words of [['--nope'], ['now'], ['--test=1']]) {
    const { code, out, err } = await bareDebian(...words);
    assert.deepEqual([code, out], [2, ''], words.join(' '));
    assert.match(err, /Usage: node scripts\/bare-debian\.mjs/);
  }
});

const visitsBefore = visits();
const visit = await bareDebian();
const isUnreachable = visit.code === unreachableCode;

test('a bare Debian starts the project, and starts it again', {
  skip: isUnreachable && `no bare Debian could be made: ${visit.err.trim()}`,
}, (context) => {
  const { code, out, err } = visit;
  if (code === notPossibleCode) {
    assert.match(err, /needs root|does not let root use chroot|Linux only|could not be started/);
    assert.equal(out, '');
    context.diagnostic('this machine allows no chroot: only the refusal was tested');
    return;
  }
  assert.equal(code, 0, `${err}${out}`);
  assert.match(out, /^first start +ready after \d+\.\d s$/m);
  assert.match(out, /^later starts +ready after /m);
  assert.match(err, /install dependencies +\d/);
  assert.deepEqual(visits(), visitsBefore, 'its copy of the system is gone');
  assert.doesNotMatch(readFileSync('/proc/self/mounts', 'utf8'), /bare-debian/);
});
