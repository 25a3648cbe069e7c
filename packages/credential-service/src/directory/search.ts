/**
 * The search: one text, and whatever it may mean. Identifiers and names are found by how they begin, things of the ledger
 * by all of what they are called. A credential is found by whoever issued or holds it; by its whole identifier also by
 * others, where the ledger shows it to everybody.
 */
import { addressOfDid } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import { searchLimits as limits } from '@symbolon/core/limits/directory';
import { normalisedName } from '@symbolon/core/names/template-names';
import type { FoundKind } from '@symbolon/wire/directory/requests';
import type { Caller } from '@symbolon/wire/http/service-route';
import { findCredential } from '../issuance/credential-rows.ts';
import type { DirectoryParts } from './directory-parts.ts';
import type { FoundThing } from './ledger-search.ts';
import { findPartyProfile } from './profile-rows.ts';
import * as rows from './search-rows.ts';

export interface SearchOutcome {
  readonly results: readonly FoundThing[];
  /** Whether the ledger was heard, where it had to be asked. */
  readonly isComplete: boolean;
}

const ledgerTrouble: readonly string[] = [
  'ledgerUnreachable',
  'ledgerChanged',
  'ledgerFailed',
  'ledgerUnconfirmed',
  'overloaded',
];

export async function searchEverything(
  parts: DirectoryParts,
  text: string,
  caller: Caller,
): Promise<SearchOutcome> {
  const beginning = idBeginning(text, parts.profile.didMethod);
  const ledger = await orSilent(() => findOnLedger(parts, text, beginning));
  const found = [
    ...(ledger ?? []),
    ...(beginning === undefined ? [] : await findById(parts, beginning, caller)),
    ...(text.length < limits.nameCharsMin ? [] : await findByName(parts, normalisedName(text))),
  ];
  return { results: eachOnce(found).slice(0, limits.resultsMax), isComplete: ledger !== undefined };
}

/** How identifiers begin that a text may be the beginning of: in whole, or their hex digits alone. */
function idBeginning(text: string, didMethod: string): string | undefined {
  const prefix = `did:${didMethod}:`;
  const rest = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  const isAlone = rest === text;
  if (rest.length < limits.idCharsMin || /\s/.test(rest)) return undefined;
  if (/^[0-9a-f]{1,64}$/i.test(rest)) return `${prefix}${rest.toLowerCase()}`;
  return isAlone ? undefined : text;
}

async function findOnLedger(
  parts: DirectoryParts,
  text: string,
  id: string | undefined,
): Promise<readonly FoundThing[]> {
  const found = await parts.ledgerSearch.find(text);
  return [...found, ...(id === undefined ? [] : await findWholeId(parts, id))];
}

/** What everybody may see of a whole identifier. */
async function findWholeId(parts: DirectoryParts, id: string): Promise<readonly FoundThing[]> {
  const { database, ledger, ledgerSearch, keys } = parts;
  const { kysely } = database;
  const credential = await findCredential(kysely, id);
  if (credential) {
    const address = addressOfDid(credential.issuer, keys);
    const isShown = address !== undefined && (await ledger.readEntry(address, id)) !== undefined;
    return isShown ? [{ kind: 'credential', target: id, label: 'Credential' }] : [];
  }
  // Every key makes a DID; one is somebody's who has an account.
  const address = addressOfDid(id, keys);
  if (address === undefined || (await ledgerSearch.find(address)).length === 0) return [];
  const label = (await findPartyProfile(kysely, id))?.name ?? 'DID';
  return [{ kind: 'did', target: id, label }];
}

async function findById(
  { database }: DirectoryParts,
  beginning: string,
  caller: Caller,
): Promise<readonly FoundThing[]> {
  const { kysely } = database;
  const own = ownOf(caller);
  const [templates, profiles, credentials, applications] = await Promise.all([
    rows.templatesById(kysely, beginning),
    rows.profilesById(kysely, beginning),
    own ? rows.ownByBeginning(kysely, 'credentials', { beginning, own }) : [],
    own ? rows.ownByBeginning(kysely, 'applications', { beginning, own }) : [],
  ]);
  const issued = new Set(credentials.map(({ vcId }) => vcId));
  return [
    ...credentials.map(foundCredential('credential')),
    ...applications.filter(({ vcId }) => !issued.has(vcId)).map(foundCredential('application')),
    ...templates.map(({ id, name }) => ({ kind: 'template', target: id, label: name }) as const),
    ...profiles.map(({ did, name }) => ({ kind: 'profile', target: did, label: name }) as const),
  ];
}

const foundCredential =
  (kind: FoundKind) =>
  ({ vcId, templateName }: rows.FoundCredential): FoundThing => ({
    kind,
    target: vcId,
    label: templateName ?? 'Credential',
  });

/** A key that neither issues nor revokes does not see what its DID has issued. */
function ownOf({ did, scopes }: Caller): rows.OwnCredentials | undefined {
  if (did === undefined) return undefined;
  return { holder: did, ...((scopes.has('issue') || scopes.has('revoke')) && { issuer: did }) };
}

async function findByName({ database }: DirectoryParts, beginning: string): Promise<readonly FoundThing[]> {
  const [templates, profiles] = await Promise.all([
    rows.templatesByName(database.kysely, beginning),
    rows.profilesByName(database.kysely, beginning),
  ]);
  return [
    ...templates.map(({ id, name }) => ({ kind: 'template', target: id, label: name }) as const),
    ...profiles.map(({ did, name }) => ({ kind: 'profile', target: did, label: name }) as const),
  ];
}

/** What was found in two ways is told once, by the name that says more. */
function eachOnce(found: readonly FoundThing[]): readonly FoundThing[] {
  const once = new Map<string, FoundThing>();
  for (const thing of found) once.set(`${thing.kind} ${thing.target}`, thing);
  return [...once.values()];
}

/** Undefined where the ledger gives no answer: what the service knows itself is told all the same. */
async function orSilent<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Fault && ledgerTrouble.includes(error.code)) return undefined;
    throw error;
  }
}
