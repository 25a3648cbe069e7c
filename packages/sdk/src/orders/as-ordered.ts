/**
 * What a key holder compares before signing: what was ordered with what a server offers to be signed. One comparison
 * for every kind of order, and the first member that differs is named. Nothing that was not ordered is passed over.
 */
import { isJsonObject, type JsonValue } from '@symbolon/wire/json';
import { SdkError } from '../errors.ts';

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
      differenceAt(ordered[index], offered[index], `${at}[${index}]`),
    );
  if (isJsonObject(ordered) && isJsonObject(offered))
    return differenceOf([...Object.keys(ordered), ...Object.keys(offered)], (name) =>
      differenceAt(own(ordered, name), own(offered, name), at === '' ? name : `${at}.${name}`),
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

/** Throws `notAsOrdered` with the first difference. `what` is the thing to be signed: "the credential". */
export function assertAsOrdered(what: string, ordered: JsonValue, offered: JsonValue | undefined): void {
  const difference = firstDifference(ordered, offered);
  if (difference !== undefined) throw notAsOrdered(what, difference);
}

/** `member` is the name, or the path of names, of what differs. */
export function notAsOrdered(what: string, member: string): SdkError {
  const hint = 'Nothing was signed. Do not use this server before you know why.';
  const where = member === '' ? '' : `: ${member}`;
  return new SdkError('notAsOrdered', `${what} that the server offers is not what was ordered${where}`, {
    hint,
  });
}

/**
 * For what a server says to have done with what was signed: throws `notAsOrdered` if that is something else. `deed` is
 * as in "registered the template".
 */
export function assertAsDone(deed: string, ordered: JsonValue, answered: JsonValue | undefined): void {
  const difference = firstDifference(ordered, answered);
  if (difference === undefined) return;
  const message = `the server says to have ${deed}, and something else than was ordered: ${difference}`;
  const hint =
    'What was signed is what was ordered. Ask the ledger what became of it, and do not believe this server.';
  throw new SdkError('notAsOrdered', message, { hint });
}
