/**
 * Applications for credentials and their states: pending, approved, submitting, issued, rejected (`spec/
 * credential-service.md`, "States and transitions"). Every move is one update with a condition on the state before, so
 * of many concurrent callers one wins and the others are told. When an application ends, what the holder gave is gone.
 */
import { type ApplicationState, applicationMove } from '@symbolon/core/credential/application-states';
import { recordLimits } from '@symbolon/core/limits/limits';
import { numberCursor, type Page, type PageRequest, pageLimit, pageOf } from '../database/paging.ts';
import type { Queries, RowOf, Sealed } from '../database/schema.ts';
import { isLeft } from '../database/workers.ts';

export type Application = RowOf<'applications'>;
export type ApplicationSummary = Omit<
  Application,
  | 'attributes'
  | 'draft'
  | 'submission'
  | 'rejectReason'
  | 'signatureHash'
  | 'applyMark'
  | 'submitMark'
  | 'worker'
  | 'submitAnsweredAt'
>;

export interface NewApplication {
  readonly vcId: string;
  readonly templateId: string;
  readonly templateVersion: string;
  readonly issuer: string;
  readonly holder: string;
  readonly attributes: Sealed;
  readonly signatureHash: string | null;
  readonly applyMark: string | null;
  readonly now: number;
}

/** False when this holder has a pending application for this template already, or one with this signature. */
export async function addApplication(queries: Queries, application: NewApplication): Promise<boolean> {
  const { now, ...given } = application;
  const row = await queries
    .insertInto('applications')
    .values({
      ...given,
      state: 'pending',
      draft: null,
      draftExpiresAt: null,
      submission: null,
      rejectReason: null,
      submitMark: null,
      worker: null,
      submitAnsweredAt: null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('vcId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findApplication(queries: Queries, vcId: string): Promise<Application | undefined> {
  return queries.selectFrom('applications').selectAll().where('vcId', '=', vcId).executeTakeFirst();
}

/** An application that came with this signature: one that was not issued, if there is any, else the last. */
export async function findSignedApplication(
  queries: Queries,
  {
    holder,
    templateId,
    signatureHash,
  }: Pick<Application, 'holder' | 'templateId'> & { signatureHash: string },
): Promise<Application | undefined> {
  return queries
    .selectFrom('applications')
    .selectAll()
    .where('holder', '=', holder)
    .where('templateId', '=', templateId)
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
  { holder, templateId }: Pick<Application, 'holder' | 'templateId'>,
): Promise<Application | undefined> {
  return queries
    .selectFrom('applications')
    .selectAll()
    .where('holder', '=', holder)
    .where('templateId', '=', templateId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
}

const summaryColumns = [
  'vcId',
  'templateId',
  'templateVersion',
  'issuer',
  'holder',
  'state',
  'draftExpiresAt',
  'createdAt',
  'updatedAt',
] as const;

export interface ApplicationSearch extends PageRequest {
  readonly issuer: string;
  readonly states?: readonly ApplicationState[];
  readonly templateId?: string;
}

/** An issuer's inbox, oldest first. */
export async function listApplications(
  queries: Queries,
  search: ApplicationSearch,
): Promise<Page<ApplicationSummary>> {
  const limit = pageLimit(search);
  const after = numberCursor(search);
  let query = queries.selectFrom('applications').select(summaryColumns).where('issuer', '=', search.issuer);
  if (search.states) query = query.where('state', 'in', search.states);
  if (search.templateId !== undefined) query = query.where('templateId', '=', search.templateId);
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('createdAt', 'vcId'), '>', tuple(after[0], after[1])),
    );
  const rows = await query
    .orderBy('createdAt')
    .orderBy('vcId')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.createdAt, row.vcId]);
}

export interface Approval {
  readonly vcId: string;
  readonly draft: Sealed;
  /** The draft that this one stands in for, as it was read; null for the first. */
  readonly replaces: Sealed | null;
  readonly now: number;
  readonly draftExpiresAt?: number;
}

