/**
 * Comparisons with what the caller brought along: a pin, a registry, its key. Such a difference is the server's lie or
 * the caller's own mistake, and only the caller can tell which, so both values go with the error.
 */
import type { JsonValue } from '@symbolon/wire/json';
import { type HeldAgainst, SdkError } from '../errors.ts';
import { firstDifference, notAsOrdered } from './as-ordered.ts';

/** By the member of what is compared, as `firstDifference` names it. */
export type OwnTerms = Readonly<Record<string, HeldAgainst | undefined>>;

interface Compared {
  readonly ordered: JsonValue;
  readonly offered: JsonValue | undefined;
}

/** Throws `notAsOrdered` with the first difference, and with what of the caller's own it differs from. */
export function assertAsPinned(what: string, { ordered, offered }: Compared, terms: OwnTerms): void {
  const difference = firstDifference(ordered, offered);
  if (difference === undefined) return;
  const { code, message, hint } = notAsOrdered(what, difference);
  const against = Object.hasOwn(terms, difference) ? terms[difference] : undefined;
  throw new SdkError(code, message, { hint, ...(against && { against }) });
}
