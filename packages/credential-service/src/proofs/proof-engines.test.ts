import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SetupError } from '@symbolon/core/faults/operator-errors';
import { loadNativeLibrary, type NativeLibrary } from '@symbolon/native-proofs/native-library';
import { chooseEngine } from './proof-engines.ts';

const elsewhere = (): NativeLibrary => loadNativeLibrary({ platform: 'plan9' });

function choose(setting: Parameters<typeof chooseEngine>[0], library?: () => NativeLibrary) {
  const lines: unknown[][] = [];
  const engine = chooseEngine(setting, { warn: (...line: unknown[]) => lines.push(line) }, library);
  return { engine, lines };
}

test('the native engine where it can be loaded, else WebAssembly and one line that says why', () => {
  assert.deepEqual(choose('auto'), { engine: 'native', lines: [] });
  const { engine, lines } = choose('auto', elsewhere);
  assert.equal(engine, 'webassembly');
  assert.equal(lines.length, 1);
  assert.match(JSON.stringify(lines), /unsupported platform: plan9/);
});

test('what is demanded is what is used, or the service does not start', () => {
  assert.equal(choose('native').engine, 'native');
  assert.deepEqual(choose('webassembly', elsewhere), { engine: 'webassembly', lines: [] });
  assert.throws(
    () => choose('native', elsewhere),
    (error) => error instanceof SetupError && /unsupported platform: plan9/.test(error.message),
  );
});
