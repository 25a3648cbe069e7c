/**
 * What a key holder compares before signing: what was ordered with what a server offers to be signed. One comparison
 * for every kind of order, and the first member that differs is named. Nothing that was not ordered is passed over.
 */
import { isJsonObject, type JsonValue, parseJson } from '@symbolon/wire/json/json';
import { SdkError } from './errors.ts';
import { memberIn } from './member-paths.ts';

/** Where the first difference is, as a path of names; undefined if there is none. */
export function firstDifference(ordered: JsonValue, offered: JsonValue | undefined): string | undefined {
  return differenceAt(ordered, offered, '');
}

function differenceAt(
  ordered: JsonValue | undefined,
  offered: JsonValue | undefined,
  at: string,
): string | undefined {
  if (Array.isArray(ordered) && Array.isArray(offered))
    return differenceOf([...ordered.keys(), ...offered.keys()], (index) =>
      differenceAt(ordered[index], offered[index], memberIn(at, index)),
    );
  if (isJsonObject(ordered) && isJsonObject(offered))
    return differenceOf([...Object.keys(ordered), ...Object.keys(offered)], (name) =>
      differenceAt(own(ordered, name), own(offered, name), memberIn(at, name)),
    );
  if (Object.is(ordered, offered)) return undefined;
  const inside = [ordered, offered].map(openedText);
  // What a text is JSON of has names; texts that say the same in other words are different all the same.
  return (inside.every(isContainer) ? differenceAt(inside[0], inside[1], at) : undefined) ?? at;
}

const isContainer = (value: JsonValue | undefined): boolean => isJsonObject(value) || Array.isArray(value);

function openedText(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return undefined;
  try {
    return parseJson(value);
  } catch {
    // A text that is no JSON has no members.
    return undefined;
  }
}

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

const own = (object: Readonly<Record<string, JsonValue>>, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** What is compared, in the words of an error. */
export interface Compared {
  /** The member that holds all of it, for what is another thing altogether; none if it is the whole answer. */
  readonly whole: string;
  /** Of members that follow from another answer, by their paths: the path of what they follow from. */
  readonly from?: Readonly<Record<string, string>>;
}

/** The paths of the first difference: of the member, and of what it follows from. None if there is no difference. */
export function differingMembers(
  ordered: JsonValue,
  offered: JsonValue | undefined,
  { whole, from = {} }: Compared,
): readonly string[] {
  const difference = firstDifference(ordered, offered);
  if (difference === undefined) return [];
  const sources = Object.entries(from).flatMap(([path, source]) =>
    difference.startsWith(path) ? [source] : [],
  );
  return [difference || whole, ...sources];
}

/** Throws `notAsOrdered` with the first difference. `what` is the thing to be signed: "the credential". */
export function assertAsOrdered(
  { what, ...compared }: Compared & { readonly what: string },
  ordered: JsonValue,
  offered: JsonValue | undefined,
): void {
  const members = differingMembers(ordered, offered, compared);
  if (members.length > 0) throw notAsOrdered(what, members);
}

/** `members` are the paths of what differs; `why` is said where a name alone does not say it. */
export function notAsOrdered(what: string, members: readonly string[], why = ''): SdkError {
  const hint = 'Nothing was signed. Do not use this server before you know why.';
  const message = `${what} that the server offers is not what was ordered${why && `, ${why}`}`;
  return new SdkError('notAsOrdered', message, { hint, members });
}

/**
 * For what a server says to have done with what was signed: throws `notAsOrdered` if that is something else. `deed` is
 * as in "registered the template".
 */
export function assertAsDone(
  { deed, ...compared }: Compared & { readonly deed: string },
  ordered: JsonValue,
  answered: JsonValue | undefined,
): void {
  const members = differingMembers(ordered, answered, compared);
  if (members.length > 0) throw otherDeed(deed, members);
}

export function otherDeed(deed: string, members: readonly string[]): SdkError {
  const message = `the server says to have ${deed}, and something else than was ordered`;
  const hint =
    'What was signed is what was ordered. Ask the ledger what became of it, and do not believe this server.';
  return new SdkError('notAsOrdered', message, { hint, members });
}
