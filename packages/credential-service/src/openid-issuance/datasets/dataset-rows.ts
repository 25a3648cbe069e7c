/**
 * Datasets and their states, which are those of an application: every move is one update with a condition on the state
 * before, so of many that sign, reject or record at the same time one wins.
 */
import { applicationMove } from '@symbolon/core/credential/application-states';
import type { Encrypted, Queries, RowOf } from '../../database/schema.ts';
import { addOnce, hasRow, rowBy } from '../../database/statements.ts';
import { isLeft } from '../../database/workers.ts';
import { recordLimits } from '../../limits/service-limits.ts';

export type DatasetRow = RowOf<'openidDatasets'>;

export type NewDataset = Pick<
  DatasetRow,
  'vcId' | 'issuer' | 'templateId' | 'templateVersion' | 'digest' | 'signature'
> & { readonly contents: Encrypted; readonly now: number };

/** One that is signed already is approved with that. */
export const addDataset = (queries: Queries, { now, ...given }: NewDataset): Promise<boolean> =>
  addOnce(queries, 'openidDatasets', {
    ...given,
    state: given.signature === null ? 'pending' : 'approved',
    createdAt: now,
    updatedAt: now,
  });

export const findDataset = rowBy('openidDatasets', 'vcId');

const move = (queries: Queries, vcId: string, act: Parameters<typeof applicationMove>[0]) => {
  const { from, to: state } = applicationMove(act);
  return queries
    .updateTable('openidDatasets')
    .set({ state })
    .where('vcId', '=', vcId)
    .where('state', 'in', from)
    .returning('vcId');
};

interface Moment {
  readonly vcId: string;
  readonly now: number;
}

/** Pending → approved; one that is signed stays signed as it was. */
export const approveDataset = (
  queries: Queries,
  { vcId, signature, now }: Moment & { readonly signature: string },
): Promise<boolean> =>
  hasRow(move(queries, vcId, 'create').set({ signature, updatedAt: now }).where('signature', 'is', null));

/** Pending or approved → rejected: nothing of what it said stays. */
export const rejectDataset = (
  queries: Queries,
  { vcId, reason, now }: Moment & { readonly reason: Encrypted | null },
): Promise<boolean> =>
  hasRow(move(queries, vcId, 'reject').set({ contents: null, rejectReason: reason, updatedAt: now }));

/** Approved → submitting: from now on this process records it. */
export const beginRecording = (
  queries: Queries,
  { vcId, worker, now }: Moment & { readonly worker: string },
): Promise<boolean> => hasRow(move(queries, vcId, 'submit').set({ worker, updatedAt: now }));

/** Submitting → approved: the ledger certainly has not taken it from this process, and nobody else is at it. */
export const abandonRecording = (
  queries: Queries,
  { vcId, worker, now }: Moment & { readonly worker: string },
): Promise<boolean> =>
  hasRow(
    move(queries, vcId, 'recordFailed').where('worker', '=', worker).set({ worker: null, updatedAt: now }),
  );

/** Submitting → issued. */
export const finishRecording = (queries: Queries, { vcId, now }: Moment): Promise<boolean> =>
  hasRow(move(queries, vcId, 'recordIssued').set({ worker: null, updatedAt: now }));

/** What processes that are gone were recording, and this one, oldest first. */
export async function listLeftRecordings(queries: Queries, worker: string): Promise<readonly DatasetRow[]> {
  return queries
    .selectFrom('openidDatasets')
    .selectAll()
    .where('state', '=', 'submitting')
    .where((eb) => eb.or([eb('worker', '=', worker), isLeft('openidDatasets')]))
    .orderBy('updatedAt')
    .limit(recordLimits.batchRowsMax)
    .execute();
}

/** From now on this process records it. */
export async function adoptRecording(queries: Queries, vcId: string, worker: string): Promise<void> {
  await queries
    .updateTable('openidDatasets')
    .set({ worker })
    .where('vcId', '=', vcId)
    .where('state', '=', 'submitting')
    .execute();
}
