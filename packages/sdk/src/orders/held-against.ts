/**
 * Comparisons with what the caller brought along: a pin, a registry, its key. Such a difference is the server's lie or
 * the caller's own mistake, and only the caller can tell which, so both values go with the error.
 */
import type { JsonValue } from '@symbolon/wire/json/json';
import { type HeldAgainst, SdkError } from '../errors/errors.ts';
import { type Compared, differingMembers, notAsOrdered } from '../errors/order-comparison.ts';

/** By the path of the member that is compared. */
export type OwnTerms = Readonly<Record<string, HeldAgainst | undefined>>;

interface Sides {
  readonly ordered: JsonValue;
  readonly offered: JsonValue | undefined;
}

/** As `assertAsOrdered`, with what of the caller's own the first difference differs from. */
export function assertAsPinned(
  { what, ...compared }: Compared & { readonly what: string },
  { ordered, offered }: Sides,
  terms: OwnTerms,
): void {
  const members = differingMembers(ordered, offered, compared);
  const [difference] = members;
  if (difference === undefined) return;
  const { code, reason, hint } = notAsOrdered(what, members);
  const against = Object.hasOwn(terms, difference) ? terms[difference] : undefined;
  throw new SdkError(code, reason, { hint, members, ...(against && { against }) });
}
