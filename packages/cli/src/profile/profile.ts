/**
 * A profile: where node and service are, and who acts. The demo writes one (`demo.json`); one's own is a file of the
 * same form. One that holds keys and that others can reach is refused.
 */
import { access, constants, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { unknownName } from '@symbolon/core/basics/known-names';
import { assertClosed, SecretFileError } from '@symbolon/host/config/secret-file';
import type { Pins } from '@symbolon/sdk/ledger/pins';
import { z } from 'zod';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { parseFileText } from '../terminal/json-file.ts';
import { printable } from '../terminal/terminal.ts';

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
const pinsSchema = z.strictObject({
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
  pins: pinsSchema.default({}),
});

export interface Profile {
  /** Its file; undefined when there is none, and the usual addresses are meant. */
  readonly file: string | undefined;
  readonly service: string | undefined;
  readonly ledger: string | undefined;
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

const profileBytesMax = 1_048_576;

/** Objects of a profile, or of the demo's, that are nobody. */
const notPeople: ReadonlySet<string> = new Set(['pins', 'attributeTypes', 'token']);

/** The profile of the demo is used without being asked for, so it alone may be missing. */
export const demoProfile = 'dev';

export async function readProfile(name: string): Promise<Profile> {
  const file = await findProfile(name);
  if (file === undefined) {
    if (name === demoProfile)
      return {
        file,
        service: undefined,
        ledger: undefined,
        pins: {},
        person: () => undefined,
        people: () => [],
      };
    const advice = `Give a file, or the name of one in .symbolon/profiles.`;
    throw usageFailure(`There is no profile ${name}.\n${advice}`);
  }
  const facts = await stat(file);
  if (facts.size > profileBytesMax) throw notAProfile(file);
  const content = await readContent(file);
  if (Object.values(content).some(holdsKey)) assertOwn(file, facts.mode);
  const { service, ledger, pins } = content;
  const personOf = (name: string): ProfilePerson | undefined => {
    const person = personSchema.safeParse(Object.hasOwn(content, name) ? content[name] : undefined);
    return person.success ? person.data : undefined;
  };
  return {
    file,
    service,
    ledger,
    pins,
    person: personOf,
    people: () =>
      Object.keys(content).flatMap((name) => {
        const person = notPeople.has(name) ? undefined : personOf(name);
        return person ? [{ name, person }] : [];
      }),
  };
}

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

async function findProfile(name: string): Promise<string | undefined> {
  const isName = /^[\w-]+$/.test(name);
  const places = isName
    ? [path.join('.symbolon', 'profiles', `${name}.json`), path.join('.symbolon', name, 'demo.json')]
    : [name];
  for (const place of places) {
    try {
      await access(place, constants.R_OK);
      return place;
    } catch (error) {
      // Not here; the next place may have it.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw unreadable(place, code);
    }
  }
  return undefined;
}

const unreadable = (file: string, code: string): CommandFailure =>
  new CommandFailure(
    `The profile ${file} cannot be read (${code}).\nIt is there and does not open: another user may have started the demo.\nRun the command as that user, or name a profile of your own with --profile.`,
    exitCodes.config,
  );

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
