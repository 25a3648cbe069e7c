/**
 * Documents of the checkout, run (`page-shell.ts`) in a folder that looks like one. Only `npm` is replaced, by one that
 * starts this checkout's program on free ports.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { provideCurl } from './curl.ts';
import type { Owner } from './owner.ts';
import { type Environment, followPage, type Page } from './page-shell.ts';
import { tempFolder } from './temp-folder.ts';

// Documents call it, and a bare machine lacks it.
await provideCurl();

export const root = path.resolve(import.meta.dirname, '../..');

/** The environment of a reader who has no settings yet, with a folder of programs before all others. */
export function readersEnvironment(programs: string): Environment {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(SYMBOLON_|NODE_TEST|NODE_OPTIONS)/.test(name),
  );
  const places = [programs, path.dirname(process.execPath), process.env.PATH];
  const home = path.join(programs, 'home');
  return { ...Object.fromEntries(entries), SYMBOLON_HOME: home, PATH: places.join(':') };
}

/** `npm run symbolon [-s] -- …` and `npm start [-- …]`, as package.json has them. */
export function replaceNpm(folder: string): void {
  const main = path.join(root, 'packages/cli/src/main.ts');
  const script = `#!/bin/bash
word=$1
while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
shift
if [ "$word" = start ]; then set -- dev --ledger-port 0 --service-port 0 --no-open "$@"; fi
exec node '${main}' "$@"
`;
  writeFileSync(path.join(folder, 'npm'), script, { mode: 0o755 });
}

export interface DocumentOrder extends Page {
  readonly env?: Environment;
  /** Programs that a reader has installed: names, and where they are here. */
  readonly programs?: Readonly<Record<string, string>>;
}

/** Runs a page from top to bottom; answers the folder that a reader would have then. */
export async function runDocument(owner: Owner, order: DocumentOrder): Promise<string> {
  const home = tempFolder(owner);
  const [folder = '', programs = ''] = ['checkout', 'programs'].map((part) => {
    mkdirSync(path.join(home, part));
    return path.join(home, part);
  });
  replaceNpm(programs);
  for (const [program, file] of Object.entries(order.programs ?? {}))
    symlinkSync(file, path.join(programs, program));
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  await followPage(owner, order, { folder, env: { ...readersEnvironment(programs), ...order.env } });
  return folder;
}
