/**
 * What the ledger said of documents, kept in this browser for checking them without a connection: keys of issuers, status
 * and record of a credential. All of it is public on the ledger; no value of a document is kept. A verdict says of when
 * it is, and what is older than a day is refused by the SDK.
 */
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { factsLimits } from '@symbolon/sdk/limits/client-limits';
import { type CollectedFacts, factsForm } from '@symbolon/sdk/verification/collected-facts';
import { isJsonObject, type JsonObject, parseJsonOrNothing, stringifyJson } from '@symbolon/wire/json/json';
import type { TextStore } from '../saved/saved-requests.ts';
import type { GivenDocument, NamedCredential } from './given-document.ts';
import type { LedgerReplies } from './recorded-ledger.ts';

/** About one credential: facts for presentations of it, or what a node answered when the whole of it was checked. */
export interface KeptFact {
  readonly vcId: string;
  readonly issuer: string;
  /** When the ledger said so, in milliseconds since 1970. */
  readonly at: number;
  readonly facts?: CollectedFacts;
  readonly replies?: LedgerReplies;
}

export const keptFactLimits = { factsMax: 100 } as const;

const place = 'symbolon-kept-facts';

/** Newest first. What cannot be read counts as nothing. */
export function readKept(store: TextStore): readonly KeptFact[] {
  const read = parseJsonOrNothing(store.getItem(place) ?? '[]');
  return Array.isArray(read) ? (read as readonly unknown[]).filter(isKept) : [];
}

/** The SDK reads the facts themselves, to the last member. */
const isKept = (value: unknown): value is KeptFact => {
  if (!isJsonObject(value as JsonObject)) return false;
  const { vcId, issuer, at } = value as JsonObject;
  return typeof vcId === 'string' && typeof issuer === 'string' && typeof at === 'number';
};

export function keepFacts(store: TextStore, added: readonly KeptFact[]): readonly KeptFact[] {
  const isReplaced = (old: KeptFact): boolean =>
    added.some((one) => one.vcId === old.vcId && 'facts' in one === 'facts' in old);
  const all = [...added, ...readKept(store).filter((old) => !isReplaced(old))].slice(
    0,
    keptFactLimits.factsMax,
  );
  store.setItem(place, stringifyJson(all as unknown as JsonObject[]));
  return all;
}

export function forgetFacts(store: TextStore, vcId: string): readonly KeptFact[] {
  const left = readKept(store).filter((one) => one.vcId !== vcId);
  store.setItem(place, stringifyJson(left as unknown as JsonObject[]));
  return left;
}

/**
 * All that is kept about these credentials and their issuers, dated as the oldest of it; undefined where nothing is kept
 * about one of them.
 */
export function factsAboutKept(
  kept: readonly KeptFact[],
  credentials: readonly NamedCredential[],
): CollectedFacts | undefined {
  const used = credentials.map(({ id, issuer }) =>
    kept.find((one) => one.facts && one.vcId === id && one.issuer === issuer),
  );
  const facts = used.flatMap((one) => one?.facts ?? []);
  return credentials.length === 0 || facts.length < credentials.length ? undefined : mergedFacts(facts);
}

/** Replies that were kept are worth as much as facts that were: for a day, and never ahead of the clock that reads them. */
export function refuseUntimely(at: number, now: number): void {
  const hint = 'Keep what the ledger says about the document anew, while there is a connection.';
  if (at - now > factsLimits.aheadMsMax)
    throw new SdkError('factsFromFuture', 'what is kept about this document is dated after now', { hint });
  if (now - at > factsLimits.ageSecondsMax * 1_000)
    throw new SdkError('factsStale', 'what is kept about this document is too old', { hint });
}

/** Why what is kept does not serve for a document. */
export type KeptGap = 'nothing' | 'forSome' | 'forPresentations' | 'forCredential' | 'otherIssuer';

/** Of a document for which it does not: the reader sees its number among what is kept, and wonders. */
export function gapOf(
  kept: readonly KeptFact[],
  { kind, credentials }: Pick<GivenDocument, 'kind' | 'credentials'>,
): KeptGap {
  const about = (id: string): readonly KeptFact[] => kept.filter(({ vcId }) => vcId === id);
  const missing = credentials.filter((one) => factsAboutKept(kept, [one]) === undefined);
  if (!credentials.some(({ id }) => about(id).length > 0)) return 'nothing';
  if (kind === 'credential') return 'forPresentations';
  if (missing.some(({ id }) => about(id).length === 0)) return 'forSome';
  return missing.some(({ id }) => about(id).some(({ facts }) => facts)) ? 'otherIssuer' : 'forCredential';
}

/** Facts of several issuers as one document, of the time of the oldest. */
export function mergedFacts(facts: readonly CollectedFacts[]): CollectedFacts {
  const unique = <Item>(items: readonly Item[]): Item[] => [
    ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
  ];
  const keys = new Map(
    facts.flatMap(({ issuerKeys }) => issuerKeys.map((key) => [key.verificationMethod, key])),
  );
  return {
    form: factsForm,
    fetchedAt: facts.map(({ fetchedAt }) => fetchedAt).toSorted()[0] ?? instantTextOfUnixMs(0),
    basis: facts[0]?.basis ?? {},
    issuerKeys: [...keys.values()],
    statuses: unique(facts.flatMap(({ statuses }) => statuses)),
    issuerNames: unique(facts.flatMap(({ issuerNames }) => issuerNames)),
  };
}
