/**
 * What a wallet would show for a query, decided by its owner's policy: bounds are answered by a range proof, which
 * shows no value; a value is shown, or told by bounds that leave few values, only if the owner lets it be revealed.
 * First without looking at values (`planNeeds`), so that asking tells nothing; then, once more, with them
 * (`chooseAnswers`). Pure.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { areTellingRanges, type ReadRange, readRange } from '@symbolon/core/attributes/attribute-ranges';
import { pairUp } from '@symbolon/core/basics/pairing';
import { frameOf, subjectValue } from '@symbolon/core/credential/credential-messages';
import type {
  AttributeValue,
  DerivedCredential,
  RangeClaim,
  SignedAttribute,
  UnsignedCredential,
} from '@symbolon/core/documents/model';
import type { ClaimQuery, CredentialQuery, DcqlQuery } from '@symbolon/core/presentation/dcql';
import { judgeAnswer } from '@symbolon/core/presentation/dcql-matching';

/** What is shown of one credential. */
export interface PlannedDisclosure {
  readonly queryId: string;
  /** Its place among the credentials that were given. */
  readonly credential: number;
  readonly reveal: readonly string[];
  readonly ranges: readonly RangeClaim[];
  /** Attributes whose ranges leave so few values that they are as good as revealed. */
  readonly telling: readonly string[];
}

export interface Need {
  readonly query: CredentialQuery;
  /** Credentials that could answer, and what they would show. */
  readonly options: readonly PlannedDisclosure[];
  /** Why there is none. */
  readonly problem?: NeedProblem;
  /** Answered in any case, also where other options of a set would show less. */
  readonly isWanted?: boolean;
}

export type NeedProblem =
  | { readonly kind: 'noCredential' }
  | { readonly kind: 'attributeMissing' | 'notAllowed'; readonly attributes: readonly string[] };

/** Which attributes may be shown: those that the owner has named, or whatever the owner is asked about first. */
export type Revealable = Pick<ReadonlySet<string>, 'has'>;

export function planNeeds(
  query: DcqlQuery,
  credentials: readonly UnsignedCredential[],
  mayReveal: Revealable,
): readonly Need[] {
  return query.credentials.map((one) => {
    const tried = credentials.flatMap((credential, index) =>
      isOfKind(query, one, credential)
        ? [
            tryCredential(one, credential, {
              index,
              mayReveal,
              isTold: (key) => isTold(query, key, credential),
            }),
          ]
        : [],
    );
    const options = tried.filter((found) => 'reveal' in found);
    if (options.length > 0) return { query: one, options };
    const problems = tried.filter((found) => 'kind' in found);
    // What the owner can allow is of more use than what a credential does not have.
    const problem = problems.find(({ kind }) => kind === 'notAllowed') ??
      problems[0] ?? { kind: 'noCredential' };
    return { query: one, options: [], problem };
  });
}

interface Trial {
  readonly index: number;
  readonly mayReveal: Revealable;
  /** Whether the ranges that are asked of an attribute tell its value. */
  readonly isTold: (key: string) => boolean;
}

function tryCredential(
  query: CredentialQuery,
  credential: UnsignedCredential,
  { index, mayReveal, isTold }: Trial,
): PlannedDisclosure | NeedProblem {
  const missing: string[] = [];
  const notAllowed: string[] = [];
  const reveal: string[] = [];
  const ranges: RangeClaim[] = [];
  const telling: string[] = [];
  for (const claim of query.claims) {
    const { key, isRequired } = claim;
    if (key === 'id') continue;
    const range = rangeFor(claim, credential);
    const isRevealed = !range || isTold(key);
    if (subjectValue(credential.credentialSubject, key) === undefined) {
      if (isRequired) missing.push(key);
    } else if (isRevealed && !mayReveal.has(key)) {
      if (isRequired) notAllowed.push(key);
    } else if (range) {
      ranges.push(range.claim);
      if (isRevealed) telling.push(key);
    } else reveal.push(key);
  }
  if (missing.length > 0) return { kind: 'attributeMissing', attributes: missing };
  if (notAllowed.length > 0) return { kind: 'notAllowed', attributes: notAllowed };
  return { queryId: query.id, credential: index, reveal, ranges, telling };
}

/** Bounds of one attribute in several parts of a query are met by values that lie in all of them. */
function isTold({ credentials }: DcqlQuery, key: string, credential: UnsignedCredential): boolean {
  const asked = credentials.flatMap(({ claims }) =>
    claims.flatMap((claim) => (claim.key === key ? (rangeFor(claim, credential)?.claim ?? []) : [])),
  );
  return areTelling(credential.credentialSchema.attributes, key, asked);
}

