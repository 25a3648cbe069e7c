/**
 * Revocation, suspension and reinstatement, of one credential or many by one blob. While a change is on its way to the
 * ledger its credentials carry the blob's id, set by one conditional update: no two changes of a credential are under
 * way at the same time. Each step can be repeated after a crash.
 */
import { assert } from '@symbolon/core/assert';
import { credentialMove } from '@symbolon/core/credential/application-states';
import { recordLimits } from '@symbolon/core/limits';
import {
  type CredentialState,
  type Queries,
  type RowOf,
  type Sealed,
  type StatusChangeKind,
  statusChangeKinds,
} from './schema.ts';

export type StatusChange = RowOf<'statusChanges'>;

export interface NewStatusChanges {
  readonly blobId: string;
  readonly kind: StatusChangeKind;
  readonly credentials: readonly {
    readonly vcId: string;
    readonly remark: Sealed | null;
    readonly remarkHash: string | null;
  }[];
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
        txHash: null,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .execute();
}

export interface StatusChangeStep {
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
  const taken = await queries
    .updateTable('credentials')
    .set({ changeBlobId: blobId, updatedAt: now })
    .where(
      'vcId',
      'in',
      changes.map(({ vcId }) => vcId),
    )
    .where('changeBlobId', 'is', null)
    .where('status', 'in', credentialMove(first.kind).from)
    .returning('vcId')
    .execute();
  if (taken.length === changes.length) return true;
  // Only what this call took: a repeat of a change that is under way must not free its credentials.
  if (taken.length > 0)
    await queries
      .updateTable('credentials')
      .set({ changeBlobId: null })
      .where(
        'vcId',
        'in',
        taken.map(({ vcId }) => vcId),
      )
      .where('changeBlobId', '=', blobId)
      .execute();
  return false;
}

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

/** The ledger has taken it: new statuses, and who to ask about it. Answers the credentials that changed. */
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

export interface OwedChanges {
  readonly vcIds: readonly string[];
  readonly kind: StatusChangeKind;
}

/** What was owed is done; a revocation is more than anything that may be owed. */
export async function payOwedChanges(queries: Queries, { vcIds, kind }: OwedChanges): Promise<void> {
  if (vcIds.length === 0) return;
  const paid = kind === 'revoke' ? statusChangeKinds : [kind];
  await queries
    .updateTable('credentials')
    .set({ owedChange: null })
    .where('vcId', 'in', vcIds)
    .where('owedChange', 'in', paid)
    .execute();
}

/** The ledger's word, where it says more than the service knows. */
export async function takeStatus(
  queries: Queries,
  { vcId, status }: { readonly vcId: string; readonly status: CredentialState },
): Promise<void> {
  await queries.updateTable('credentials').set({ status }).where('vcId', '=', vcId).execute();
  if (status === 'revoked') await payOwedChanges(queries, { vcIds: [vcId], kind: 'revoke' });
  if (status === 'suspended') await payOwedChanges(queries, { vcIds: [vcId], kind: 'suspend' });
}

/** The ledger has lost this change, and cannot be given it again: its issuer has to make it anew. */
export async function oweChange(
  queries: Queries,
  { vcIds, kind, status }: OwedChanges & { readonly status: CredentialState },
): Promise<void> {
  await queries
    .updateTable('credentials')
    .set({ owedChange: kind, status })
    .where('vcId', 'in', vcIds)
    .execute();
}

export async function listStatusChanges(queries: Queries, blobId: string): Promise<readonly StatusChange[]> {
  return queries
    .selectFrom('statusChanges')
    .selectAll()
    .where('blobId', '=', blobId)
    .orderBy('vcId')
    .limit(recordLimits.batchRowsMax)
    .execute();
}

/** What happened to one credential, newest first. */
export async function statusHistory(queries: Queries, vcId: string): Promise<readonly StatusChange[]> {
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
