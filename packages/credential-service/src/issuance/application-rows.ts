/**
 * Applications for credentials and their states. Every move is one of core's table (`application-states.ts`), made by
 * one update with a condition on the state before: of many concurrent callers one wins and the others are told. When an
 * application ends, what the holder gave is gone.
 */
import {
  type ApplicationAct,
  type ApplicationState,
  applicationMove,
} from '@symbolon/core/credential/application-states';
import { submitLimits } from '@symbolon/core/limits/waiting';
import { sql } from 'kysely';
import { type MadeBetween, type Page, type PageRequest, pageInOrder } from '../database/paging.ts';
import type { Encrypted, Queries, RowOf } from '../database/schema.ts';
import { addOnce, hasRow, onlyCompared, rowBy } from '../database/statements.ts';
import { isLeft } from '../database/workers.ts';
import { recordLimits } from '../limits/service-limits.ts';

export type ApplicationRow = RowOf<'applications'>;
export type ApplicationSummary = Pick<ApplicationRow, (typeof summaryColumns)[number]>;

/** Who applies to whom for what. */
type ApplicationTerms = Pick<ApplicationRow, 'vcId' | 'templateId' | 'templateVersion' | 'issuer' | 'holder'>;

export type NewApplication = ApplicationTerms &
  Pick<ApplicationRow, 'signatureHash' | 'applyMark'> & {
    readonly attributes: Encrypted;
    readonly label: Encrypted | null;
    readonly offerId?: string;
    readonly now: number;
  };

/** False when this holder has a pending application for this template already, or one with this signature. */
export const addApplication = (queries: Queries, { now, ...given }: NewApplication): Promise<boolean> =>
  addOnce(queries, 'applications', { ...given, state: 'pending', createdAt: now, updatedAt: now });

/** A move of the table, for whoever comes first: no row where the application is in another state. */
function move(queries: Queries, vcId: string, act: ApplicationAct) {
  const { from, to } = applicationMove(act);
  return queries
    .updateTable('applications')
    .set({ state: to })
    .where('vcId', '=', vcId)
    .where('state', 'in', from)
    .returning('vcId');
}

export const findApplication = rowBy('applications', 'vcId');

type HolderAndTemplate = Pick<ApplicationRow, 'holder' | 'templateId'>;

const applicationsOf = (queries: Queries, { holder, templateId }: HolderAndTemplate) =>
  queries
    .selectFrom('applications')
    .selectAll()
    .where('holder', '=', holder)
    .where('templateId', '=', templateId);