/** Whether ranges of an attribute, each or together, tell its value. */
export function areTelling(
  attributes: readonly SignedAttribute[],
  key: string,
  claims: readonly RangeClaim[],
): boolean {
  const attribute = attributes.find((one) => one.key === key);
  return attribute !== undefined && areTellingRanges(attribute, claims);
}

/** The range that answers a claim without its value, if the claim asks for bounds and nothing else. */
function rangeFor(
  { key, constraints }: ClaimQuery,
  { credentialSchema }: UnsignedCredential,
): ReadRange | undefined {
  const { minimum: min, maximum: max, values, constant, pattern } = constraints;
  const attribute = credentialSchema.attributes.find((one) => one.key === key);
  if (!attribute || values || constant !== undefined || pattern) return undefined;
  const range = readRange(attribute, { min, max });
  return isComplaint(range) ? undefined : range;
}

/** Kind and issuer, without any claim. */
const isOfKind = (query: DcqlQuery, one: CredentialQuery, credential: UnsignedCredential): boolean =>
  judgeAnswer({ ...query, sets: undefined, credentials: [{ ...one, claims: [] }] }, [showing(credential, [])])
    .failures.length === 0;

/** The credential as if these values were shown; only what `judgeAnswer` looks at. */
function showing(credential: UnsignedCredential, keys: readonly string[]): DerivedCredential {
  const values = keys.map((key): [string, AttributeValue | undefined] => [
    key,
    subjectValue(credential.credentialSubject, key),
  ]);
  const credentialSubject = { ...Object.fromEntries(values), id: credential.credentialSubject.id };
  return { ...frameOf(credential), credentialSubject, proof: {} } as unknown as DerivedCredential;
}

/** Every range that `chooseAnswers` will compare a value with. */
export const rangesOf = (needs: readonly Need[]): readonly RangeClaim[] =>
  needs.flatMap(({ options }) => options.flatMap(({ ranges }) => ranges));

/**
 * What is shown for the whole query; undefined if values do not fit what is asked. No credential answers two parts of it:
 * a presentation that has one twice is refused.
 */
export function chooseAnswers(
  query: DcqlQuery,
  needs: readonly Need[],
  credentials: readonly UnsignedCredential[],
): readonly PlannedDisclosure[] | undefined {
  const fittingOf = fittingParts(query, needs, credentials);
  const answersTo = (ids: readonly string[]): readonly PlannedDisclosure[] | undefined => {
    const given = pairUp(
      ids.length,
      credentials.length,
      (place, credential) => fittingOf(ids[place], credential) !== undefined,
    );
    if (given.size < ids.length) return undefined;
    return [...given].flatMap(([place, credential]) => fittingOf(ids[place], credential) ?? []);
  };
  if (!query.sets) return answersTo(query.credentials.map(({ id }) => id));
  const wanted = needs.filter(({ isWanted }) => isWanted).map(({ query: { id } }) => id);
  const isWhole = (ids: readonly string[]): boolean => wanted.every((id) => ids.includes(id));
  return answersToSets(query.sets, answersTo, isWhole);
}

/**
 * Of each set that is required one option, and nothing besides: those that together show the least. Where that is the
 * same, the verifier's order decides.
 */
function answersToSets(
  sets: NonNullable<DcqlQuery['sets']>,
  answersTo: (ids: readonly string[]) => readonly PlannedDisclosure[] | undefined,
  isWhole: (ids: readonly string[]) => boolean,
): readonly PlannedDisclosure[] | undefined {
  const required = sets.filter(({ isRequired }) => isRequired);
  // Parts of a query are few, so there are few choices of them: each is tried once.
  const found = new Map<string, readonly PlannedDisclosure[] | undefined>();
  const answerFrom = (place: number, ids: readonly string[]): readonly PlannedDisclosure[] | undefined => {
    const key = [place, ...ids.toSorted()].join(' ');
    if (!found.has(key)) found.set(key, leastFrom(place, ids));
    return found.get(key);
  };
  const leastFrom = (place: number, ids: readonly string[]): readonly PlannedDisclosure[] | undefined => {
    const answers = answersTo(ids);
    if (!answers || place === required.length) return isWhole(ids) ? answers : undefined;
    const all = required[place].options.map((option) =>
      answerFrom(place + 1, [...new Set([...ids, ...option])]),
    );
    return leastOf(all);
  };
  return answerFrom(0, []);
}

