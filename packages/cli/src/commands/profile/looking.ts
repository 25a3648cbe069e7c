/** `symbolon profile list|use|show`: what there is, which one is current, and what is in it but secrets. */

import { nearestSpelling } from '@symbolon/core/basics/known-names';
import { given } from '@symbolon/core/basics/plain-values';
import { startName } from '../../machine/own-name.ts';
import { addressOfPerson } from '../../profile/account-names.ts';
import {
  type ChosenProfile,
  chooseProfile,
  chosenProfile,
  type FoundProfile,
  listProfiles,
  type PlaceOwner,
} from '../../profile/places.ts';
import { keyFileOf, type NamedPerson, type Profile, readProfile } from '../../profile/profile.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { fieldLines, printTable, shortened } from '../../terminal/layout.ts';
import { printJson, type Terminal } from '../../terminal/terminal.ts';

interface JsonWords {
  readonly json?: boolean;
}

const ownerWords: Readonly<Record<PlaceOwner, string>> = {
  folder: 'this folder',
  user: 'you',
  demo: 'the demo',
};

/** Who has said that it is the current one, for those that are. */
async function chosenNow(): Promise<ChosenProfile & { readonly inEnvironment: boolean }> {
  const named = process.env.SYMBOLON_PROFILE;
  if (named) return { name: named, by: 'user', inEnvironment: true };
  return { ...(await chosenProfile()), inEnvironment: false };
}

export async function showProfiles({ json }: JsonWords, terminal: Terminal): Promise<void> {
  const [profiles, chosen] = await Promise.all([listProfiles(), chosenNow()]);
  const meant = profiles.filter(({ name, file }) => [name, file].includes(chosen.name));
  const own = meant.filter(({ owner }) => owner === 'user');
  // What you have chosen is your own, whatever the folder calls so.
  const [current = meant[0]] = chosen.by === 'user' && own.length > 0 ? own : meant;
  const isCurrent = ({ file }: FoundProfile): boolean => file === current?.file;
  if (json) {
    const rows = profiles.map((profile) => ({ ...profile, isCurrent: isCurrent(profile) }));
    return printJson(terminal, { profiles: rows, current: chosen.name });
  }
  if (profiles.length === 0) {
    terminal.remark([
      'There is no profile yet.',
      `${startName} writes one for the demo; make your own: symbolon profile add NAME --service ADDRESS --ledger ADDRESS`,
    ]);
    return;
  }
  const rows = profiles.map((profile) => [
    isCurrent(profile) ? '*' : '',
    profile.name,
    ownerWords[profile.owner],
    profile.file,
  ]);
  printTable(terminal, [['', 'NAME', 'OF', 'FILE'], ...rows]);
  const why = chosen.inEnvironment ? 'by SYMBOLON_PROFILE' : `by ${ownerWords[chosen.by]}`;
  terminal.remark(`* is current, ${why}. Choose another: symbolon profile use NAME`);
}

interface UseWords extends JsonWords {
  readonly here?: boolean;
}

export async function useProfile(name: string, { here, json }: UseWords, terminal: Terminal): Promise<void> {
  const profiles = await listProfiles();
  const named = profiles.filter((profile) => profile.name === name);
  const found = named.find(({ owner }) => (owner === 'user') === !here) ?? named[0];
  if (!found) {
    const known = profiles.map((profile) => profile.name);
    const meant = nearestSpelling(name, known);
    const why = meant === undefined ? 'It is neither of this folder nor yours.' : `Did you mean ${meant}?`;
    throw usageFailure(`There is no profile ${name}.\n${why}\nSee which there are: symbolon profile list`);
  }
  // What is of this folder is not there in another one.
  const by = here || found.owner !== 'user' ? 'folder' : 'user';
  await chooseProfile(name, by);
  const chosen = await chosenNow();
  if (json) return printJson(terminal, { profile: name, file: found.file, by });
  terminal.print(
    by === 'folder'
      ? `From now on ${name} is meant in this folder when no profile is named.`
      : `From now on ${name} is meant when no profile is named.`,
  );
  if (chosen.name !== name)
    terminal.remark(
      chosen.inEnvironment
        ? 'Here and now SYMBOLON_PROFILE says otherwise.'
        : `In this folder ${chosen.name} is meant: symbolon profile use ${name} --here changes that.`,
    );
}

export async function showProfile(
  name: string | undefined,
  { json }: JsonWords,
  terminal: Terminal,
): Promise<void> {
  const profile = await readProfile(name ?? (process.env.SYMBOLON_PROFILE || undefined));
  const { file, service, ledger, pins } = profile;
  if (file === undefined)
    throw usageFailure(
      'There is no profile yet.\nNo demo was started in this folder, and you have chosen none.\nMake one: symbolon profile add NAME --service ADDRESS --ledger ADDRESS',
    );
  const people = profile.people().map((one) => ({ name: one.name, ...shownPerson(profile, one) }));
  if (json)
    return printJson(terminal, { ...given({ profile: profile.name, file, service, ledger }), pins, people });
  terminal.print([
    `The profile ${profile.name}`,
    ...fieldLines(terminal, { file, service, ledger, ...pins }),
    ...people.flatMap(({ name: called, did, key, apiKey, bbsKey }) => [
      called,
      ...fieldLines(terminal, { DID: did, key, 'API key': apiKey, 'BBS+ key': bbsKey && shortened(bbsKey) }),
    ]),
  ]);
}

/** Of secrets, where they are and nothing else. */
function shownPerson(profile: Profile, { person }: NamedPerson) {
  const keyFile = keyFileOf(profile, person);
  const key = keyFile ?? (person.privateKey === undefined ? undefined : 'in the profile, not shown');
  const apiKey = person.apiKey === undefined ? undefined : 'in the profile, not shown';
  return given({
    did: person.did ?? addressOfPerson(person),
    key,
    apiKey,
    bbsKey: person.bbsPublicKeyMultibase,
  });
}
