/**
 * Objects in which a caller states conditions, held to the names that are known: types say so to whoever writes
 * TypeScript, and nobody says so to the others. A condition that is not understood must not become none.
 */
import { unknownName } from '@symbolon/core/basics/known-names';
import { SdkError } from '../errors/errors.ts';

/** Every name of an interface, so that none is forgotten here when one is added there. The names alone count. */
export type MembersOf<Known> = Readonly<Record<keyof Known, unknown>>;

/**
 * Throws `invalidArgument` for a member that is not known, and for what has no members. `what` says what the object is.
 */
export function assertMembers<Known extends object>(
  given: Known,
  known: MembersOf<Known>,
  what: string,
): void {
  assertNames(given, Object.keys(known), what);
}

/** The same where the names are not those of an interface. */
export function assertNames(given: unknown, known: readonly string[], what: string): void {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (!isObject) throw notUnderstood(what, 'an object is needed');
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw notUnderstood(what, unknownName(unknown, known));
}

/** Throws `invalidArgument` for a member that is needed and not there. */
export function assertGiven(given: object, needed: readonly string[], what: string): void {
  if (typeof given !== 'object' || given === null) throw notUnderstood(what, 'an object is needed');
  const members = given as Readonly<Record<string, unknown>>;
  const missing = needed.find((name) => members[name] === undefined || members[name] === null);
  if (missing === undefined) return;
  const hint = 'Nothing was done. Say it, too.';
  throw new SdkError('invalidArgument', `${what}: ${missing} is missing`, { hint });
}

export function notUnderstood(what: string, problem: string): SdkError {
  const hint = 'Nothing was done. Leave it out, or say it in a way that is known.';
  return new SdkError('invalidArgument', `${what}: ${problem}`, { hint });
}
