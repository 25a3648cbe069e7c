/**
 * Where profiles are, and which one is meant when none is named: those of the folder that one stands in, then those of
 * the user (`SYMBOLON_HOME`, else `symbolon` where the system keeps settings), then the demo's. A choice is a file with
 * a name in it, `current`, beside the profiles of its place.
 */
import { access, constants, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeFolder, writeWhole } from '../machine/durable-files.ts';
import { readSmallText } from '../machine/files.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import type { Environment } from './api-key.ts';

/** The profile of the demo is used without being asked for, so it alone may be missing. */
export const demoProfile = 'dev';

/** Whose choice or profile it is. */
export type PlaceOwner = 'folder' | 'user' | 'demo';

const folderPlace = '.symbolon';
const currentBytesMax = 256;

export const isProfileName = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

/** What is the user's own, whatever the folder: profiles, keys that were made with them, and which one is current. */
export function userPlace(env: Environment = process.env): string {
  if (env.SYMBOLON_HOME) return path.resolve(env.SYMBOLON_HOME);
  const settings = env.XDG_CONFIG_HOME;
  // One that is not absolute is to be passed over, says the specification of these folders.
  const base = settings && path.isAbsolute(settings) ? settings : path.join(os.homedir(), '.config');
  return path.join(base, 'symbolon');
}

export interface FoundProfile {
  readonly name: string;
  readonly file: string;
  readonly owner: PlaceOwner;
}

/** Where a profile of this name is kept, by whom it belongs to. */
export const profilePlace = (
  owner: PlaceOwner,
  name: string,
  env: Environment = process.env,
): FoundProfile => {
  const places = {
    folder: () => path.join(folderPlace, 'profiles', `${name}.json`),
    user: () => path.join(userPlace(env), 'profiles', `${name}.json`),
    demo: () => path.join(folderPlace, name, 'demo.json'),
  };
  return { name, owner, file: places[owner]() };
};

const owners = ['folder', 'user', 'demo'] as const;

/** The file of a profile, given by its name or as the file itself. */
export async function findProfile(word: string): Promise<string | undefined> {
  const files = isProfileName(word) ? owners.map((owner) => profilePlace(owner, word).file) : [word];
  for (const file of files) if (await isReadable(file)) return file;
  return undefined;
}

async function isReadable(file: string): Promise<boolean> {
  try {
    await access(file, constants.R_OK);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw unreadable(file, code);
  }
}

/** Every profile that has a name, those of the folder first; of two with one name the first is meant. */
export async function listProfiles(): Promise<readonly FoundProfile[]> {
  const named = (owner: 'folder' | 'user') =>
    namesIn(path.dirname(profilePlace(owner, demoProfile).file), (entry) =>
      entry.endsWith('.json') ? entry.slice(0, -'.json'.length) : undefined,
    ).then((names) => names.map((name) => profilePlace(owner, name)));
  const demos = (await namesIn(folderPlace, (entry) => entry)).map((name) => profilePlace('demo', name));
  const found: FoundProfile[] = [];
  for (const profile of [...(await named('folder')), ...(await named('user')), ...demos])
    if (!found.some(({ name }) => name === profile.name) && (await isReadable(profile.file)))
      found.push(profile);
  return found;
}

async function namesIn(
  folder: string,
  nameOf: (entry: string) => string | undefined,
): Promise<readonly string[]> {
  const entries = await readdir(folder).catch(() => []);
  return entries
    .map(nameOf)
    .filter((name) => name !== undefined && isProfileName(name))
    .toSorted() as string[];
}

export interface ChosenProfile {
  readonly name: string;
  readonly by: PlaceOwner;
}

const currentFile = (by: 'folder' | 'user'): string =>
  path.join(by === 'folder' ? folderPlace : userPlace(), 'current');

/** Which profile is meant when none is named: the folder's choice, the user's, or the demo's. */
export async function chosenProfile(): Promise<ChosenProfile> {
  for (const by of ['folder', 'user'] as const) {
    const name = await readCurrent(currentFile(by));
    if (name !== undefined) return { name, by };
  }
  return { name: demoProfile, by: 'demo' };
}

async function readCurrent(file: string): Promise<string | undefined> {
  const text = await readSmallText(file, currentBytesMax).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw unreadable(file, error.code ?? '');
  });
  const name = text?.trim() ?? '-!';
  if (name === '') return undefined;
  if (isProfileName(name)) return name;
  throw new CommandFailure(
    `${file} does not name a profile.\nIt should hold one name, as "symbolon profile use" writes it.\nChoose again: symbolon profile use NAME`,
    exitCodes.config,
  );
}

export async function chooseProfile(name: string, by: 'folder' | 'user'): Promise<void> {
  const file = currentFile(by);
  await makeFolder(path.dirname(file));
  await writeWhole(file, `${name}\n`, `${file}.${process.pid}.new`);
}

const unreadable = (file: string, code: string): CommandFailure =>
  new CommandFailure(
    `The profile ${file} cannot be read (${code}).\nIt is there and does not open: another user may have started the demo.\nRun the command as that user, or name a profile of your own with --profile.`,
    exitCodes.config,
  );
