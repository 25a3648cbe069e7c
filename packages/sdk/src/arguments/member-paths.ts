/**
 * The members of an answer that an error is about, as people read them: `result.header.chain_id`, `proof[0].jws`. Names
 * in an answer are anybody's, so they are cut: short enough that no key fits into one, and without what a terminal
 * obeys.
 */
import type { Fault } from '@symbolon/core/faults/faults';
import { plainText } from './foreign-texts.ts';

const shownNameMax = 32;

export const shownName = (name: string): string => plainText(name, shownNameMax);

/** The path of a member, or of an element, of what stands at a path; of the whole, if that is empty. */
export function memberIn(path: string, name: PropertyKey): string {
  if (typeof name === 'number') return `${path}[${name}]`;
  const shown = shownName(String(name));
  return path === '' ? shown : `${path}.${shown}`;
}

export const memberPath = (names: readonly PropertyKey[]): string => names.reduce<string>(memberIn, '');

/** As much as is needed of what a schema finds wrong (zod's issues). */
export interface SchemaIssue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  /** Members that are not known. */
  readonly keys?: readonly string[];
  /** What is wrong by each of the forms that a value could have had. */
  readonly errors?: readonly (readonly SchemaIssue[])[];
}

/** The first member that is not what a schema says. Of several forms the one counts that is right the furthest. */
export function memberOfIssue({ path, keys, errors }: SchemaIssue): readonly PropertyKey[] {
  const [unknown] = keys ?? [];
  if (unknown !== undefined) return [...path, unknown];
  const inside = (errors ?? []).flatMap(([first]) => (first ? [memberOfIssue(first)] : []));
  const furthest = inside.reduce<readonly PropertyKey[]>(
    (most, one) => (one.length > most.length ? one : most),
    [],
  );
  return [...path, ...furthest];
}

/** What a check by a schema says of a value that is not of its form. */
export interface SchemaCheck {
  readonly success: boolean;
  readonly error?: { readonly issues: readonly SchemaIssue[] } | undefined;
}

/** The first member that is wrong of what stands at a path, in a list; none where it is the whole. */
export function wrongMembers({ error }: SchemaCheck, at = ''): readonly string[] {
  const [first] = error?.issues ?? [];
  const path = (first ? memberOfIssue(first) : []).reduce<string>(memberIn, at);
  return path === '' ? [] : [path];
}

const shownPlacesMax = 3;

/** The paths of the first places that a fault is about; none where that is the whole. */
export const wrongInFault = ({ errors }: Pick<Fault, 'errors'>): readonly string[] =>
  errors
    .map(({ pointer }) => pathOfPointer(pointer))
    .filter((path) => path !== '')
    .slice(0, shownPlacesMax);

/** A pointer (`/proof/0/jws`) as a path. */
const pathOfPointer = (pointer: string): string =>
  memberPath(
    pointer
      .split('/')
      .slice(1)
      .map((name) =>
        /^\d{1,9}$/.test(name) ? Number(name) : name.replaceAll('~1', '/').replaceAll('~0', '~'),
      ),
  );
