/** A verifier's wishes as the query that wallets read (DCQL, `docs/verification.md`). */

import type { JsonObject } from '@symbolon/wire/json/json';
import type { Command } from 'commander';
import { namesOption, type RangeWord, ranges } from '../../credentials/disclosure-options.ts';
import { usageFailure } from '../../terminal/failure.ts';

export interface QueryWords {
  readonly ask?: readonly string[];
  readonly range?: readonly RangeWord[];
}

export const addQueryOptions = (command: Command): Command =>
  command
    .option(
      '--ask <names>',
      'attributes to be shown: names with commas between them; repeatable',
      namesOption,
    )
    .option('--range <name:min..max>', 'a number or date in a range, without its value; repeatable', ranges);

/** What is asked of one credential: of a template, or of any that can answer. */
export function queryOf({ ask = [], range = [] }: QueryWords, templateId: string | undefined): JsonObject {
  const twice = range.find(({ attribute }) => ask.includes(attribute));
  if (twice)
    throw usageFailure(
      `${twice.attribute} is asked for twice.\nWhoever sees the value needs no range of it.\nLeave one out.`,
    );
  if (ask.length === 0 && range.length === 0 && templateId === undefined)
    throw usageFailure('Nothing is asked for.\nSay --ask NAME, --range NAME:MIN..MAX or --template ID.');
  const claims = [
    ...ask.map((name) => ({ path: ['credentialSubject', name] })),
    ...range.map(({ attribute, min, max }) => ({
      path: ['credentialSubject', attribute],
      constraints: {
        ...(min !== undefined && { minimum: bound(min) }),
        ...(max !== undefined && { maximum: bound(max) }),
      },
    })),
  ];
  return { credentials: [{ id: templateId ?? 'credential', format: 'ldp_vc', claims }] };
}

/** Numbers as numbers, because wallets compare them so; dates and long decimals as text. */
const bound = (text: string): string | number =>
  /^-?(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : text;
