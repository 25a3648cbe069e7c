/**
 * What would be shown for a request, of which cards, for the owner to see first. Everything that is asked may be shown,
 * because the owner decides; what the verifier wishes for and does not need is shown only where the owner grants it.
 * Bounds are answered by proofs, which show no value. Planned by the SDK's own plan, and what is agreed to is what is
 * handed in. Pure.
 */
import { subjectValue } from '@symbolon/core/credential/credential-messages';
import type { RangeClaim, UnsignedCredential } from '@symbolon/core/documents/model';
import type { ClaimQuery, CredentialQuery, DcqlQuery } from '@symbolon/core/presentation/dcql';
import {
  areTelling,
  chooseAnswers,
  fittingOptions,
  misfitsOf,
  type NeedProblem,
  type PlannedDisclosure,
  planNeeds,
} from '@symbolon/sdk/orders/disclosure-plan';
import { cardStanding } from '../cards/card-words.ts';
import type { KeptCard } from '../cards/kept-cards.ts';

/** What one card shows, and which others would do in its place. */
export interface AnswerPart {
  readonly queryId: string;
  readonly card: KeptCard;
  readonly reveal: readonly string[];
  readonly ranges: readonly RangeClaim[];
  /** Attributes whose ranges leave so few values that they are as good as told. */
  readonly telling: readonly string[];
  /** Cards that fit here, this one included. */
  readonly fitting: readonly KeptCard[];
  /** What is wished for and not needed, as far as this card could show it. */
  readonly wishes: readonly WishedClaim[];
}

export interface WishedClaim {
  readonly key: string;
  /** What would be proved; undefined where the value would be shown. */
  readonly range?: RangeClaim;
  /** Whether it is shown. */
  readonly isGranted: boolean;
}

export type AnswerPlan =
  | { readonly kind: 'answer'; readonly parts: readonly AnswerPart[] }
  | {
      readonly kind: 'none';
      readonly problems: readonly NeedProblem[];
      /** Attributes whose values are not what is asked for; for the owner alone. */
      readonly misfits: readonly string[];
    };

export interface PlanFacts {
  readonly cards: readonly KeptCard[];
  /** By part of the query, the card that its owner wants. */
  readonly wanted: ReadonlyMap<string, string>;
  /** Whether the owner lets a wish of a part of the query be met. */
  readonly isGranted: (queryId: string, key: string) => boolean;
  /** Ranges that were proved before of attributes for which this holds. */
  readonly provedBefore: (
    isOfFact: (vcId: string, key: string) => boolean,
  ) => readonly Pick<RangeClaim, 'min' | 'max'>[];
  readonly now: number;
}

const everything = { has: () => true };

/** Only what is good now is worth a proof: neither revoked, nor suspended, nor over or to come, nor unknown to the ledger. */
export const isUsable = (card: KeptCard, now: number): boolean => cardStanding(card, now) === 'Active';

