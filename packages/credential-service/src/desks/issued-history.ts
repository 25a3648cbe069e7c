/**
 * What was done to a credential: recorded, suspended, reinstated, revoked, by which transaction, in which block, and why
 * where the issuer said so. What the ledger has and this service has not done is told as well, without a transaction.
 */
import { type CredentialAct, credentialMove } from '@symbolon/core/credential/application-states';
import { changedAtOf } from '@symbolon/wire/credentials/registry-records';
import type { ServiceParts } from '../parts/service-parts.ts';
import { type StatusChangeRow, statusHistory } from '../status/status-change-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import type { StandingCredential, StatusBasis } from './ledgers-word.ts';

interface HistoryEntry {
  readonly act: 'issue' | CredentialAct;
  readonly at: string;
  readonly by: string;
  readonly txHash: string | null;
  readonly ledgerSeq: string | null;
  readonly reason?: string;
}

export async function historyOf(
  parts: Pick<ServiceParts, 'database' | 'ledger' | 'vault'>,
  credential: StandingCredential,
  { source }: StatusBasis,
): Promise<readonly HistoryEntry[]> {
  const { stored } = credential;
  const { vcId, issuer, anchorTx, anchorSeq, createdAt } = stored;
  const changes = await statusHistory(parts.database.kysely, vcId);
  const isAnswering = source === 'ledger';
  const [recorded, ...done] = await Promise.all([
    anchorSeq === null && isAnswering ? blockOf(parts, anchorTx) : anchorSeq,
    ...changes.map(({ txHash }) => (txHash !== null && isAnswering ? blockOf(parts, txHash) : null)),
  ]);
  const blockText = (seq: number | null | undefined): string | null =>
    seq === null || seq === undefined ? null : String(seq);
  const history = await Promise.all(
    changes.map(
      async (change, place): Promise<HistoryEntry> => ({
        act: change.kind,
        at: new Date(change.updatedAt).toISOString(),
        by: issuer,
        txHash: change.txHash,
        ledgerSeq: blockText(done[place]),
        ...(await reasonOf(parts, change)),
      }),
    ),
  );
  const issued: HistoryEntry = {
    act: 'issue',
    at: new Date(createdAt).toISOString(),
    by: issuer,
    txHash: anchorTx,
    ledgerSeq: blockText(recorded),
  };
  return [...doneElsewhere(credential, changes), ...history, issued];
}

/** Nothing where the ledger does not have it, or does not say. */
async function blockOf({ ledger }: Pick<ServiceParts, 'ledger'>, hash: string): Promise<number | null> {
  const outcome = await ledger.outcomeOf(hash);
  return outcome.kind === 'executed' ? Number(outcome.ledgerSeq) : null;
}

async function reasonOf(
  { vault }: Pick<ServiceParts, 'vault'>,
  { remark, blobId, vcId }: StatusChangeRow,
): Promise<{ readonly reason?: string }> {
  if (!remark) return {};
  const said = await vault.decryptDocument<{ readonly remark: string }>(
    remark,
    contexts.statusRemark(blobId, vcId),
  );
  return { reason: said.remark };
}

/** The last change of the ledger, where no change that was made here leads to its status. */
function doneElsewhere(
  { stored, entry }: StandingCredential,
  [last]: readonly StatusChangeRow[],
): readonly HistoryEntry[] {
  const before = last ? credentialMove(last.kind).to : 'active';
  const at = entry && changedAtOf(entry);
  if (!entry || !at || entry.status === before) return [];
  const act = entry.status === 'active' ? 'reinstate' : entry.status === 'revoked' ? 'revoke' : 'suspend';
  const ledgerSeq = entry.changedInLedgerSeq === undefined ? null : String(entry.changedInLedgerSeq);
  return [{ act, at, by: stored.issuer, txHash: null, ledgerSeq }];
}