/** An application that came with this signature: one that was not issued, if there is any, else the last. */
export async function findSignedApplication(
  queries: Queries,
  { signatureHash, ...whose }: HolderAndTemplate & { readonly signatureHash: string },
): Promise<ApplicationRow | undefined> {
  return applicationsOf(queries, whose)
    .where('signatureHash', '=', signatureHash)
    .orderBy((eb) => eb.case().when('state', '=', 'issued').then(1).else(0).end())
    .orderBy('createdAt', 'desc')
    .orderBy('vcId', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The one application that this holder may have pending for this template. */
export async function findPendingApplication(
  queries: Queries,
  whose: HolderAndTemplate,
): Promise<ApplicationRow | undefined> {
  return applicationsOf(queries, whose).where('state', '=', 'pending').executeTakeFirst();
}

const summaryColumns = [
  'vcId',
  'templateId',
  'templateVersion',
  'issuer',
  'holder',
  'state',
  'draftExpiresAt',
  'offerId',
  'label',
  'rejectReason',
  'createdAt',
  'updatedAt',
] as const;

interface ApplicationSearch extends PageRequest, MadeBetween {
  readonly issuer: string;
  readonly holder?: string;
  readonly states?: readonly ApplicationState[];
  readonly templateId?: string;
}

/** An issuer's inbox. Of one holder there are few, so by the holder they are found. */
export async function listApplications(
  queries: Queries,
  { issuer, holder, states, templateId, from, before, ...page }: ApplicationSearch,
): Promise<Page<ApplicationSummary>> {
  let query = queries.selectFrom('applications').select(summaryColumns).where('issuer', '=', issuer);
  const column = (name: 'state' | 'templateId') =>
    holder === undefined ? sql.ref(name) : onlyCompared(name);
  if (holder !== undefined) query = query.where('holder', '=', holder);
  if (states) query = query.where(column('state'), 'in', states);
  if (templateId !== undefined) query = query.where(column('templateId'), '=', templateId);
  if (from !== undefined) query = query.where('createdAt', '>=', from);
  if (before !== undefined) query = query.where('createdAt', '<', before);
  return pageInOrder(query, page, ['createdAt', 'vcId']);
}

/** What a holder has applied for, whoever the issuer is. */
export const listApplicationsOf = (
  queries: Queries,
  holder: string,
  page: PageRequest,
): Promise<Page<ApplicationSummary>> =>
  pageInOrder(queries.selectFrom('applications').select(summaryColumns).where('holder', '=', holder), page, [
    'createdAt',
    'vcId',
  ]);

/** How many applications of an issuer are in each state; a state without any is missing. */
export async function countApplications(
  queries: Queries,
  issuer: string,
): Promise<ReadonlyMap<ApplicationState, number>> {
  const rows = await queries
    .selectFrom('applications')
    .select(['state', (eb) => eb.fn.countAll<number | string>().as('count')])
    .where('issuer', '=', issuer)
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}

interface Approval {
  readonly vcId: string;
  readonly draft: Encrypted;
  /** The draft that this one stands in for, as it was read; null for the first. */
  readonly replaces: Encrypted | null;
  readonly now: number;
}

/** Pending → approved, with the unsigned credential; or another draft for the one that the caller has seen. */
export const approveApplication = (
  queries: Queries,
  { vcId, draft, replaces, now }: Approval,
): Promise<boolean> =>
  hasRow(
    move(queries, vcId, 'create')
      .set({ draft, draftExpiresAt: now + submitLimits.draftLifetimeMs, updatedAt: now })
      .where((eb) => (replaces === null ? eb('state', '=', 'pending') : eb('draft', '=', replaces))),
  );

/** Lets all open drafts lapse: entries have a new form, so they must be created again. */
export async function lapseDrafts(queries: Queries, now: number): Promise<void> {
  await queries
    .updateTable('applications')
    .set({ draftExpiresAt: now })
    .where('state', 'in', ['approved', 'submitting'])
    .execute();
}

/** An application that has ended keeps nothing of what it was about. */
const emptied = { attributes: null, label: null, draft: null, draftExpiresAt: null } as const;

/** Pending or approved → rejected. */
export const rejectApplication = (
  queries: Queries,
  { vcId, reason, now }: { readonly vcId: string; readonly reason: Encrypted | null; readonly now: number },
): Promise<boolean> =>
  hasRow(move(queries, vcId, 'reject').set({ ...emptied, rejectReason: reason, updatedAt: now }));

interface BegunSubmission {
  readonly vcId: string;
  /** What was signed: another draft may have come since it was read. */
  readonly draft: Encrypted;
  /** The signed credential and what finishing it needs: all that recovery has. */
  readonly submission: Encrypted;
  readonly submitMark: string | null;
  readonly worker: string;
  readonly now: number;
}

/** Approved → submitting, for one caller: written before the ledger is called. */
export const beginSubmission = (
  queries: Queries,
  { vcId, draft, now, ...begun }: BegunSubmission,
): Promise<boolean> =>
  hasRow(
    move(queries, vcId, 'submit')
      .set({ ...begun, updatedAt: now })
      .where('draft', '=', draft)
      .where('draftExpiresAt', '>', now),
  );

export type SubmittedApplication = ApplicationTerms & {
  readonly submission: Encrypted;
  readonly worker: string;
  readonly now: number;
};

/** An application that begins as submitted: everything about it was checked and signed before. */
export async function addSubmittedApplication(
  queries: Queries,
  { now, ...given }: SubmittedApplication,
): Promise<void> {
  const { submission, worker } = given;
  const { from, to: state } = applicationMove('submit');
  await queries
    .insertInto('applications')
    .values({ ...given, state, createdAt: now, updatedAt: now })
    .onConflict((conflict) =>
      conflict
        .column('vcId')
        .doUpdateSet({ state, submission, worker, updatedAt: now })
        .where('applications.state', 'in', from),
    )
    .execute();
}

/**
 * Submitting → approved: the ledger has not taken it and never will. Of this submission alone: one that was abandoned may
 * have been followed by another.
 */
export const abandonSubmission = (
  queries: Queries,
  { vcId, submission, now }: Pick<BegunSubmission, 'vcId' | 'submission' | 'now'>,
): Promise<boolean> =>
  hasRow(
    move(queries, vcId, 'recordFailed')
      .set({ submission: null, submitMark: null, worker: null, updatedAt: now })
      .where('submission', '=', submission),
  );

/** Submitting → issued. `addCredential` comes first: a crash between the two is mended by doing both again. */
export const finishSubmission = (queries: Queries, vcId: string, now: number): Promise<boolean> =>
  hasRow(move(queries, vcId, 'recordIssued').set({ ...emptied, submission: null, updatedAt: now }));

/** The offer that the application came from: accepted → issued or rejected. */
export async function decideOffer(
  queries: Queries,
  {
    vcId,
    state,
    now,
  }: { readonly vcId: string; readonly state: 'issued' | 'rejected'; readonly now: number },
): Promise<void> {
  await queries
    .updateTable('offers')
    .set({ state, updatedAt: now })
    .where('vcId', '=', vcId)
    .where('state', '=', 'accepted')
    .execute();
}

/** Submissions of processes that are gone and of this one, oldest first. */
export async function listLeftSubmissions(
  queries: Queries,
  worker: string,
): Promise<readonly ApplicationRow[]> {
  return queries
    .selectFrom('applications')
    .selectAll()
    .where('state', '=', 'submitting')
    .where((eb) => eb.or([eb('worker', '=', worker), isLeft('applications')]))
    .orderBy('updatedAt')
    .limit(recordLimits.batchRowsMax)
    .execute();
}

/** From now on this process records it. */
export async function adoptSubmission(queries: Queries, vcId: string, worker: string): Promise<void> {
  await queries
    .updateTable('applications')
    .set({ worker })
    .where('vcId', '=', vcId)
    .where('state', '=', 'submitting')
    .execute();
}

/** The submitter has the credential: whoever repeats the request without a key of its own is told that it was done. */
export async function markSubmitAnswered(queries: Queries, vcId: string, now: number): Promise<void> {
  await queries
    .updateTable('applications')
    .set({ submitAnsweredAt: now })
    .where('vcId', '=', vcId)
    .where('submitAnsweredAt', 'is', null)
    .execute();
}
