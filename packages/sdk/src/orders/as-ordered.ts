/**
 * What a key holder compares before signing: what was ordered with what a server offers to be signed. One comparison
 * for every kind of order, and the first member that differs is named. Nothing that was not ordered is passed over.
 */
import { isJsonObject, type JsonValue } from '@symbolon/wire/json';
import { SdkError } from '../errors.ts';
import { memberIn } from '../member-paths.ts';

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
  return Object.is(ordered, offered) ? undefined : at;
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

/**
 * Throws `notAsOrdered` with the first difference. `what` is the thing to be signed: "the credential"; `whole` is the
 * member that holds all of it, for what is another thing altogether.
 */
export function assertAsOrdered(
  what: string,
  ordered: JsonValue,
  offered: JsonValue | undefined,
  whole: string,
): void {
  const difference = firstDifference(ordered, offered);
  if (difference !== undefined) throw notAsOrdered(what, [difference || whole]);
}

/** `members` are the paths of what differs; `why` is said where a name alone does not say it. */
export function notAsOrdered(what: string, members: readonly string[], why = ''): SdkError {
  const hint = 'Nothing was signed. Do not use this server before you know why.';
  const message = `${what} that the server offers is not what was ordered${why && `, ${why}`}`;
  return new SdkError('notAsOrdered', message, { hint, members });
}

/** What a server says to have done with what was signed. */
export interface Deed {
  /** As in "registered the template". */
  readonly deed: string;
  /** The member that holds all of it, for what is another thing altogether. */
  readonly whole: string;
  /** Of members that follow from an answer before: the path of what they follow from. */
  readonly from?: Readonly<Record<string, string>>;
}

/** Throws `notAsOrdered` for anything else than what was ordered. */
export function assertAsDone(
  { deed, whole, from = {} }: Deed,
  ordered: JsonValue,
  answered: JsonValue | undefined,
): void {
  const difference = firstDifference(ordered, answered);
  if (difference === undefined) return;
  const source = Object.hasOwn(from, difference) ? [from[difference] as string] : [];
  throw otherDeed(deed, [difference || whole, ...source]);
}

export function otherDeed(deed: string, members: readonly string[]): SdkError {
  const message = `the server says to have ${deed}, and something else than was ordered`;
  const hint =
    'What was signed is what was ordered. Ask the ledger what became of it, and do not believe this server.';
  return new SdkError('notAsOrdered', message, { hint, members });
}
