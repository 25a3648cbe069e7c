/**
 * A profile: where node and service are, and who acts. The demo writes one (`demo.json`); one's own is a file of the
 * same form. One that holds keys and that others can reach is refused.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { unknownName } from '@symbolon/core/basics/known-names';
import { assertClosed, SecretFileError } from '@symbolon/host/config/secret-file';
import type { Pins } from '@symbolon/sdk/ledger/pins';
import { z } from 'zod';
import { profileLimits, walletLimits } from '../limits/command-limits.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { parseFileText } from '../terminal/json-file.ts';
import { printable } from '../terminal/terminal.ts';
import { chosenProfile, demoProfile, findProfile } from './places.ts';

const personSchema = z.looseObject({
  did: z.string().optional(),
  privateKey: z.string().optional(),
  /** A key file, from the profile's folder. */
  keyFile: z.string().optional(),
  apiKey: z.string().optional(),
  bbsPublicKeyMultibase: z.string().optional(),
});
export type ProfilePerson = z.infer<typeof personSchema>;

const units = z.union([z.int().nonnegative(), z.string().regex(/^[0-9]{1,19}$/)]).transform(BigInt);

/** What is known of the network from elsewhere than from its servers. */
export const pinsSchema = z.strictObject({
  chainId: units.optional(),
  validators: z.array(z.string()).max(walletLimits.policyEntriesMax).optional(),
  templateRegistry: z.string().optional(),
  credentialRegistry: z.string().optional(),
  feeLimitMax: units.optional(),
  gasPriceMax: units.optional(),
});

const profileSchema = z.looseObject({
  service: z.string().optional(),
  ledger: z.string().optional(),
  sealed: z.boolean().default(false),
  pins: pinsSchema.default({}),
});

export interface Profile {
  readonly name: string;
  /** Its file; undefined when there is none, and the usual addresses are meant. */
  readonly file: string | undefined;
  /** Whether it is of the folder that one stands in, whoever filled that; not one's own, nor a file that was named. */
  readonly isOfFolder: boolean;
  /** Whether it is meant although nobody named it. */
  readonly isChosenByFolder: boolean;
  readonly service: string | undefined;
  readonly ledger: string | undefined;
  /** What is confidential is sealed on its way to the service. */
  readonly isSealed: boolean;
  readonly pins: Pins;
  readonly person: (name: string) => ProfilePerson | undefined;
  /** Everybody in it, in the order of the file. */
  readonly people: () => readonly NamedPerson[];
}

export interface NamedPerson {
  readonly name: string;
  readonly person: ProfilePerson;
}

/** Where the key file of a person is. */
export const keyFileOf = (
  { file = '' }: Pick<Profile, 'file'>,
  person: ProfilePerson | undefined,
): string | undefined =>
  person?.keyFile === undefined ? undefined : path.resolve(path.dirname(file), person.keyFile);

/** The same for whoever reads it: what a folder brings along names no key that lies elsewhere, not by a link either. */
export async function readableKeyFileOf(
  profile: Pick<Profile, 'file' | 'isOfFolder' | 'name'>,
  person: ProfilePerson | undefined,
): Promise<string | undefined> {
  const keyFile = keyFileOf(profile, person);
  if (keyFile === undefined || !profile.isOfFolder) return keyFile;
  // One that is not there is told by who reads it.
  const real = await realpath(keyFile).catch(() => keyFile);
  if (isInside(await realpath('.'), real)) return keyFile;
  throw new CommandFailure(
    `The profile ${profile.name} names a key outside of this folder, and is not obeyed.\nIt is of this folder, which may have come from somebody else.\nName the key with --key, or make the profile your own: symbolon profile add`,
    exitCodes.config,
  );
}

export function isInside(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way !== '' && !way.startsWith('..') && !path.isAbsolute(way);
}

/** Objects of a profile, or of the demo's, that are nobody. */
const notPeople: ReadonlySet<string> = new Set(['pins', 'attributeTypes', 'token']);

