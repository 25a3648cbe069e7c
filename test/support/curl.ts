/**
 * curl for what documents and commands print as calls of it: the one this system has, else the one of Debian's packages,
 * which are fetched into .cache/tools. A bare machine has none.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Makes sure that `curl` is on this process's path, and so on that of all that it starts. */
export async function provideCurl(): Promise<void> {
  if (spawnSync('curl', ['--version']).status === 0) return;
  const script = path.resolve(import.meta.dirname, '../../scripts/debian/tools.mjs');
  const { debianTools } = (await import(pathToFileURL(script).href)) as {
    debianTools: (name: string, packages: string[]) => Promise<{ root: string; libraryFolders: string[] }>;
  };
  const { root, libraryFolders } = await debianTools('curl', ['curl']);
  const folder = path.join(root, 'wrapped');
  mkdirSync(folder, { recursive: true });
  // Its libraries are for it alone.
  const program = `#!/bin/sh\nLD_LIBRARY_PATH='${libraryFolders.join(':')}' exec '${root}/usr/bin/curl' "$@"\n`;
  writeFileSync(path.join(folder, 'curl'), program, { mode: 0o755 });
  process.env.PATH = `${process.env.PATH}:${folder}`;
}