export function planAnswer(asked: DcqlQuery, facts: PlanFacts): AnswerPlan {
  const { cards, wanted, isGranted, provedBefore, now } = facts;
  const query = withoutWishes(asked);
  const usable = cards.filter((card) => isUsable(card, now));
  const credentials: readonly UnsignedCredential[] = usable.map(({ parsed }) => parsed.credential);
  const needs = planNeeds(query, credentials, everything);
  const narrowed = needs.map((need) => {
    const vcId = wanted.get(need.query.id);
    const options = need.options.filter(({ credential }) => usable[credential]?.vcId === vcId);
    return options.length > 0 ? { ...need, options } : need;
  });
  const needed = chooseAnswers(query, narrowed, credentials) ?? chooseAnswers(query, needs, credentials);
  if (!needed)
    return {
      kind: 'none',
      problems: needs.flatMap(({ problem }) => problem ?? []),
      misfits: [...new Set(needs.flatMap((need) => misfitsOf(query, need, credentials)))],
    };
  const cardOf = (one: PlannedDisclosure): KeptCard => usable[one.credential] as KeptCard;
  const chosen = needed.map((one) => withWishes(one, asked, { card: cardOf(one), isGranted }));
  /** What tells a value only with what was proved of it before, or is proved beside it of another card. */
  const toldTogether = (one: PlannedDisclosure, card: KeptCard): readonly string[] =>
    one.ranges
      .filter((range) => {
        const isOfFact = sameFact(cards, card, range.attribute);
        const beside = chosen.flatMap((other) =>
          other.ranges.filter(({ attribute }) => isOfFact(cardOf(other).vcId, attribute)),
        );
        const all = [...provedBefore(isOfFact), ...beside].map((told) => ({
          ...told,
          attribute: range.attribute,
        }));
        return areTelling(card.parsed.credential.credentialSchema.attributes, range.attribute, all);
      })
      .map(({ attribute }) => attribute);
  const partOf = (one: ChosenDisclosure): AnswerPart => {
    const card = cardOf(one);
    const need = needs.find(({ query: { id } }) => id === one.queryId);
    const taken = new Set(chosen.filter((other) => other !== one).map(({ credential }) => credential));
    const fitting = need
      ? fittingOptions(query, need, credentials).filter(({ credential }) => !taken.has(credential))
      : [];
    return {
      queryId: one.queryId,
      card,
      reveal: one.reveal,
      ranges: one.ranges,
      telling: [...new Set([...one.telling, ...toldTogether(one, card)])],
      fitting: fitting.map(({ credential }) => usable[credential] as KeptCard),
      wishes: one.wishes,
    };
  };
  return { kind: 'answer', parts: chosen.map(partOf) };
}

/** The query without what nobody needs. What it says of the holder stays: every card tells that. */
const withoutWishes = (query: DcqlQuery): DcqlQuery => ({
  ...query,
  credentials: query.credentials.map((one) => ({
    ...one,
    claims: one.claims.filter(({ key, isRequired }) => isRequired || key === 'id'),
  })),
});

interface ChosenDisclosure extends PlannedDisclosure {
  readonly wishes: readonly WishedClaim[];
}

/** Each wish is looked at by itself: one that the card cannot meet is no reason to leave out another. */
function withWishes(
  needed: PlannedDisclosure,
  query: DcqlQuery,
  { card, isGranted }: Pick<PlanFacts, 'isGranted'> & { readonly card: KeptCard },
): ChosenDisclosure {
  const part = query.credentials.find(({ id }) => id === needed.queryId);
  const wishes = (part?.claims ?? []).flatMap((claim): WishedClaim[] => {
    const { key, isRequired } = claim;
    const shown =
      part && !isRequired ? shownFor(query, part, { claim, credential: card.parsed.credential }) : undefined;
    const [range] = shown?.ranges ?? [];
    if (!range && !shown?.reveal.length) return [];
    return [{ key, isGranted: isGranted(needed.queryId, key), ...(range && { range }) }];
  });
  const granted = wishes.filter((wish) => wish.isGranted);
  return {
    ...needed,
    reveal: [...needed.reveal, ...granted.flatMap(({ key, range }) => (range ? [] : [key]))],
    ranges: [...needed.ranges, ...granted.flatMap(({ range }) => range ?? [])],
    wishes,
  };
}

/** What a card would show if a part of the query were this one claim. */
function shownFor(
  query: DcqlQuery,
  part: CredentialQuery,
  { claim, credential }: { readonly claim: ClaimQuery; readonly credential: UnsignedCredential },
): PlannedDisclosure | undefined {
  const alone = { ...query, credentials: [{ ...part, claims: [{ ...claim, isRequired: true }] }] };
  return planNeeds(alone, [credential], everything).flatMap((need) =>
    fittingOptions(alone, need, [credential]),
  )[0];
}

/**
 * Whether an attribute of a card is the same fact as one of this card: its value is the same, whatever it is called there.
 * Of a card that is not kept any more only the name is known.
 */
function sameFact(cards: readonly KeptCard[], card: KeptCard, attribute: string) {
  const factOf = ({ parsed }: KeptCard, key: string) =>
    subjectValue(parsed.credential.credentialSubject, key);
  const value = factOf(card, attribute);
  return (vcId: string, key: string): boolean => {
    const other = cards.find((one) => one.vcId === vcId);
    return other ? factOf(other, key) === value : key === attribute;
  };
}
