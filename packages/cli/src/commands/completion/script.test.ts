import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createProgram } from '../../program.ts';
import { completionScript } from './script.ts';

const run = promisify(execFile);
let script = '';

/** What bash offers for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const ask = `eval "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _symbolon; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['-c', ask, script, 'symbolon', ...words]);
  return stdout.split('\n').filter((word) => word !== '');
}

describe('what bash completes', () => {
  before(async () => {
    script = completionScript(await createProgram(), 'bash').join('\n');
  });

  test('commands', async () => {
    assert.deepEqual(await offered('v'), ['vc', 'vp', 'verify', 'validator']);
    assert.deepEqual(await offered('vc', 'is'), ['issue', 'issue-many']);
    assert.ok((await offered('')).includes('completion'));
  });

  test('options, of the command alone that was named', async () => {
    assert.deepEqual(await offered('vc', 'list', '--st'), ['--state']);
    assert.deepEqual(await offered('vc', 'list', '--qr'), []);
    assert.deepEqual(await offered('request', '--q'), ['--qr']);
  });

  test('words that an option or an argument takes one of', async () => {
    assert.deepEqual(await offered('vc', 'list', '--state', 'Re'), ['Rejected', 'Revoked']);
    assert.deepEqual(await offered('completion', ''), ['bash', 'zsh']);
  });

  test('nothing where a file is meant, so that the shell names files', async () => {
    assert.deepEqual(await offered('verify', 'pres'), []);
    assert.deepEqual(await offered('vc', 'list', '--json', 'x'), []);
  });

  test('in zsh by the same script', async () => {
    const [first, ...lines] = completionScript(await createProgram(), 'zsh');
    assert.match(first ?? '', /bashcompinit/);
    assert.equal(lines.join('\n'), script);
  });
});
