/** `symbolon profile add`: a profile from words, key files and, if one is given, a file to begin with. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { given } from '@symbolon/core/basics/plain-values';
import { didOfSigner } from '@symbolon/sdk/keys/signer';
import { profileLimits } from '../../limits/command-limits.ts';
import { exists, readSmallText } from '../../machine/files.ts';
import { isPersonName } from '../../profile/account-names.ts';
import { readKeyFile } from '../../profile/key-file.ts';
import { chosenProfile, profilePlace } from '../../profile/places.ts';
import { isInside } from '../../profile/profile.ts';
import {
  checkProfile,
  type WrittenPerson,
  type WrittenProfile,
  writeProfile,
} from '../../profile/profile-file.ts';
import { askHidden, interruptKey } from '../../terminal/ask-hidden.ts';
import { CommandFailure, usageFailure } from '../../terminal/failure.ts';
import { parseFileText } from '../../terminal/json-file.ts';
import { printFields } from '../../terminal/layout.ts';
import { printJson, type Terminal } from '../../terminal/terminal.ts';

interface AddWords {
  readonly service?: string;
  readonly ledger?: string;
  readonly person?: readonly string[];
  readonly apiKeyOf?: string;
  readonly from?: string;
  readonly here?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export async function addProfile(name: string, words: AddWords, terminal: Terminal): Promise<void> {
  const { file } = profilePlace(words.here ? 'folder' : 'user', name);
  if (!words.force && (await exists(file)))
    throw usageFailure(
      `There is a profile ${name} already: ${file}\nNothing was written.\nTake another name, or write over it with --force.`,
    );
  const { people: before, ...own } = words.from === undefined ? { people: {} } : await readFrom(words.from);
  const people = await withApiKey({ ...before, ...(await peopleOf(words.person ?? [])) }, words.apiKeyOf);
  if (words.here) await assertKeysHere(people);
  const { service, ledger } = words;
  const profile: WrittenProfile = { ...own, ...given({ service, ledger }), people };
  await writeProfile(file, profile);
  const facts = { profile: name, file, service: profile.service, ledger: profile.ledger };
  const names = Object.keys(people);
  if (words.json) return printJson(terminal, { ...given(facts), people: names });
  printFields(terminal, `The profile ${name} is written, for its owner alone.`, {
    file,
    service: profile.service,
    ledger: profile.ledger,
    people: names.join(', ') || undefined,
  });
  if ((await chosenProfile()).name !== name)
    terminal.remark(`Use it from now on: symbolon profile use ${name}${words.here ? ' --here' : ''}`);
}

/** Read again, it would be refused: what comes with a folder names no keys that lie elsewhere. */
async function assertKeysHere(people: WrittenProfile['people']): Promise<void> {
  const here = await realpath('.');
  for (const { keyFile } of Object.values(people))
    if (keyFile !== undefined && !isInside(here, await realpath(keyFile).catch(() => keyFile)))
      throw usageFailure(
        'A profile of a folder names keys in that folder alone.\nNothing was written.\nPut the key file here, or leave out --here: then the profile is yours everywhere.',
      );
}

async function readFrom(file: string): Promise<WrittenProfile> {
  const text = await readSmallText(file, profileLimits.fileBytesMax).catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`${file} cannot be read (${error.code}).\nNothing was written.\nGive a file of JSON.`);
  });
  const { people, ...own } = checkProfile(parseFileText(file, text ?? ''), file);
  // Files that it names are from its own folder, and the new one is in another.
  const moved = Object.entries(people).map(([name, person]) => [
    name,
    person.keyFile === undefined
      ? person
      : { ...person, keyFile: path.resolve(path.dirname(file), person.keyFile) },
  ]);
  return { ...own, people: Object.fromEntries(moved) };
}

/** `issuer=my.key`: who that is follows from the key. */
async function peopleOf(words: readonly string[]): Promise<Record<string, WrittenPerson>> {
  const people: Record<string, WrittenPerson> = {};
  for (const word of words) {
    const [, name = '', file = ''] = /^([^=]*)=(.+)$/s.exec(word) ?? [];
    if (!isPersonName(name) || file === '')
      throw usageFailure(
        'A person is a name and a key file.\nNothing was written.\nSay it like --person issuer=my.key',
      );
    people[name] = { did: didOfSigner(await readKeyFile(file)), keyFile: path.resolve(file) };
  }
  return people;
}

async function withApiKey(
  people: WrittenProfile['people'],
  name: string | undefined,
): Promise<WrittenProfile['people']> {
  if (name === undefined) return people;
  if (!Object.hasOwn(people, name))
    throw usageFailure(
      `Nobody here is called so.\n--api-key-of names a person of the profile: ${Object.keys(people).join(', ') || 'there is none'}.\nAdd them with --person NAME=FILE.`,
    );
  return { ...people, [name]: { ...people[name], apiKey: await apiKeyGiven(name) } };
}

async function apiKeyGiven(name: string): Promise<string> {
  const inEnvironment = process.env.SYMBOLON_API_KEY;
  if (!inEnvironment && !process.stdin.isTTY)
    throw usageFailure(
      'An API key is needed, and nobody is there to be asked.\nStandard input is not a terminal.\nPut it into the environment as SYMBOLON_API_KEY.',
    );
  const stopped = () => new CommandFailure('Stopped; nothing was written.');
  const question = `API key of ${name}: `;
  const charactersMax = profileLimits.apiKeyCharsMax;
  const typed =
    inEnvironment || (await askHidden({ question, charactersMax, stopKeys: [interruptKey], stopped }));
  if (/^sym_[\w-]{40,}$/.test(typed.trim())) return typed.trim();
  throw usageFailure(
    'This is not an API key.\nNothing was written.\nOne begins with sym_; "symbolon service key create" prints it.',
  );
}