/** The profile of a name or file; without one, the current one (`places.ts`). */
export async function readProfile(word?: string): Promise<Profile> {
  const chosen = word === undefined ? await chosenProfile() : undefined;
  const name = chosen?.name ?? word ?? demoProfile;
  const found = await findProfile(name, chosen?.by);
  const file = found?.file;
  const isOfFolder = found !== undefined && found.owner !== 'user';
  const origin = { isOfFolder, isChosenByFolder: isOfFolder && word === undefined };
  if (file === undefined) {
    if (name === demoProfile)
      return {
        name,
        file,
        ...origin,
        service: undefined,
        ledger: undefined,
        isSealed: false,
        pins: {},
        person: () => undefined,
        people: () => [],
      };
    throw chosen ? goneProfile(name) : unknownProfile(name);
  }
  const facts = await stat(file);
  if (facts.size > profileLimits.fileBytesMax) throw notAProfile(file);
  const content = await readContent(file);
  if (Object.values(content).some(holdsKey)) assertOwn(file, facts.mode);
  const { service, ledger, sealed: isSealed, pins } = content;
  const personOf = (name: string): ProfilePerson | undefined => {
    const person = personSchema.safeParse(Object.hasOwn(content, name) ? content[name] : undefined);
    return person.success ? person.data : undefined;
  };
  return {
    name,
    file,
    ...origin,
    service,
    ledger,
    isSealed,
    pins,
    person: personOf,
    people: () =>
      Object.keys(content).flatMap((name) => {
        const person = notPeople.has(name) ? undefined : personOf(name);
        return person ? [{ name, person }] : [];
      }),
  };
}

const unknownProfile = (name: string): CommandFailure =>
  usageFailure(
    `There is no profile ${name}.\nProfiles are looked for in .symbolon/profiles of this folder and among your own.\nSee which there are: symbolon profile list. Or give a file.`,
  );

const goneProfile = (name: string): CommandFailure =>
  new CommandFailure(
    `The profile ${name} is gone.\nIt was chosen with "symbolon profile use", and its file is not there any more.\nChoose another one: symbolon profile list, then symbolon profile use NAME`,
    exitCodes.config,
  );

const holdsKey = (person: unknown): boolean => {
  const read = personSchema.safeParse(person);
  return read.success && (read.data.privateKey !== undefined || read.data.apiKey !== undefined);
};

function assertOwn(file: string, mode: number): void {
  try {
    assertClosed({ file, mode, holds: 'keys of people' });
  } catch (error) {
    throw error instanceof SecretFileError ? new CommandFailure(error.message, exitCodes.config) : error;
  }
}

async function readContent(file: string): Promise<z.infer<typeof profileSchema>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const content = parseFileText(file, text);
  const read = profileSchema.safeParse(content);
  if (read.success) return read.data;
  throw wrongPin(file, read.error.issues) ?? notAProfile(file);
}

/** Which pin is misspelt or of another form: a pin that is passed over would hold nothing. Names only, since values may be keys. */
function wrongPin(file: string, issues: readonly z.core.$ZodIssue[]): CommandFailure | undefined {
  const issue = issues.find(({ path: [first] }) => first === 'pins');
  if (!issue) return undefined;
  const [, name] = issue.path;
  const known = Object.keys(pinsSchema.shape);
  const what =
    issue.code === 'unrecognized_keys'
      ? unknownName(issue.keys[0] ?? '', known)
      : name === undefined
        ? '"pins" is not an object.'
        : `"${String(name)}" is not of the form that it must have.`;
  return new CommandFailure(
    `A pin of ${file} cannot be used.\n${printable(what)}\nCorrect "pins" of the profile: ${known.join(', ')}.`,
    exitCodes.config,
  );
}

const notAProfile = (file: string): CommandFailure =>
  new CommandFailure(
    `${file} is not a profile.\nIt must be JSON with "service", "ledger" and people, like demo.json.`,
    exitCodes.config,
  );
