/**
 * SoftHSM2, a hardware module in software, for tests (`debian-packages.ts` says where from). Every test has tokens of its
 * own.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import koffi from 'koffi';
import { type DebianTools, findTool } from './debian-packages.ts';
import type { Owner } from './owner.ts';
import { tempFolder } from './temp-folder.ts';

export interface SoftHsm {
  /** Path of the module. */
  readonly module: string;
  readonly program: string;
  readonly libraryFolders: readonly string[];
}

export interface SoftHsmTokens {
  readonly module: string;
  /** The folder with the tokens' files. */
  readonly folder: string;
  makeToken(label: string, pin: string): Promise<void>;
}

const run = promisify(execFile);

/** Where distributions put the module, from the root or from where packages were unpacked. */
const modulePlaces = [
  'usr/lib/softhsm/libsofthsm2.so',
  'usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  'usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so',
  'usr/lib64/pkcs11/libsofthsm2.so',
  'usr/local/lib/softhsm/libsofthsm2.so',
];
const programPlaces = ['usr/bin/softhsm2-util', 'usr/local/bin/softhsm2-util'];

const firstOf = (root: string, places: readonly string[]): string | undefined =>
  places.map((place) => path.join(root, place)).find((file) => existsSync(file));

function lookIn({ root, libraryFolders }: DebianTools): SoftHsm | undefined {
  const module = firstOf(root, modulePlaces);
  const program = firstOf(root, programPlaces);
  return module && program ? { module, program, libraryFolders } : undefined;
}

/** SoftHSM2, or why there is none. */
export const findSoftHsm = (): Promise<SoftHsm | { readonly missing: string }> =>
  findTool({ title: 'SoftHSM2', name: 'softhsm', packages: ['softhsm2', 'libsofthsm2'], lookIn });

/** A place for tokens. It holds for the whole process: the module reads it when it is opened for the first time. */
export function softHsmTokens(owner: Owner, { module, program, libraryFolders }: SoftHsm): SoftHsmTokens {
  const folder = tempFolder(owner);
  const tokens = path.join(folder, 'tokens');
  mkdirSync(tokens, { mode: 0o700 });
  const settings = path.join(folder, 'softhsm2.conf');
  writeFileSync(
    settings,
    `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  );
  process.env.SOFTHSM2_CONF = settings;
  loadLibraries(libraryFolders);
  const env = {
    ...process.env,
    ...(libraryFolders.length > 0 && { LD_LIBRARY_PATH: libraryFolders.join(':') }),
  };
  return {
    module,
    folder: tokens,
    async makeToken(label, pin) {
      const order = ['--init-token', '--free', '--label', label, '--so-pin', 'officer-pin', '--pin', pin];
      await run(program, [...order, '--module', module], { env });
    },
  };
}

/**
 * Loads the libraries that were fetched along with the module. The system looks for them in its own folders only, but
 * takes one that is loaded already.
 */
function loadLibraries(folders: readonly string[]): void {
  let left = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.so(\.\d+)*$/.test(name))
      .map((name) => path.join(folder, name)),
  );
  for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
    before = left.length;
    left = left.filter((file) => !isLoaded(file));
  }
}

/** What nobody refers to would be taken out of memory again. */
const loaded: unknown[] = [];

function isLoaded(file: string): boolean {
  try {
    // Node exports an OpenSSL of its own, which must not stand in for the one of the library.
    loaded.push(koffi.load(file, { deep: true }));
    return true;
  } catch {
    return false;
  }
}
