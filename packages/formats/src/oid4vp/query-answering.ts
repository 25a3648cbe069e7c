/**
 * What a holder's wallet answers a query with: which claims of a credential would have to be shown, and which parts of the
 * query are answered where several would do. The rules by which the answer is judged are those of `query-matching.ts`.
 */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import {
  keyOfPath,
  type PresentationQuery,
  type QueryFormat,
  type WantedClaim,
  type WantedCredential,
} from './presentation-query.ts';
import { claimChoices, unansweredComplaint, unmetClaims } from './query-matching.ts';

/** A credential as its holder has it, as far as queries ask for that. */
export interface HeldFacts {
  readonly format: QueryFormat;
  /** `vct`, the full names of types, or the template. */
  readonly kinds: readonly string[];
  /** As paths of queries lead through it. */
  readonly claims: unknown;
}

/** Whether it is of the format and of a type that are asked for. */
export const isOfWantedKind = (wanted: WantedCredential, { format, kinds }: HeldFacts): boolean =>
  format === wanted.format && wanted.kinds.some((names) => names.every((name) => kinds.includes(name)));

/** The claims to be shown, by the first list that the credential has all of; or why it does not answer. */
export function answeringClaims(
  wanted: WantedCredential,
  held: HeldFacts,
): { readonly claims: readonly WantedClaim[] } | Complaint {
  if (wanted.authorities) return { complaint: 'who vouches for its issuer is not known here' };
  const tried = claimChoices(wanted).map((claims) => ({ claims, unmet: unmetClaims(claims, held.claims) }));
  const fitting = tried.find(({ unmet }) => unmet.length === 0);
  return fitting ? { claims: fitting.claims } : { complaint: tried[0].unmet.join('; ') };
}

/**
 * Parts of the query that together answer it, with what can be answered: the first option of each set that is required,
 * and nothing that need not be shown. Undefined where that is not enough.
 */
export function partsToAnswer(
  query: PresentationQuery,
  answerable: ReadonlySet<string>,
): readonly string[] | undefined {
  const chosen = query.sets
    ? query.sets
        .filter(({ isRequired }) => isRequired)
        .flatMap(({ options }) => options.find((option) => option.every((id) => answerable.has(id))) ?? [])
    : query.credentials.map(({ id }) => id).filter((id) => answerable.has(id));
  const ids = new Set(chosen);
  return ids.size === 0 || unansweredComplaint(query, ids) ? undefined : [...ids];
}

/** One part of a query as the rules of our own sessions have it: a range is a bound on either side. */
export const sessionQueryOf = ({ id }: WantedCredential, claims: readonly WantedClaim[]): DcqlQuery => ({
  credentials: [
    {
      id,
      types: [],
      claims: claims.map(({ path, values, range }) => ({
        key: keyOfPath(path) ?? '',
        isRequired: true,
        constraints: {
          ...(values && { values }),
          ...(range?.min !== undefined && { minimum: range.min }),
          ...(range?.max !== undefined && { maximum: range.max }),
        },
      })),
    },
  ],
});
