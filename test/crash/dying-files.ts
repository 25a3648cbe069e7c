/**
 * File operations that end the process: every call that changes something on disk is counted, and at a chosen one
 * the process dies, before it, or after a part of what it was to write. Must be in place before the code under test
 * is loaded.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** What still happens of the last operation: nothing, an empty file, or half of the bytes. */
export type LastWords = 'nothing' | 'empty' | 'half';

const die = () => process.kill(process.pid, 'SIGKILL');

// biome-ignore lint/suspicious/noExplicitAny: functions of every shape are wrapped alike.
type AnyFunction = (...args: any[]) => unknown;

/** Dies at the n-th change; a count of 0 never does. */
export function dieAtChange(count: number, lastWords: LastWords): void {
  let changes = 0;
  const wrap = (owner: object, name: string, lastWrite?: AnyFunction) => {
    const functions = owner as Record<string, AnyFunction>;
    const original = functions[name] as AnyFunction;
    functions[name] = (...args) => {
      changes += 1;
      if (changes !== count) return original(...args);
      if (lastWords !== 'nothing') lastWrite?.(...args);
      die();
    };
  };
  const partOf = (data: string | Uint8Array) =>
    lastWords === 'empty' ? '' : data.slice(0, Math.floor(data.length / 2));
  const { writeFileSync, writeSync } = fs;

  for (const name of ['mkdir', 'rename', 'chmod', 'rm', 'unlink']) wrap(fs.promises, name);
  for (const name of ['mkdirSync', 'openSync', 'fsyncSync', 'renameSync', 'closeSync']) wrap(fs, name);
  wrap(fs.promises, 'writeFile', (file: string, data: string, options: object) =>
    writeFileSync(file, partOf(data), options),
  );
  wrap(fs, 'writeSync', (file: number, data: Uint8Array) => writeSync(file, partOf(data) as Uint8Array));
  syncBuiltinESMExports();
}
