/** Requests about who is called what, and the search: their shapes and bounds, and what is replied. */
import { partyNameLimits, searchLimits } from '@symbolon/core/limits/directory';
import { nameProblem } from '@symbolon/core/names/look-alike-names';
import { tidyName } from '@symbolon/core/names/template-names';
import * as z from 'zod';
import { didText, instant, maybe, strict, text, type WithBody } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';

/** On whose word a name stands. */
export const nameWords = ['itself', 'ledger', 'operator'] as const;
export type NameWord = (typeof nameWords)[number];

const names = {
  name: text(searchLimits.textCharsMax),
  site: maybe(text(partyNameLimits.siteCharsMax)),
};
export const ownProfile = strict(names);
export const namedProfile = strict({ did: didText, ...names });
export const profilePath = z.object({ did: didText });
export const profileChoice = z.object({
  dids: text(partyNameLimits.readMax * 128).describe(
    `DIDs with commas between, at most ${partyNameLimits.readMax}`,
  ),
});

/** What somebody is called, and where its site is. */
export interface NameOrder {
  readonly name: string;
  readonly site?: string;
}

export const readPartyNames = ({ body }: WithBody<typeof ownProfile>): NameOrder => readNames(body);

export const readNamedProfile = ({ body: { did, ...given } }: WithBody<typeof namedProfile>) => ({
  did,
  ...readNames(given),
});

function readNames({ name: given, site }: z.output<typeof ownProfile>): NameOrder {
  const name = tidyName(given);
  const problem = nameProblem(name);
  if (problem !== undefined) throw malformedAt('/name', problem);
  return { name, ...(site !== undefined && { site: readSite(site) }) };
}

const siteForm = 'must be an https address of a site, without user, query and fragment';

/** In the one form that browsers make of it, in which another alphabet's letters are no letters of ours. */
function readSite(given: string): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw malformedAt('/site', siteForm);
  }
  const { protocol, username, password, search, hash, href } = url;
  if (protocol !== 'https:' || `${username}${password}${search}${hash}` !== '')
    throw malformedAt('/site', siteForm);
  if (href.length > partyNameLimits.siteCharsMax)
    throw malformedAt('/site', `must have at most ${partyNameLimits.siteCharsMax} characters`);
  return href;
}

/** Each once. */
export function readProfileChoice({ dids: given }: z.output<typeof profileChoice>) {
  const dids = [...new Set(given.split(',').map((did) => did.trim()))];
  if (dids.length > partyNameLimits.readMax)
    throw malformedAt('/query/dids', `must be at most ${partyNameLimits.readMax}`);
  if (!dids.every((did) => didText.safeParse(did).success))
    throw malformedAt('/query/dids', 'must be DIDs with commas between');
  return { dids };
}

export const profileReply = z.object({
  did: z.string(),
  name: z.string(),
  site: z.string().optional(),
  word: z.enum(nameWords),
  since: instant.optional(),
  looksLikeAnothers: z.boolean(),
});
export const readProfileReply = profileReply.extend({ ledgerName: z.string().optional() });
export const profilesReply = z.object({ profiles: z.array(profileReply) });
export const profileRemovalReply = z.object({ did: z.string() });

export const searchQuestion = z.object({
  q: text(searchLimits.textCharsMax).describe(
    `An address, DID, hash, block number or identifier, or the beginning of a name or identifier: of a name at least ${searchLimits.nameCharsMin} characters, of an identifier ${searchLimits.idCharsMin}`,
  ),
});

/** What a search may find. */
export const foundKinds = [
  'block',
  'transaction',
  'account',
  'did',
  'credential',
  'application',
  'template',
  'profile',
] as const;
export type FoundKind = (typeof foundKinds)[number];

export const searchReply = z.object({
  results: z.array(z.object({ kind: z.enum(foundKinds), target: z.string(), label: z.string() })),
  isComplete: z.boolean(),
});
