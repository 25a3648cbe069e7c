/**
 * A real Chromium for tests: the one this system has, else the one of Debian's packages, which are fetched into
 * .cache/tools. Without either, tests are skipped with the reason, or fail where everything must run (CI). Nothing drives
 * it: its pages are the tests' own, and tell their servers what became of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Owner } from './owner.ts';
import { tempFolder } from './temp-folder.ts';

interface DebianTools {
  readonly root: string;
  readonly libraryFolders: readonly string[];
}

export interface Chromium {
  readonly program: string;
  readonly libraryFolders: readonly string[];
}

const places = ['usr/lib/chromium/chromium', 'usr/bin/chromium', 'usr/bin/google-chrome'];
const mustRun = !['', '0', 'false'].includes(process.env.CI ?? '');

function lookIn({ root, libraryFolders }: DebianTools): Chromium | undefined {
  const program = places.map((place) => path.join(root, place)).find((file) => existsSync(file));
  // Some of its libraries keep parts of their own in a folder below.
  const folders = libraryFolders.flatMap((folder) => [folder, path.join(folder, 'pulseaudio')]);
  return program === undefined ? undefined : { program, libraryFolders: folders };
}

/** Chromium, or why there is none. */
export async function findChromium(): Promise<Chromium | { readonly missing: string }> {
  const installed = lookIn({ root: '/', libraryFolders: [] });
  if (installed) return installed;
  const script = path.resolve(import.meta.dirname, '../../scripts/lib/debian-tools.mjs');
  const { debianTools } = (await import(pathToFileURL(script).href)) as {
    debianTools: (name: string, packages: string[]) => Promise<DebianTools>;
  };
  try {
    const found = lookIn(await debianTools('chromium', ['chromium']));
    if (found) return found;
    throw new Error('the packages do not hold what they should');
  } catch (error) {
    const missing = `Chromium is not at hand: ${(error as Error).message}`;
    if (mustRun) throw new Error(missing, { cause: error });
    return { missing };
  }
}

/** What would keep a page from being a page on somebody else's machine: upgrades to https, prompts, first runs. */
const settings = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-popup-blocking',
  '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LocalNetworkAccessChecks',
];

/** Opens a page, with names of the test's own: each of them is this machine. Ends with its test. */
export function openPage(
  owner: Owner,
  { program, libraryFolders }: Chromium,
  { url, names }: { readonly url: string; readonly names: readonly string[] },
): void {
  const rules = names.map((name) => `MAP ${name} 127.0.0.1`).join(',');
  const libraries = libraryFolders.length > 0 ? { LD_LIBRARY_PATH: libraryFolders.join(':') } : {};
  const child = spawn(
    program,
    [...settings, `--user-data-dir=${tempFolder(owner)}`, `--host-resolver-rules=${rules}`, url],
    { stdio: 'ignore', env: { ...process.env, ...libraries }, detached: true },
  );
  const ended = once(child, 'close');
  owner.after(async () => {
    // All of its processes, which are a group of their own.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
}
