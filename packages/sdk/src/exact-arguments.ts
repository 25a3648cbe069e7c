/**
 * Objects in which a caller states conditions, held to the names that are known: types say so to whoever writes
 * TypeScript, and nobody says so to the others. A condition that is not understood must not become none.
 */
import { unknownName } from '@symbolon/core/known-names';
import { SdkError } from './errors.ts';

/** Every name of an interface, so that none is forgotten here when one is added there. */
export type MembersOf<Known> = Readonly<Record<keyof Known, true>>;

/** Throws `invalidArgument` for a member that is not known. `what` says what the object is. */
export function assertMembers<Known extends object>(
  given: Known,
  known: MembersOf<Known>,
  what: string,
): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const hint = 'Nothing was checked. Leave it out, or say it in a name that is known.';
  throw new SdkError('invalidArgument', `${what}: ${unknownName(unknown, Object.keys(known))}`, { hint });
}
