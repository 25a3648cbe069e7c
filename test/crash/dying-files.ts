/**
 * File operations that end the process: every call that changes something on disk is counted, and at a chosen one
 * the process dies, before it, or after a part of what it was to write. Code that is loaded already is affected too.
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
  const { writeFileSync } = fs;

  for (const name of ['mkdir', 'rename', 'chmod', 'rm', 'unlink']) wrap(fs.promises, name);
  // What is written in one call of `writeSync` fits into a page: it is there whole or not at all.
  for (const name of ['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'closeSync']) wrap(fs, name);
  wrap(fs.promises, 'writeFile', (file: string, data: string, options: object) =>
    writeFileSync(file, partOf(data), options),
  );
  syncBuiltinESMExports();
}
