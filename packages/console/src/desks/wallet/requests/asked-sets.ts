/**
 * Sets of credentials in a request: each may be answered in one of several ways, and in which is its owner's choice. Until
 * the owner has chosen, what is needed is answered by what shows the least (the rule of the SDK's plan), and what is
 * wished for and not needed (`required: false`) by nothing. What no card here answers is named and not sent. Pure.
 */
import type { CredentialSet, DcqlQuery } from '@symbolon/core/presentation/dcql';
import { type AnswerPart, type AnswerPlan, type PlanFacts, planAnswer } from './answer-plan.ts';
import { type AskedCard, askedCards } from './asked-cards.ts';

/** One of the options of one of the sets, both by their places. */
export interface SetChoice {
  readonly set: number;
  readonly option: number;
}

export interface SetOption {
  readonly option: number;
  /** What would be shown for it; of a wish only what is not needed anyway. */
  readonly parts: readonly AnswerPart[];
}

export interface AskedSet {
  /** Its place among the sets of the query. */
  readonly set: number;
  readonly isRequired: boolean;
  /** Those that cards here answer. */
  readonly options: readonly SetOption[];
  /** The option that is shown; undefined where none is. */
  readonly chosen: number | undefined;
  /** What every option asks for, in the verifier's own words. */
  readonly asked: readonly (readonly AskedCard[])[];
}

export interface ConsentPlan {
  readonly plan: AnswerPlan;
  /** Where there is something to choose, or a wish that cannot be met. */
  readonly sets: readonly AskedSet[];
}

/** `choices`: what the owner chose, the latest last. Of those that do not go together the latest counts. */
export function planConsent(query: DcqlQuery, facts: PlanFacts, choices: readonly SetChoice[]): ConsentPlan {
  const settle = settling((made) => planAnswer(narrowed(query, made), facts));
  const needed = settle(choices.filter(({ set }) => query.sets?.[set]?.isRequired)).plan;
  if (needed.kind === 'none') return { plan: needed, sets: [] };
  const { plan } = settle(choices);
  const ofNeed = idsOf(needed);
  const sets = (query.sets ?? []).flatMap((asked, set): AskedSet[] => {
    const { isRequired } = asked;
    const options = answeredOptions({ asked, set, choices, settle }).map(({ option, parts }) => ({
      option,
      parts: parts.filter(({ queryId }) => isRequired || !ofNeed.has(queryId)),
    }));
    const isSettled = isRequired
      ? options.length < 2
      : asked.options.some((ids) => ids.every((id) => ofNeed.has(id)));
    if (isSettled) return [];
    const chosen = shownOption({ asked, set, kept: settle(choices).kept, plan });
    return [{ set, isRequired, options, chosen, asked: asked.options.map((ids) => askedCards(query, ids)) }];
  });
  if (needed.parts.length === 0 && sets.every(({ options }) => options.length === 0))
    return { plan: { kind: 'none', problems: [{ kind: 'noCredential' }], misfits: [] }, sets: [] };
  return { plan, sets };
}

interface Settled {
  readonly plan: AnswerPlan;
  /** Choices that the plan follows: a card may have gone that was to answer one, or be taken by another. */
  readonly kept: readonly SetChoice[];
}
type Settle = (choices: readonly SetChoice[]) => Settled;

/** Follows as many choices as go together, the latest first. Every plan is made once. */
function settling(planFor: (choices: readonly SetChoice[]) => AnswerPlan): Settle {
  const made = new Map<string, AnswerPlan>();
  const planOf = (choices: readonly SetChoice[]): AnswerPlan => {
    const key = choices.map(({ set, option }) => `${set} ${option}`).join(',');
    const plan = made.get(key) ?? planFor(choices);
    made.set(key, plan);
    return plan;
  };
  return (choices) =>
    choices.reduceRight<Settled>(
      (before, choice) => {
        const kept = [...before.kept, choice];
        const plan = planOf(kept);
        return plan.kind === 'answer' ? { plan, kept } : before;
      },
      { plan: planOf([]), kept: [] },
    );
}

interface OneSet {
  readonly asked: CredentialSet;
  readonly set: number;
}

/** Options that can be answered, with what they would show if they were chosen now. */
function answeredOptions({
  asked,
  set,
  choices,
  settle,
}: OneSet & { readonly choices: readonly SetChoice[]; readonly settle: Settle }): readonly SetOption[] {
  const others = choices.filter((one) => one.set !== set);
  return asked.options.flatMap((ids, option) => {
    const { plan, kept } = settle([...others, { set, option }]);
    if (plan.kind === 'none' || !kept.some((one) => one.set === set)) return [];
    return [{ option, parts: plan.parts.filter(({ queryId }) => ids.includes(queryId)) }];
  });
}

/** The owner's choice where the plan follows it; else, of what is needed, what the plan answers. */
function shownOption({ asked, set, kept, plan }: OneSet & Settled): number | undefined {
  const own = kept.find((one) => one.set === set)?.option;
  if (own !== undefined || !asked.isRequired) return own;
  const shown = idsOf(plan);
  return asked.options.findIndex((ids) => ids.every((id) => shown.has(id)));
}

const idsOf = (plan: AnswerPlan): ReadonlySet<string> =>
  new Set(plan.kind === 'answer' ? plan.parts.map(({ queryId }) => queryId) : []);

/**
 * What is needed of the query, and wishes that were chosen, each set with what was chosen of it. The rest is not asked, so
 * that nothing is judged together with it.
 */
function narrowed(query: DcqlQuery, choices: readonly SetChoice[]): DcqlQuery {
  const sets = query.sets?.flatMap(({ isRequired, options }, set): CredentialSet[] => {
    const choice = choices.find((one) => one.set === set);
    if (!choice) return isRequired ? [{ isRequired, options }] : [];
    return [{ isRequired: true, options: options.slice(choice.option, choice.option + 1) }];
  });
  if (!sets) return query;
  const asked = new Set(sets.flatMap(({ options }) => options.flat()));
  return { ...query, sets, credentials: query.credentials.filter(({ id }) => asked.has(id)) };
}
