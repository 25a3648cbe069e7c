/** Which issued credentials are shown, as it stands in the address. What is not known there is left out, and told. */
import { listedIssuedStates } from '@symbolon/wire/desks/schemas';
import { readTypedDay } from '../../../text/typed-day.ts';
import type { FilterRules } from '../../../text/unread-filters.ts';
import { didIn } from '../applications/inbox-search.ts';

export interface IssuedSearch {
  readonly status: (typeof listedIssuedStates)[number] | undefined;
  readonly template: string | undefined;
  readonly holder: string | undefined;
  /** Days, as `YYYY-MM-DD`. */
  readonly from: string | undefined;
  readonly before: string | undefined;
}

const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? readTypedDay(value) : undefined;

const isDid = (value: string): boolean => didIn(value) !== undefined;
const isDay = (value: string): boolean => dayIn(value) !== undefined;

export const issuedRules: FilterRules = {
  status: listedIssuedStates,
  template: isDid,
  holder: isDid,
  from: isDay,
  before: isDay,
};

export const readIssuedSearch = (given: Readonly<Record<string, unknown>>): IssuedSearch => ({
  status: listedIssuedStates.find((state) => state === given.status),
  template: didIn(given.template),
  holder: didIn(given.holder),
  from: dayIn(given.from),
  before: dayIn(given.before),
});

/** For the address, and to see whether anything is filtered. */
export const writeIssuedSearch = (search: IssuedSearch): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );

/** As the service is asked. */
export function issuedQuestion({ template, ...search }: IssuedSearch) {
  const { status, holder, from, before } = search;
  return {
    ...(status !== undefined && { status }),
    ...(template !== undefined && { templateId: template }),
    ...(holder !== undefined && { holder }),
    ...(from !== undefined && { from }),
    ...(before !== undefined && { before }),
  };
}
