/**
 * Sets of credentials that a verifier wishes for and does not need (`required: false`), beside the plan for what it needs.
 * One that the owner grants is planned as if it were needed; what no card here answers is named and not sent. Pure.
 */
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { type AnswerPart, type AnswerPlan, type PlanFacts, planAnswer } from './answer-plan.ts';

export interface WishedSet {
  /** Its place among the sets of the query. */
  readonly place: number;
  /** What would be shown besides what is needed; nothing where no card answers. */
  readonly parts: readonly AnswerPart[];
  /** Types of what is wished for, in the verifier's own words; none where it says none. */
  readonly types: readonly string[];
  readonly isGranted: boolean;
}

export interface ConsentPlan {
  readonly plan: AnswerPlan;
  readonly sets: readonly WishedSet[];
}

/** `granted`: places of the sets that the owner lets be met. */
export function planConsent(query: DcqlQuery, facts: PlanFacts, granted: ReadonlySet<number>): ConsentPlan {
  const needed = planAnswer(needing(query, new Set()), facts);
  if (needed.kind === 'none') return { plan: needed, sets: [] };
  const wanted = planAnswer(needing(query, granted), facts);
  const ofNeed = new Set(needed.parts.map(({ queryId }) => queryId));
  const sets = (query.sets ?? []).flatMap(({ isRequired, options }, place): WishedSet[] => {
    const isMet = options.some((option) => option.every((id) => ofNeed.has(id)));
    if (isRequired || isMet) return [];
    const met = planAnswer(needing(query, new Set([...granted, place])), facts);
    const parts = met.kind === 'answer' ? met.parts : [];
    return [
      {
        place,
        parts: parts.filter(({ queryId }) => !ofNeed.has(queryId) && options.flat().includes(queryId)),
        types: typesOf(query, options[0] ?? []),
        isGranted: granted.has(place) && wanted.kind === 'answer',
      },
    ];
  });
  if (needed.parts.length === 0 && sets.every(({ parts }) => parts.length === 0))
    return { plan: { kind: 'none', problems: [{ kind: 'noCredential' }], misfits: [] }, sets: [] };
  // A card may have gone meanwhile that was to answer what was granted.
  return { plan: wanted.kind === 'answer' ? wanted : needed, sets };
}

/** What is needed of the query, and these sets besides. The rest is not asked, so that nothing is judged together with it. */
function needing(query: DcqlQuery, places: ReadonlySet<number>): DcqlQuery {
  const sets = query.sets?.flatMap((set, place) =>
    set.isRequired || places.has(place) ? [{ ...set, isRequired: true }] : [],
  );
  if (!sets) return query;
  const asked = new Set(sets.flatMap(({ options }) => options.flat()));
  return { ...query, sets, credentials: query.credentials.filter(({ id }) => asked.has(id)) };
}

const typesOf = ({ credentials }: DcqlQuery, ids: readonly string[]): readonly string[] =>
  credentials
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ types }) => types.flatMap(([names]) => names ?? []));
