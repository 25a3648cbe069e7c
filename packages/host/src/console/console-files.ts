/**
 * The files of the web console, read whole when the server starts: what is served is a list of names, so that no path of
 * a request ever reaches the disk. Files of `assets` have the hash of their contents in their names and never change.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { consoleFileLimits as limits } from '../limits/server-limits.ts';

export interface ConsoleFile {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** The same, compressed with Brotli, where the build has made that. */
  readonly packed: Buffer | undefined;
  readonly tag: string;
  /** Whether the name changes with the contents. */
  readonly isLasting: boolean;
}

export interface ConsoleFiles {
  readonly index: ConsoleFile;
  /** By path, such as `/assets/main-1a2b3c.js`. */
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

/** The console was not built, or not by this house: the message says what to do. */
export class ConsoleUnreadable extends Error {
  override readonly name = 'ConsoleUnreadable';
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

const packedEnding = '.br';
const lastingFolder = 'assets/';
const namePattern = /^(assets\/)?[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/** Throws `ConsoleUnreadable`. */
export function readConsoleFiles(folder: string): ConsoleFiles {
  if (!existsSync(join(folder, 'index.html')))
    throw new ConsoleUnreadable(`There is no console in ${folder}: build it first, or name another folder.`);
  const names = [...namesIn(folder, ''), ...namesIn(folder, lastingFolder)];
  if (names.length > limits.filesMax)
    throw new ConsoleUnreadable(`The console in ${folder} has more than ${limits.filesMax} files.`);
  const read = readBounded(folder);
  const packed = new Map(
    names.filter((name) => name.endsWith(packedEnding)).map((name) => [name, read(name)] as const),
  );
  const files = new Map<string, ConsoleFile>();
  for (const name of names) {
    if (packed.has(name)) continue;
    const contentType = types[extname(name)];
    // What a browser would have to guess at is not served.
    if (contentType === undefined || !namePattern.test(name)) continue;
    const bytes = read(name);
    files.set(`/${name}`, {
      contentType,
      bytes,
      packed: packed.get(`${name}${packedEnding}`),
      tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      isLasting: name.startsWith(lastingFolder),
    });
  }
  const index = files.get('/index.html') as ConsoleFile;
  // One page under one address.
  files.delete('/index.html');
  return { index, files };
}

function namesIn(folder: string, room: string): string[] {
  const place = join(folder, room);
  if (!existsSync(place)) return [];
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${room}${name}`);
}

function readBounded(folder: string): (name: string) => Buffer {
  let left: number = limits.bytesMax;
  return (name) => {
    const bytes = readFileSync(join(folder, name));
    left -= bytes.length;
    if (left < 0)
      throw new ConsoleUnreadable(`The console in ${folder} has more than ${limits.bytesMax} bytes.`);
    return bytes;
  };
}
