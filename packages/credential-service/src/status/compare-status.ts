/**
 * What the service knows of a credential's status against what the ledger says. Where they differ, either the ledger has
 * gone on since and its word is the newer one, or it has lost what the service saw it execute: which of the two it is
 * says the transaction that set the status here.
 */
import { credentialMove } from '@symbolon/core/credential/application-states';
import { Fault } from '@symbolon/core/faults/faults';
import type { RegistryEntry } from '@symbolon/wire/credentials/registry-records';
import type { CredentialState, Queries, StatusChangeKind } from '../database/schema.ts';
import type { CredentialSummary } from '../issuance/credential-rows.ts';
import type { CredentialLedger } from '../ledger/credential-ledger.ts';
import { statusHistory } from './status-change-rows.ts';

type OwedState = Pick<CredentialSummary, 'owedChange' | 'owedAtSeq'>;
type SeenEntry = Pick<RegistryEntry, 'status' | 'changedInLedgerSeq' | 'changedAtMicros' | 'issuedAtMicros'>;

/** Of an entry that is recorded anew. */
const statusOf = (entry: SeenEntry | undefined): CredentialState => entry?.status ?? 'active';

/**
 * The change that is owed, unless the ledger has it, or its issuer has acted on the ledger since. A revocation is for
 * good: nothing but itself ends it. An entry that was recorded anew is no act of the issuer.
 */
export function stillOwed(
  { owedChange, owedAtSeq }: OwedState,
  entry: SeenEntry | undefined,
): StatusChangeKind | undefined {
  const status = statusOf(entry);
  if (owedChange === null || status === 'revoked' || status === credentialMove(owedChange).to)
    return undefined;
  const isActedOn =
    entry !== undefined &&
    owedAtSeq !== null &&
    entry.changedInLedgerSeq > owedAtSeq &&
    entry.changedAtMicros > entry.issuedAtMicros;
  return isActedOn && owedChange !== 'revoke' ? undefined : owedChange;
}

export interface ComparedStatus {
  readonly onLedger: CredentialState;
  /** What the ledger has lost; nothing where its word is the newer one. */
  readonly lost?: StatusChangeKind;
}

export interface StatusSources {
  readonly queries: Queries;
  readonly ledger: Pick<CredentialLedger, 'outcomeOf'>;
}

/** Undefined where both say the same. */
export async function compareStatus(
  { queries, ledger }: StatusSources,
  stored: OwedState & Pick<CredentialSummary, 'vcId' | 'status'>,
  entry: SeenEntry | undefined,
): Promise<ComparedStatus | undefined> {
  const onLedger = statusOf(entry);
  const owed = stillOwed(stored, entry);
  if (owed) return { onLedger, lost: owed };
  if (stored.owedChange !== null) return { onLedger };
  if (stored.status === onLedger) return undefined;
  if (stored.status === 'revoked') return { onLedger, lost: 'revoke' };
  const [last] = onLedger === 'revoked' ? [] : await statusHistory(queries, stored.vcId);
  // A status that no change here has set was the ledger's word already.
  if (!last || last.txHash === null || credentialMove(last.kind).to !== stored.status) return { onLedger };
  const outcome = await ledger.outcomeOf(last.txHash);
  if (outcome.kind === 'unknown') throw new Fault('ledgerUnreachable');
  if (outcome.kind === 'executed') return { onLedger };
  return { onLedger, lost: last.kind };
}
