/**
 * Whether what a wallet sends answers a query: that it is addressed to parts of the query, that enough of them are
 * answered, and of each credential that it shows what was asked for and nothing selective beside it.
 */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { asObject } from '@symbolon/core/basics/plain-values';
import { oid4vpLimits } from '../limits/oid4vp-limits.ts';
import { touches, type WantedPath } from '../sd-jwt/claim-paths.ts';
import type { ClaimPath } from '../sd-jwt/unpacking.ts';
import type { PresentationQuery, WantedClaim, WantedCredential } from './presentation-query.ts';

/** One element of a `vp_token`, and what it is to answer. */
export interface PresentedElement {
  readonly wanted: WantedCredential;
  readonly element: unknown;
}

/** The elements of a `vp_token` in the order of the query, or why it is none for this query. */
export function readPresentedElements(
  token: unknown,
  query: PresentationQuery,
): readonly PresentedElement[] | Complaint {
  const members = asObject(token);
  if (!members) return { complaint: 'the vp_token is no object' };
  const stranger = Object.keys(members).find((id) => !query.credentials.some((one) => one.id === id));
  if (stranger !== undefined) return { complaint: 'the vp_token answers a query that was not asked' };
  const found: PresentedElement[] = [];
  for (const wanted of query.credentials) {
    if (!Object.hasOwn(members, wanted.id)) continue;
    const elements = members[wanted.id];
    if (!Array.isArray(elements) || elements.length === 0)
      return { complaint: `the vp_token has no list of presentations for ${wanted.id}` };
    if (elements.length > 1 && !wanted.isMultiple)
      return { complaint: `the vp_token has more than one presentation for ${wanted.id}` };
    found.push(...elements.map((element: unknown) => ({ wanted, element })));
  }
  if (found.length > oid4vpLimits.presentationsMax)
    return { complaint: 'the vp_token has too many presentations' };
  return unansweredComplaint(query, new Set(found.map(({ wanted }) => wanted.id))) ?? found;
}

/** Which parts are answered, and what of them is missing or too much. */
export function unansweredComplaint(
  { credentials, sets }: PresentationQuery,
  answered: ReadonlySet<string>,
): Complaint | undefined {
  if (answered.size === 0 && !sets) return { complaint: 'the vp_token answers nothing' };
  const lacking = credentials.find(({ id }) => !answered.has(id));
  if (!sets) return lacking && { complaint: `the vp_token has no presentation for ${lacking.id}` };
  const isMet = (option: readonly string[]): boolean => option.every((id) => answered.has(id));
  const unmet = sets.findIndex(({ options, isRequired }) => isRequired && !options.some(isMet));
  if (unmet !== -1) return { complaint: `the vp_token answers no option of credential set ${unmet + 1}` };
  // What belongs to no set is asked for by none: showing it is showing more than was asked.
  const wanted = sets.flatMap(({ options }) => options.filter(isMet)).flat();
  const surplus = [...answered].find((id) => !wanted.includes(id));
  return surplus === undefined
    ? undefined
    : { complaint: `the vp_token has a presentation for ${surplus}, which completes no option` };
}

/** Claims that may be shown together: each list by itself is an answer. */
export function claimChoices({ claims, claimSets }: WantedCredential): readonly (readonly WantedClaim[])[] {
  if (!claimSets) return [claims];
  return claimSets.map((set) => claims.filter(({ id }) => id !== undefined && set.includes(id)));
}

/** What is wrong by the choice that fits; where none does, by the first. */
export function bestChoice<Complaint>(
  wanted: WantedCredential,
  judge: (claims: readonly WantedClaim[]) => readonly Complaint[],
): readonly Complaint[] {
  const judged = claimChoices(wanted).map(judge);
  return judged.find((complaints) => complaints.length === 0) ?? judged[0];
}

export interface ShownClaims {
  readonly claims: unknown;
  /** Where its holder chose to show something. */
  readonly selected: readonly ClaimPath[];
}

/** What is missing, has another value, or is shown and was not asked for. */
export const claimComplaints = (wanted: WantedCredential, shown: ShownClaims): readonly string[] =>
  bestChoice(wanted, (claims) => [
    ...unmetClaims(claims, shown.claims),
    ...shown.selected
      .filter((path) => !claims.some((claim) => touches(claim.path, path)))
      .map((path) => `${path.join('.')} was not asked for`),
  ]);

/** What is missing, or has another value than is wanted. */
export const unmetClaims = (wanted: readonly WantedClaim[], claims: unknown): readonly string[] =>
  wanted.flatMap((claim) => unmet(claim, claims));

function unmet({ path, values }: WantedClaim, claims: unknown): readonly string[] {
  const found = claimsAt(claims, path);
  if (found.length === 0) return [`${path.join('.')} is not shown`];
  return !values || found.some((one) => values.some((value) => value === one))
    ? []
    : [`${path.join('.')} has none of the values asked for`];
}

const claimsAt = (claims: unknown, path: WantedPath): readonly unknown[] =>
  placesAt(claims, path).map(({ value }) => value);

/** Everything that a path leads to, and where it stands: null is every element of an array. */
export function placesAt(
  value: unknown,
  [step, ...rest]: WantedPath,
  path: ClaimPath = [],
): readonly { readonly path: ClaimPath; readonly value: unknown }[] {
  if (step === undefined) return [{ path, value }];
  if (step === null)
    return Array.isArray(value) ? value.flatMap((one, place) => placesAt(one, rest, [...path, place])) : [];
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (typeof step === 'number'))
    return [];
  return Object.hasOwn(value, step)
    ? placesAt((value as Record<string, unknown>)[step], rest, [...path, step])
    : [];
}
