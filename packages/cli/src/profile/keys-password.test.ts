import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import type { SecretInput } from '../terminal/ask-hidden.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { askNewPassword, askPassword, passwordVariable } from './keys-password.ts';

/** A terminal on which somebody types, and what is shown on it. */
function terminalWith(...typed: string[]) {
  const stream = Object.assign(new PassThrough(), { isTTY: true, raw: [] as boolean[] });
  const input: SecretInput = Object.assign(stream, {
    setRawMode: (isRaw: boolean) => {
      stream.raw.push(isRaw);
      const next = typed.shift();
      if (isRaw && next !== undefined) setImmediate(() => stream.write(next));
    },
  });
  const shown: string[] = [];
  return { sources: { env: {}, input, write: (text: string) => void shown.push(text) }, shown, stream };
}

const failure = (words: RegExp, exitCode: number) => (error: unknown) => {
  assert.ok(error instanceof CommandFailure);
  assert.match(error.message, words);
  assert.equal(error.exitCode, exitCode);
  return true;
};

describe('the password of a key file', () => {
  test('comes from the environment, without asking', async () => {
    const { sources, shown } = terminalWith();
    assert.equal(
      await askPassword('x', { ...sources, env: { [passwordVariable]: 'from outside' } }),
      'from outside',
    );
    assert.deepEqual(shown, []);
  });

  test('is typed without being shown; the line can be corrected', async () => {
    const { sources, shown, stream } = terminalWith('secrex\u007ft ✓\rrest');
    assert.equal(await askPassword('Password', sources), 'secret ✓');
    assert.deepEqual(shown, ['Password: ', '\n']);
    assert.deepEqual(stream.raw, [true, false]);
    stream.destroy();
  });

  test('is asked for twice when it is new', async () => {
    const same = terminalWith('long enough\r', 'unused', 'long enough\r');
    assert.equal(await askNewPassword(same.sources), 'long enough');
    assert.ok(!same.shown.join('').includes('long enough'));
    const other = terminalWith('long enough\r', 'unused', 'another one\r');
    await assert.rejects(askNewPassword(other.sources), failure(/differ/, exitCodes.usage));
    same.stream.destroy();
    other.stream.destroy();
  });

  test('is refused when it is short, wherever it comes from', async () => {
    const { sources } = terminalWith();
    const env = { [passwordVariable]: 'short' };
    await assert.rejects(askNewPassword({ ...sources, env }), failure(/too short/, exitCodes.usage));
  });

  test('that nobody can be asked for is a failure that names the way out', async () => {
    const { sources, stream } = terminalWith();
    stream.isTTY = false;
    const words = new RegExp(passwordVariable);
    await assert.rejects(askPassword('x', sources), failure(words, exitCodes.usage));
  });

  test('Ctrl-C ends the question, and the terminal is as before', async () => {
    const { sources, stream } = terminalWith('half\u0003');
    await assert.rejects(askPassword('x', sources), failure(/Stopped/, exitCodes.failed));
    assert.deepEqual(stream.raw, [true, false]);
    stream.destroy();
  });

  test('has an end, however much is typed', async () => {
    const { sources, stream } = terminalWith(`${'x'.repeat(5_000)}\r`);
    assert.equal((await askPassword('x', sources)).length, 1_024);
    stream.destroy();
  });
});
