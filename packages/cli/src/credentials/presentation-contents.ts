/**
 * What a presentation shows, credential by credential: values that are shared, ranges that are proved, and the
 * attributes that stay hidden. It says what the document claims; whether that is true is `verify`'s business.
 */

import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { agesWithin, isTellingRange, readRange } from '@symbolon/core/attributes/attribute-ranges';
import { given } from '@symbolon/core/basics/plain-values';
import type {
  AttributeValue,
  Presentation,
  RangeClaim,
  SignedAttribute,
} from '@symbolon/core/documents/model';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { ageInWords, isBirthKey } from '@symbolon/core/presentation/age-claims';
import { parsePresentation } from '@symbolon/core/presentation/presentation-parsing';
import type { JsonObject } from '@symbolon/wire/json/json';
import { columns } from '../terminal/layout.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';
import { shownValue } from './party-commands.ts';

export interface ShownCredential {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly holder: string;
  readonly validFrom: string;
  readonly validUntil: string;
  readonly shared: Readonly<Record<string, AttributeValue>>;
  readonly proved: readonly RangeClaim[];
  /** Those of which the range is so narrow that it tells the value. */
  readonly told: readonly string[];
  readonly hidden: readonly string[];
}

/** Throws the fault `presentationMalformed`. */
export const presentedCredentials = (document: JsonObject): readonly ShownCredential[] =>
  shownIn(parsePresentation(document, zetrixProfile).presentation);

export const shownIn = ({ verifiableCredential }: Presentation): readonly ShownCredential[] =>
  verifiableCredential.map(({ credentialSubject, credentialSchema, proof, ...frame }) => {
    const { id: holder, ...shared } = credentialSubject;
    const proved = proof.ranges ?? [];
    const spokenOf = new Set([...Object.keys(shared), ...proved.map(({ attribute }) => attribute)]);
    return {
      id: frame.id,
      name: frame.type[1] ?? '',
      issuer: frame.issuer,
      holder,
      validFrom: frame.validFrom,
      validUntil: frame.validUntil,
      shared,
      proved,
      told: toldBy(credentialSchema.attributes, proved),
      hidden: credentialSchema.attributes.map(({ key }) => key).filter((key) => !spokenOf.has(key)),
    };
  });

/** Attributes whose value is told by the range that is proved of them. */
export const toldBy = (
  attributes: readonly SignedAttribute[],
  proved: readonly RangeClaim[],
): readonly string[] =>
  attributes.flatMap((attribute) => {
    const claim = proved.find((one) => one.attribute === attribute.key);
    const range = claim && readRange(attribute, claim);
    return range && !isComplaint(range) && isTellingRange(attribute, range) ? [attribute.key] : [];
  });

/** As in `18..150`, with an open side left out. */
export const rangeText = ({ min, max }: RangeClaim): string => `${min ?? ''}..${max ?? ''}`;

/** What a range over a date of birth says of the age today, since nobody reads that off its days. */
function ageText(range: RangeClaim): string | undefined {
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const age = isBirthKey(range.attribute) ? agesWithin(range, today) : undefined;
  return age && ageInWords(age);
}

function provedText(range: RangeClaim): string {
  const age = ageText(range);
  return `${range.attribute} in ${rangeText(range)}${age === undefined ? '' : `, so ${age}`}`;
}

export function contentLines(
  terminal: Terminal,
  { name, shared, proved, told, hidden, ...frame }: ShownCredential,
): readonly string[] {
  const rows = [
    ['credential', printable(name)],
    ['issuer', frame.issuer],
    ['holder', frame.holder],
    ['valid', `${frame.validFrom} to ${frame.validUntil}`],
    ...Object.entries(shared).map(([key, value]) => ['shared', `${printable(key)} = ${shownValue(value)}`]),
    ...proved.map((range) => [
      'proved',
      `${provedText(range)}${told.includes(range.attribute) ? ', which tells the value' : ''}`,
    ]),
    ['hidden', hidden.length === 0 ? 'nothing' : hidden.join(', ')],
  ];
  return columns(
    terminal,
    rows.map(([what = '', text = '']) => [`  ${what}`, text]),
  );
}

/** For programs: the same members; `told` and ages only where there are some. */
export const contentJson = ({ proved, told, hidden, ...shown }: ShownCredential): JsonObject =>
  ({
    ...shown,
    proved: proved.map((range) => ({ ...range, ...given({ inWords: ageText(range) }) })),
    ...(told.length > 0 && { told }),
    hidden,
  }) as unknown as JsonObject;
