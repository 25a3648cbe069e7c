/** What is asked, in words: of each attribute, and of the whole in one sentence. */
import { decimalScale } from '@symbolon/core/attributes/attribute-formats';
import type { AgeBounds } from '@symbolon/core/attributes/attribute-ranges';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { attributeText } from '../../../parts/card/card-values.ts';
import { misspeltText } from '../../../parts/controls/misspelt-text.ts';
import { decimalText } from '../../../text/decimals.ts';
import { dayText } from '../../../text/times.ts';
import type { DeskReading } from '../../../words/words.ts';
import type { AskedClaim, AskedRequest } from './asked-claims.ts';
import type { RequestProblem } from './request-draft.ts';

/** A date as people write it, and a decimal where it is known to be one; anything else as it is. */
export function valueText(
  value: unknown,
  { words, language }: DeskReading<'verify'>,
  isDecimal = false,
): string {
  if (typeof value === 'boolean') return value ? words.verify.yes : words.verify.no;
  const text = String(value);
  if (isDecimal && /^-?\d+\.\d+$/.test(text)) return decimalText(text, language);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayText(Date.parse(`${text}T00:00:00Z`), language) : text;
}

interface Bounds {
  readonly min?: unknown;
  readonly max?: unknown;
  readonly age?: AgeBounds | undefined;
}

const isDay = (value: unknown): boolean => /^\d{4}-\d{2}-\d{2}/.test(String(value));

/** "18 years or older", "at most 2", "from 60 to 180", as the wallet says it; that nothing is said where no bound is. */
export function boundsText({ min, max, age }: Bounds, { words, language }: DeskReading<'verify'>): string {
  const { ranges } = words.parts;
  if (age) return ranges.age(age.minAge, age.maxAge);
  if (min === undefined && max === undefined) return words.verify.rangeUnsaid;
  const isOfDays = isDay(min) || isDay(max);
  const written = (bound: unknown): string | undefined =>
    bound === undefined
      ? undefined
      : attributeText({ type: isOfDays ? 'date' : 'decimal' }, String(bound), language);
  return (isOfDays ? ranges.days : ranges.numbers)(written(min), written(max));
}

export const isDecimalOf = (template: TemplateReply | undefined, key: string): boolean =>
  decimalScale(template?.credentialFormat.find((field) => field.key === key)?.format ?? '') !== undefined;

export const labelOf = (template: TemplateReply | undefined, key: string): string =>
  template?.credentialFormat.find((field) => field.key === key)?.attribute ?? key;

/** Why a request cannot be asked, with the attribute that it is about. */
export function hindranceText(
  problem: RequestProblem,
  templates: ReadonlyMap<string, TemplateReply>,
  { words }: Pick<DeskReading<'verify'>, 'words'>,
): string {
  const { name, templateId = '', key } = problem;
  const why = misspeltText(problem, words, words.verify.ask.problems[name]);
  return key === undefined ? why : `${labelOf(templates.get(templateId), key)}: ${why}`;
}

export interface ClaimLine {
  readonly key: string;
  readonly fate: AskedClaim['fate'];
  readonly label: string;
  /** What is proved; undefined where the value is shown. */
  readonly bounds: string | undefined;
}

export const claimLines = (
  claims: readonly AskedClaim[],
  template: TemplateReply | undefined,
  reading: DeskReading<'verify'>,
): readonly ClaimLine[] =>
  // What is seen first, then what is proved, as everywhere.
  ['shared', 'proved']
    .flatMap((fate) => claims.filter((claim) => claim.fate === fate))
    .map((claim) => ({
      key: claim.key,
      fate: claim.fate,
      label: labelOf(template, claim.key),
      bounds: claim.fate === 'proved' ? boundsText(claim, reading) : undefined,
    }));

/** "You ask for Degree to be shown, and for proof that Date of birth is 18 years or older, of a University degree." */
export function askedSentence(
  { credentials }: AskedRequest,
  templates: ReadonlyMap<string, TemplateReply>,
  reading: DeskReading<'verify'>,
): string {
  const { sentence } = reading.words.verify;
  const lists = new Intl.ListFormat(reading.language, { type: 'conjunction' });
  const parts = credentials.map(({ id, templateId, claims }) => {
    const template = templates.get(templateId ?? id);
    const name = template?.templateName ?? id;
    const lines = claimLines(claims, template, reading);
    const shown = lines.filter(({ bounds }) => bounds === undefined).map(({ label }) => label);
    const proved = lines.flatMap(({ label, bounds }) =>
      bounds === undefined ? [] : [sentence.proof(label, bounds)],
    );
    if (lines.length === 0) return sentence.having(name);
    const wishes = [
      ...(shown.length > 0 ? [sentence.seeing(lists.format(shown))] : []),
      ...(proved.length > 0 ? [sentence.proving(lists.format(proved))] : []),
    ];
    return sentence.of(lists.format(wishes), name);
  });
  return parts.length === 0 ? sentence.nothing : sentence.whole(lists.format(parts));
}
