/** Filters of this desk as they stand in the URL. What nobody knows falls back, so that an old link still opens, and is told. */
import { auditActions } from '@symbolon/wire/credentials/audit-actions';
import type { FilterRules } from '../../text/unread-filters.ts';

export type RequestOutcome = 'all' | 'refused';

const textOf = (value: unknown, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined;

type Search = Readonly<Record<string, unknown>>;

const keyForm = /^[a-z2-7]{8}$/;
const subjectForm = /^.{1,256}$/;

export const requestRules: FilterRules = {
  key: (value) => keyForm.test(value),
  outcome: ['all', 'refused'],
  own: ['true', 'false'],
};

export const auditRules: FilterRules = { action: auditActions, subject: (value) => subjectForm.test(value) };

export const readRequestSearch = ({ key, outcome, own }: Search) => ({
  key: textOf(key, keyForm),
  outcome: (outcome === 'refused' ? 'refused' : 'all') as RequestOutcome,
  /** Whether what the console asks by itself is listed, too. */
  own: own === true || own === 'true',
});
export type RequestSearch = ReturnType<typeof readRequestSearch>;

/** Asked by the console of its own accord, on every page: nobody looks for these. */
const housekeeping: ReadonlySet<string> = new Set([
  'getSignedIn',
  'getConsoleConfig',
  'listProfiles',
  'countIssuerRecords',
  'listRequests',
  'listApiKeys',
  'watchEvents',
  'watchBlocks',
]);

/** Calls that a search is for. What was refused is never left out. */
export const isListed = (
  { operation, status }: { readonly operation: string; readonly status: number },
  { outcome, own }: Pick<RequestSearch, 'outcome' | 'own'>,
): boolean => status >= 400 || (outcome === 'all' && (own || !housekeeping.has(operation)));

/** Action and subject of an entry of the audit log. */
export const readAuditSearch = ({ action, subject }: Search) => ({
  action: auditActions.find((one) => one === action),
  subject: textOf(subject, subjectForm),
});
