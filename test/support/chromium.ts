/**
 * A real Chromium for tests (`debian-packages.ts` says where from). Nothing drives it: its pages are the tests' own, and
 * tell their servers what became of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type DebianTools, findTool } from './debian-packages.ts';
import type { Owner } from './owner.ts';
import { tempFolder } from './temp-folder.ts';

export interface Chromium {
  readonly program: string;
  readonly libraryFolders: readonly string[];
}

const places = ['usr/lib/chromium/chromium', 'usr/bin/chromium', 'usr/bin/google-chrome'];

function lookIn({ root, libraryFolders }: DebianTools): Chromium | undefined {
  const program = places.map((place) => path.join(root, place)).find((file) => existsSync(file));
  // Some of its libraries keep parts of their own in a folder below.
  const folders = libraryFolders.flatMap((folder) => [folder, path.join(folder, 'pulseaudio')]);
  return program === undefined ? undefined : { program, libraryFolders: folders };
}

/** Chromium, or why there is none. */
export const findChromium = (): Promise<Chromium | { readonly missing: string }> =>
  findTool({ title: 'Chromium', name: 'chromium', packages: ['chromium'], lookIn });

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
