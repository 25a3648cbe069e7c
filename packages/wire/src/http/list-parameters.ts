/** What lists that grow with time are asked for: which end first, and what was made when. */
import { parseDate, unixMsOf } from '@symbolon/core/basics/calendar';
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { text } from './schema-parts.ts';

/** A day stands for its beginning. */
const momentMs = (given: string): number | undefined =>
  unixMsOf(parseDate(given) ? `${given}T00:00:00Z` : given.replace(/\.[0-9]{1,9}(?=[Zz+-])/, ''));

const moment = text(limits.nameCharsMax).transform((given, context) => {
  const ms = momentMs(given.trim());
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: 'must be a date such as 2030-12-31 or 2030-12-31T23:59:59Z' });
  return z.NEVER;
});

export const listParameters = {
  order: z
    .enum(['newest', 'oldest'], { error: 'must be newest or oldest' })
    .optional()
    .describe('Which end of the list comes first; a cursor goes on in the order that it is asked in'),
  from: moment
    .optional()
    .describe('Only those made at this time or later: a date, or an instant of RFC 3339'),
  before: moment.optional().describe('Only those made before this time: a date, or an instant of RFC 3339'),
};

interface GivenList {
  readonly order?: 'newest' | 'oldest';
  readonly from?: number;
  readonly before?: number;
}

/** `usual` is what comes first where nothing is said. */
export const readList = ({ order, from, before }: GivenList, usual: 'newest' | 'oldest') => ({
  isNewestFirst: (order ?? usual) === 'newest',
  from,
  before,
});
