/** A verifier's wishes as the query that wallets read (DCQL, `docs/verification.md`). */

import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { ageRange } from '@symbolon/core/attributes/attribute-ranges';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Command } from 'commander';
import {
  type AgeWord,
  ages,
  namesOption,
  type RangeWord,
  ranges,
} from '../../credentials/disclosure-options.ts';
import { usageFailure } from '../../terminal/failure.ts';

export interface QueryWords {
  readonly ask?: readonly string[];
  readonly range?: readonly RangeWord[];
  readonly age?: readonly AgeWord[];
}

export const addQueryOptions = (command: Command): Command =>
  command
    .option(
      '--ask <names>',
      'attributes to be shown: names with commas between them; repeatable',
      namesOption,
    )
    .option('--range <name:min..max>', 'a number or date in a range, without its value; repeatable', ranges)
    .option('--age <name:years..years>', 'an age by a date of birth, without the date; repeatable', ages);

/** Every attribute that is asked for, in whatever way. */
export const askedNames = ({ ask = [], range = [], age = [] }: QueryWords): readonly string[] => [
  ...ask,
  ...[...range, ...age].map(({ attribute }) => attribute),
];

/** What is asked of one credential: of a template, or of any that can answer. Ages count as of `today`. */
export function queryOf(words: QueryWords, templateId: string | undefined, today: string): JsonObject {
  const { ask = [], range = [], age = [] } = words;
  const names = askedNames(words);
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined)
    throw usageFailure(
      `${twice} is asked for twice.\nWhoever sees the value needs no range of it, and of two ranges one is enough.\nLeave one out.`,
    );
  if (names.length === 0 && templateId === undefined)
    throw usageFailure(
      'Nothing is asked for.\nSay --ask NAME, --range NAME:MIN..MAX, --age NAME:YEARS.. or --template ID.',
    );
  const bounded = [...range, ...age.map((word) => birthsOf(word, today))];
  const claims = [
    ...ask.map((name) => ({ path: ['credentialSubject', name] })),
    ...bounded.map(({ attribute, min, max }) => ({
      path: ['credentialSubject', attribute],
      constraints: {
        ...(min !== undefined && { minimum: bound(min) }),
        ...(max !== undefined && { maximum: bound(max) }),
      },
    })),
  ];
  return { credentials: [{ id: templateId ?? 'credential', format: 'ldp_vc', claims }] };
}

/** The days of birth of those who are so old today. */
function birthsOf({ attribute, minAge, maxAge }: AgeWord, today: string): RangeWord {
  const births = ageRange(minAge, maxAge, today);
  if (isComplaint(births))
    throw usageFailure(`Nobody was asked.\nThe age by ${attribute} ${births.complaint}.\nSay another one.`);
  return { attribute, ...births };
}

/** Numbers as numbers, because wallets compare them so; dates and long decimals as text. */
const bound = (text: string): string | number =>
  /^-?(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : text;
