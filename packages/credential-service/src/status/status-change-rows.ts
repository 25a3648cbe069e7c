/**
 * Revocation, suspension and reinstatement, of one credential or many by one blob. While a change is on its way to the
 * ledger its credentials carry the blob's id, set by one conditional update: no two changes of a credential are under
 * way at the same time. Each step can be repeated after a crash.
 */
import { assert } from '@symbolon/core/basics/assert';
import {
  type CredentialAct,
  credentialActs,
  credentialMove,
} from '@symbolon/core/credential/application-states';
import type { Queries, RowOf } from '../database/schema.ts';
import { deleteBatch } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { payOwedChanges } from './owed-rows.ts';

export type StatusChangeRow = RowOf<'statusChanges'>;

interface NewStatusChanges {
  readonly blobId: string;
  readonly kind: CredentialAct;
  readonly credentials: readonly Pick<StatusChangeRow, 'vcId' | 'remark' | 'remarkHash'>[];
  readonly now: number;
}

export async function prepareStatusChanges(queries: Queries, given: NewStatusChanges): Promise<void> {
  const { blobId, kind, credentials, now } = given;
  assert(credentials.length > 0, 'a blob changes at least one status');
  await queries
    .insertInto('statusChanges')
    .values(
      credentials.map((credential) => ({
        ...credential,
        blobId,
        kind,
        state: 'prepared' as const,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .execute();
}

interface StatusChangeStep {
  readonly blobId: string;
  readonly now: number;
}

/** Takes all credentials of a prepared blob, or none: false when one is in the wrong status or being changed. */
export async function beginStatusChanges(
  queries: Queries,
  { blobId, now }: StatusChangeStep,
): Promise<boolean> {
  const changes = await listStatusChanges(queries, blobId);
  const [first] = changes;
  if (!first) return false;
  const vcIds = changes.map(({ vcId }) => vcId);
  const taken = await queries
    .updateTable('credentials')
    .set({ changeBlobId: blobId, updatedAt: now })
    .where('vcId', 'in', vcIds)
    .where('changeBlobId', 'is', null)
    .where(({ eb, or, and }) =>
      or([
        and([eb('owedChange', 'is', null), eb('status', 'in', credentialMove(first.kind).from)]),
        eb('owedChange', 'in', owedChangesBefore(first.kind)),
      ]),
    )
    .returning('vcId')
    .execute();
  if (taken.length === changes.length) return true;
  // Only what this call took: a repeat of a change that is under way must not free its credentials.
  const own = taken.map(({ vcId }) => vcId);
  if (own.length > 0)
    await queries
      .updateTable('credentials')
      .set({ changeBlobId: null })
      .where('vcId', 'in', own)
      .where('changeBlobId', '=', blobId)
      .execute();
  return false;
}

/** What may be owed for an act to be made: the act itself, and what it follows upon. */
const owedChangesBefore = (act: CredentialAct): readonly CredentialAct[] =>
  credentialActs.filter((owed) => owed === act || credentialMove(act).from.includes(credentialMove(owed).to));

/** Lets the credentials go again: the ledger has not taken the change. */
export async function releaseStatusChanges(
  queries: Queries,
  { blobId, now }: StatusChangeStep,
): Promise<void> {
  await queries
    .updateTable('credentials')
    .set({ changeBlobId: null, updatedAt: now })
    .where('changeBlobId', '=', blobId)
    .execute();
}

/** The ledger has taken it: new statuses, and the transaction that set them. Answers the credentials that changed. */
export async function finishStatusChanges(
  queries: Queries,
  { blobId, txHash, now }: StatusChangeStep & { readonly txHash: string },
): Promise<readonly string[]> {
  const [first] = await listStatusChanges(queries, blobId);
  if (!first) return [];
  await queries
    .updateTable('statusChanges')
    .set({ state: 'done', txHash, updatedAt: now })
    .where('blobId', '=', blobId)
    .execute();
  const changed = await queries
    .updateTable('credentials')
    .set({ status: credentialMove(first.kind).to, changeBlobId: null, updatedAt: now })
    .where('changeBlobId', '=', blobId)
    .returning('vcId')
    .execute();
  const vcIds = changed.map(({ vcId }) => vcId);
  await payOwedChanges(queries, { vcIds, kind: first.kind });
  return vcIds;
}

export async function listStatusChanges(
  queries: Queries,
  blobId: string,
): Promise<readonly StatusChangeRow[]> {
  return queries
    .selectFrom('statusChanges')
    .selectAll()
    .where('blobId', '=', blobId)
    .orderBy('vcId')
    .limit(recordLimits.batchRowsMax)
    .execute();
}

/** What happened to one credential, newest first. */
export async function statusHistory(queries: Queries, vcId: string): Promise<readonly StatusChangeRow[]> {
  return queries
    .selectFrom('statusChanges')
    .selectAll()
    .where('vcId', '=', vcId)
    .where('state', '=', 'done')
    .orderBy('updatedAt', 'desc')
    .orderBy('blobId')
    .limit(recordLimits.pageRowsMax)
    .execute();
}

/** Status changes that were prepared and whose blob is gone. */
export const sweepStatusChanges = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'statusChanges', {
    key: 'blobId',
    first: 'createdAt',
    where: ({ eb, and, not, exists, selectFrom }) =>
      and([
        eb('state', '=', 'prepared'),
        eb('createdAt', '<=', now - recordLimits.lapsedKeptMs),
        not(exists(selectFrom('blobs').select('id').whereRef('blobs.id', '=', 'statusChanges.blobId'))),
      ]),
  });
