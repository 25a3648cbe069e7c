/**
 * The library of the other processor: the suite that every proof engine passes, on arm64 under QEMU. On arm64 itself the
 * suite runs as it stands, beside the engine.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { arm64Node, findEmulator } from '../support/arm64.ts';

const suite = path.resolve(import.meta.dirname, '../../packages/native-proofs/src/native-engine.test.ts');

const emulator = process.arch === 'arm64' ? { missing: 'this is arm64' } : await findEmulator();
const skip = 'missing' in emulator && emulator.missing;

test('the native engine on arm64 is a proof engine', { skip }, async () => {
  assert.ok('qemu' in emulator);
  const words = ['-L', emulator.libraries, arm64Node(), '--test', '--test-isolation=none', suite];
  const child = spawn(emulator.qemu, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  assert.equal(code, 0, `${said}\n${complaint}`);
  assert.match(said, /fail 0/);
});
