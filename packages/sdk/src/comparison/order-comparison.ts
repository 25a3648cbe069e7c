/**
 * What a key holder compares before signing: what was ordered with what a server offers to be signed. One comparison
 * for every kind of order, and the first member that differs is named. Nothing that was not ordered is passed over.
 */
import { isJsonObject, type JsonValue, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { memberIn } from '../arguments/member-paths.ts';
import { type HeldAgainst, SdkError } from '../errors/errors.ts';

/** Where the first difference is, as a path of names; undefined if there is none. */
export function firstDifference(
  ordered: JsonValue | undefined,
  offered: JsonValue | undefined,
  at = '',
): string | undefined {
  if (Array.isArray(ordered) && Array.isArray(offered))
    return differenceOf([...ordered.keys(), ...offered.keys()], (index) =>
      firstDifference(ordered[index], offered[index], memberIn(at, index)),
    );
  if (isJsonObject(ordered) && isJsonObject(offered))
    return differenceOf([...Object.keys(ordered), ...Object.keys(offered)], (name) =>
      firstDifference(own(ordered, name), own(offered, name), memberIn(at, name)),
    );
  if (Object.is(ordered, offered)) return undefined;
  const inside = [ordered, offered].map(openedText);
  // What a text is JSON of has names; texts that say the same in other words are different all the same.
  return (inside.every(isContainer) ? firstDifference(inside[0], inside[1], at) : undefined) ?? at;
}

const isContainer = (value: JsonValue | undefined): boolean => isJsonObject(value) || Array.isArray(value);

const openedText = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'string' && /^[[{]/.test(value) ? parseJsonOrNothing(value) : undefined;

function differenceOf<Key>(
  keys: readonly Key[],
  difference: (key: Key) => string | undefined,
): string | undefined {
  for (const key of keys) {
    const found = difference(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

const own = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** What is compared, in the words of an error. */
export interface Compared {
  /** The member that holds all of it, for what is another thing altogether; none if it is the whole answer. */
  readonly rootMember: string;
  /** Of members that follow from another answer, by their paths: the path of what they follow from. */
  readonly derivedFrom?: Readonly<Record<string, string>>;
}

/** The paths of the first difference: of the member, and of what it follows from. None if there is no difference. */
export function differingMembers(
  ordered: JsonValue,
  offered: JsonValue | undefined,
  { rootMember, derivedFrom = {} }: Compared,
): readonly string[] {
  const difference = firstDifference(ordered, offered);
  if (difference === undefined) return [];
  const sources = Object.entries(derivedFrom).flatMap(([path, source]) =>
    difference.startsWith(path) ? [source] : [],
  );
  return [difference || rootMember, ...sources];
}

/** What the caller brought along, a pin, a registry or its key, by the path of the member that is compared with it. */
export type OwnTerms = Readonly<Record<string, HeldAgainst | undefined>>;

interface ComparedOffer extends Compared {
  /** The thing to be signed: "the credential". */
  readonly what: string;
  /**
   * A difference from one of these is the server's lie or the caller's own mistake. Only the caller can tell which, so
   * both values go with the error.
   */
  readonly callerTerms?: OwnTerms;
}

/** Throws `notAsOrdered` with the first difference. */
export function assertAsOrdered(
  { what, callerTerms = {}, ...compared }: ComparedOffer,
  ordered: JsonValue,
  offered: JsonValue | undefined,
): void {
  const members = differingMembers(ordered, offered, compared);
  const [difference] = members;
  if (difference !== undefined) throw notAsOrdered(what, members, { against: own(callerTerms, difference) });
}

/** `members` are the paths of what differs; `why` is said where a name alone does not say it. */
export function notAsOrdered(
  what: string,
  members: readonly string[],
  { why, against }: { readonly why?: string; readonly against?: HeldAgainst | undefined } = {},
): SdkError {
  const hint = 'Nothing was signed. Do not use this server before you know why.';
  const message = `${what} that the server offers is not what was ordered${why === undefined ? '' : `, ${why}`}`;
  return new SdkError('notAsOrdered', message, { hint, members, ...(against && { against }) });
}

/** For what a server says to have done with what was signed: `action` is as in "registered the template". */
export function assertDoneAsOrdered(
  { action, ...compared }: Compared & { readonly action: string },
  ordered: JsonValue,
  answered: JsonValue | undefined,
): void {
  const members = differingMembers(ordered, answered, compared);
  if (members.length > 0) throw notDoneAsOrdered(action, members);
}

export function notDoneAsOrdered(action: string, members: readonly string[]): SdkError {
  const message = `the server says to have ${action}, and something else than was ordered`;
  const hint =
    'What was signed is what was ordered. Ask the ledger what became of it, and do not believe this server.';
  return new SdkError('notAsOrdered', message, { hint, members });
}