/** The fewest values, then the fewest ranges, of the fewest credentials: however many ranges tell less than one value. */
function leastOf(
  answers: readonly (readonly PlannedDisclosure[] | undefined)[],
): readonly PlannedDisclosure[] | undefined {
  const sum = (answer: readonly PlannedDisclosure[], count: (one: PlannedDisclosure) => number): number =>
    answer.reduce((total, one) => total + count(one), 0);
  const values = (answer: readonly PlannedDisclosure[]): number =>
    sum(answer, ({ reveal, telling }) => reveal.length + telling.length);
  const ranges = (answer: readonly PlannedDisclosure[]): number => sum(answer, (one) => one.ranges.length);
  return answers
    .filter((one) => one !== undefined)
    .toSorted(
      (left, right) =>
        values(left) - values(right) || ranges(left) - ranges(right) || left.length - right.length,
    )[0];
}

/** The same needs where this credential answers the one with which the least is shown and none is left unanswered. */
export function needsUsing(
  query: DcqlQuery,
  needs: readonly Need[],
  { credentials, used }: { readonly credentials: readonly UnsignedCredential[]; readonly used: number },
): readonly Need[] | undefined {
  const tried = needs.map(({ query: { id } }) =>
    needs.map((need) => ({
      ...need,
      isWanted: need.query.id === id,
      options: need.options.filter(({ credential }) => (credential === used) === (need.query.id === id)),
    })),
  );
  const answers = tried.map((one) => chooseAnswers(query, one, credentials));
  const least = leastOf(answers.filter((one) => one?.some(({ credential }) => credential === used)));
  return least && tried[answers.indexOf(least)];
}

/** What a credential would show for a part of the query, if it does; looked at once each. */
function fittingParts(
  query: DcqlQuery,
  needs: readonly Need[],
  credentials: readonly UnsignedCredential[],
): (id: string, credential: number) => PlannedDisclosure | undefined {
  const found = new Map<PlannedDisclosure, PlannedDisclosure | undefined>();
  return (id, credential) => {
    const need = needs.find((one) => one.query.id === id);
    const option = need?.options.find((one) => one.credential === credential);
    if (!need || !option) return undefined;
    if (!found.has(option)) found.set(option, fittingPart(query, need.query, { option, credentials }));
    return found.get(option);
  };
}

/** Everything that would do for a need, by its values too. */
export const fittingOptions = (
  query: DcqlQuery,
  { query: one, options }: Need,
  credentials: readonly UnsignedCredential[],
): readonly PlannedDisclosure[] =>
  options.filter((option) => fittingPart(query, one, { option, credentials }) !== undefined);

/** Required attributes whose values are not what is asked for, where no credential of the kind has others. */
export function misfitsOf(
  query: DcqlQuery,
  need: Need,
  credentials: readonly UnsignedCredential[],
): readonly string[] {
  if (fittingOptions(query, need, credentials).length > 0) return [];
  const required = need.query.claims.filter(({ isRequired }) => isRequired);
  const misfits = need.options.flatMap((tried) =>
    required.filter((claim) => !fits(query, { ...need.query, claims: [claim] }, { tried, credentials })),
  );
  return [...new Set(misfits.map(({ key }) => key))];
}

/** What is wished for and does not fit is left out; what is required is not. */
function fittingPart(
  query: DcqlQuery,
  one: CredentialQuery,
  {
    option,
    credentials,
  }: { readonly option: PlannedDisclosure; readonly credentials: readonly UnsignedCredential[] },
): PlannedDisclosure | undefined {
  const required = new Set(one.claims.filter(({ isRequired }) => isRequired).map(({ key }) => key));
  const onlyRequired = {
    ...option,
    reveal: option.reveal.filter((key) => required.has(key)),
    ranges: option.ranges.filter(({ attribute }) => required.has(attribute)),
    telling: option.telling.filter((key) => required.has(key)),
  };
  return [option, onlyRequired].find((tried) => fits(query, one, { tried, credentials }));
}

function fits(
  query: DcqlQuery,
  one: CredentialQuery,
  {
    tried,
    credentials,
  }: { readonly tried: PlannedDisclosure; readonly credentials: readonly UnsignedCredential[] },
): boolean {
  const keys = [...tried.reveal, ...tried.ranges.map(({ attribute }) => attribute)];
  const shown = showing(credentials[tried.credential], keys);
  return judgeAnswer({ ...query, sets: undefined, credentials: [one] }, [shown]).failures.length === 0;
}