/** Pending → approved, with the unsigned credential; or another draft for the one that the caller has seen. */
export async function approveApplication(queries: Queries, approval: Approval): Promise<boolean> {
  const { vcId, draft, replaces, now, draftExpiresAt = now + recordLimits.draftLifetimeMs } = approval;
  const row = await queries
    .updateTable('applications')
    .set({ state: 'approved', draft, draftExpiresAt, updatedAt: now })
    .where('vcId', '=', vcId)
    .where((eb) =>
      replaces === null
        ? eb('state', '=', 'pending')
        : eb.and([eb('state', '=', 'approved'), eb('draft', '=', replaces)]),
    )
    .returning('vcId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Has every draft that is not recorded yet made anew: what is put on the ledger of a credential has changed. */
export async function lapseDrafts(queries: Queries, now: number): Promise<void> {
  await queries
    .updateTable('applications')
    .set({ draftExpiresAt: now })
    .where('state', 'in', ['approved', 'submitting'])
    .execute();
}

export interface Rejection {
  readonly vcId: string;
  readonly reason: Sealed | null;
  readonly now: number;
}

/** Pending or approved → rejected. */
export async function rejectApplication(queries: Queries, rejection: Rejection): Promise<boolean> {
  const row = await queries
    .updateTable('applications')
    .set({
      state: applicationMove('reject').to,
      rejectReason: rejection.reason,
      attributes: null,
      draft: null,
      draftExpiresAt: null,
      updatedAt: rejection.now,
    })
    .where('vcId', '=', rejection.vcId)
    .where('state', 'in', applicationMove('reject').from)
    .returning('vcId')
    .executeTakeFirst();
  return row !== undefined;
}

export interface Submission {
  readonly vcId: string;
  /** What was signed: another draft may have come since it was read. */
  readonly draft: Sealed;
  /** The signed credential and what finishing it needs: all that recovery has. */
  readonly submission: Sealed;
  readonly submitMark: string | null;
  readonly worker: string;
  readonly now: number;
}

/** Approved → submitting, for one caller: written before the ledger is called. */
export async function beginSubmission(queries: Queries, given: Submission): Promise<boolean> {
  const row = await queries
    .updateTable('applications')
    .set({
      state: applicationMove('submit').to,
      submission: given.submission,
      submitMark: given.submitMark,
      worker: given.worker,
      updatedAt: given.now,
    })
    .where('vcId', '=', given.vcId)
    .where('state', 'in', applicationMove('submit').from)
    .where('draft', '=', given.draft)
    .where('draftExpiresAt', '>', given.now)
    .returning('vcId')
    .executeTakeFirst();
  return row !== undefined;
}

export type SubmittedApplication = Pick<
  Application,
  'vcId' | 'templateId' | 'templateVersion' | 'issuer' | 'holder'
> & { readonly submission: Sealed; readonly worker: string; readonly now: number };

/** An application that begins as submitted: everything about it was checked and signed before. */
export async function addSubmittedApplication(
  queries: Queries,
  { now, ...given }: SubmittedApplication,
): Promise<void> {
  const { submission, worker } = given;
  await queries
    .insertInto('applications')
    .values({
      ...given,
      state: 'submitting',
      attributes: null,
      draft: null,
      draftExpiresAt: null,
      rejectReason: null,
      signatureHash: null,
      applyMark: null,
      submitMark: null,
      submitAnsweredAt: null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('vcId')
        .doUpdateSet({ state: 'submitting', submission, worker, updatedAt: now })
        .where('applications.state', '=', 'approved'),
    )
    .execute();
}

/** Which submission of an application is meant: one that was abandoned may have been followed by another. */
export interface SubmissionStep {
  readonly vcId: string;
  readonly submission: Sealed;
  readonly now: number;
}

/** Submitting → approved: the ledger has not taken it and never will. */
export async function abandonSubmission(
  queries: Queries,
  { vcId, submission, now }: SubmissionStep,
): Promise<boolean> {
  const row = await queries
    .updateTable('applications')
    .set({
      state: applicationMove('recordFailed').to,
      submission: null,
      submitMark: null,
      worker: null,
      updatedAt: now,
    })
    .where('vcId', '=', vcId)
    .where('state', 'in', applicationMove('recordFailed').from)
    .where('submission', '=', submission)
    .returning('vcId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Submitting → issued. `addCredential` comes first: a crash between the two is mended by doing both again. */
export async function finishSubmission(queries: Queries, vcId: string, now: number): Promise<boolean> {
  const row = await queries
    .updateTable('applications')
    .set({
      state: applicationMove('recordIssued').to,
      attributes: null,
      draft: null,
      draftExpiresAt: null,
      submission: null,
      updatedAt: now,
    })
    .where('vcId', '=', vcId)
    .where('state', 'in', applicationMove('recordIssued').from)
    .returning('vcId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Submissions of processes that are gone and of this one, oldest first. */
export async function listLeftSubmissions(queries: Queries, worker: string): Promise<readonly Application[]> {
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
