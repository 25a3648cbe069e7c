/**
 * Where profiles are, and which one is meant when none is named: those of the folder that one stands in, then those of
 * the user (`SYMBOLON_HOME`, else `symbolon` where the system keeps settings), then the demo's. A choice is a file with
 * a name in it, `current`, beside the profiles of its place.
 */
import { access, constants, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeFolder, writeWhole } from '../machine/durable-files.ts';
import { readSmallText } from '../machine/files.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { shellWord } from '../terminal/quoting.ts';
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

/**
 * A profile by its name, among those of whoever chose it, or by its file, which is the user's word. What a folder brings
 * along is never taken for the user's own, whose secrets would go where the folder says; a name that somebody types may
 * mean either, and must mean one.
 */
export async function findProfile(name: string, by?: PlaceOwner): Promise<FoundProfile | undefined> {
  if (!isProfileName(name)) return (await isReadable(name)) ? { name, file: name, owner: 'user' } : undefined;
  const places = by === 'user' ? (['user', 'demo'] as const) : owners;
  const found: FoundProfile[] = [];
  for (const owner of places) {
    const place = profilePlace(owner, name);
    if (await isReadable(place.file)) found.push(place);
  }
  const isUnclear = by === undefined && found.some(({ owner }) => owner === 'user') && found.length > 1;
  if (isUnclear) throw twoProfiles(name, found);
  return found[0];
}

const twoProfiles = (name: string, found: readonly FoundProfile[]): CommandFailure =>
  usageFailure(
    `There are two profiles ${name}.\nOne is yours, one is of this folder, which may have come with it.\nName the file: ${found.map(({ file }) => `--profile ${shellWord(file)}`).join(' or ')}`,
  );

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

/** Every profile that has a name, those of the folder first. */
export async function listProfiles(): Promise<readonly FoundProfile[]> {
  const named = (owner: 'folder' | 'user') =>
    namesIn(path.dirname(profilePlace(owner, demoProfile).file), (entry) =>
      entry.endsWith('.json') ? entry.slice(0, -'.json'.length) : undefined,
    ).then((names) => names.map((name) => profilePlace(owner, name)));
  const demos = (await namesIn(folderPlace, (entry) => entry)).map((name) => profilePlace('demo', name));
  const found: FoundProfile[] = [];
  for (const profile of [...(await named('folder')), ...(await named('user')), ...demos])
    if (await isReadable(profile.file)) found.push(profile);
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

/** Whether a folder is the one where the demo keeps its data if nobody says otherwise. */
export const isUsualDemoFolder = (data: string): boolean =>
  path.resolve(data) === path.resolve(path.dirname(profilePlace('demo', demoProfile).file));

/** The folder means the demo no longer: what it means is again what its user has chosen. */
export async function forgetDemoHere(): Promise<void> {
  const file = currentFile('folder');
  if ((await readCurrent(file)) === demoProfile) await rm(file);
}

const unreadable = (file: string, code: string): CommandFailure =>
  new CommandFailure(
    `The profile ${file} cannot be read (${code}).\nIt is there and does not open: another user may have started the demo.\nRun the command as that user, or name a profile of your own with --profile.`,
    exitCodes.config,
  );
