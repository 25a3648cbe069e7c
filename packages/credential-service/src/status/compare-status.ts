/**
 * What the service knows of a credential's status against what the ledger says, and whether the status may be changed.
 * Where the two differ, either the ledger has gone on since and its word is the newer one, or it has lost what the
 * service saw it execute: which of the two it is says the transaction that set the status here.
 */
import { assert } from '@symbolon/core/basics/assert';
import {
  type CredentialAct,
  credentialMove,
  mayActOnCredential,
  nextCredentialStatus,
  type RecordedStatus,
} from '@symbolon/core/credential/application-states';
import { Fault } from '@symbolon/core/faults/faults';
import type { RegistryEntry } from '@symbolon/wire/credentials/registry-records';
import { addressOfIssuer } from '../access/signatures.ts';
import type { Queries } from '../database/schema.ts';
import type { CredentialSummary } from '../issuance/credential-rows.ts';
import type { CredentialLedger } from '../ledger/credential-ledger.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { takeStatus } from './owed-rows.ts';
import { statusHistory } from './status-change-rows.ts';

type OwedState = Pick<CredentialSummary, 'owedChange' | 'owedAtSeq'>;
type SeenEntry = Pick<RegistryEntry, 'status' | 'changedInLedgerSeq' | 'changedAtMicros' | 'issuedAtMicros'>;

/** A missing entry counts as active: that is how it would be recorded again. */
const statusOf = (entry: SeenEntry | undefined): RecordedStatus => entry?.status ?? 'active';

/**
 * The change that is owed, unless the ledger has it, or its issuer has acted on the ledger since. A revocation is for
 * good: nothing but itself ends it. An entry that was recorded anew is no act of the issuer.
 */
export function stillOwed(
  { owedChange, owedAtSeq }: OwedState,
  entry: SeenEntry | undefined,
): CredentialAct | undefined {
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
  readonly onLedger: RecordedStatus;
  /** What the ledger has lost; nothing where its word is the newer one. */
  readonly lost?: CredentialAct;
}

/** Undefined where both say the same. */
export async function compareStatus(
  { queries, ledger }: { readonly queries: Queries; readonly ledger: Pick<CredentialLedger, 'outcomeOf'> },
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

type LedgerAndRecords = Pick<ServiceParts, 'database' | 'ledger' | 'keys'>;

/**
 * Whether statuses may be changed, by the service's own record and by the ledger where that is newer; throws
 * `statusForbids`. Answers what the ledger has lost and has to have first, by the same transaction: so who has suspended
 * a credential can reinstate it, whatever became of the suspension. Nothing where the change alone will do: only
 * revocations are of many at once, and nothing has to go before one.
 */
export async function requireMoves(
  parts: LedgerAndRecords,
  credentials: readonly CredentialSummary[],
  act: CredentialAct,
): Promise<CredentialAct | undefined> {
  const before: CredentialAct[] = [];
  for (const credential of credentials) before.push(...(await requireMove(parts, credential, act)));
  assert(
    before.length === 0 || credentials.length === 1,
    'what is owed goes before the change of one credential',
  );
  return before[0];
}

async function requireMove(
  parts: LedgerAndRecords,
  stored: CredentialSummary,
  act: CredentialAct,
): Promise<readonly CredentialAct[]> {
  const { vcId, status, owedChange } = await takeLedgersWord(parts, stored, act);
  if (owedChange === null || owedChange === act) {
    nextCredentialStatus(status, act, vcId);
    return [];
  }
  nextCredentialStatus(credentialMove(owedChange).to, act, vcId);
  return mayActOnCredential(status, act) ? [] : [owedChange];
}

/** The ledger is asked only where the record alone would refuse, or owes something. */
async function takeLedgersWord(
  { database, ledger, keys }: LedgerAndRecords,
  stored: CredentialSummary,
  act: CredentialAct,
): Promise<Pick<CredentialSummary, 'vcId' | 'status' | 'owedChange'>> {
  const { vcId, issuer } = stored;
  if (stored.owedChange === null && mayActOnCredential(stored.status, act)) return stored;
  const queries = database.kysely;
  const entry = await ledger.readEntry(addressOfIssuer(issuer, keys), vcId);
  const compared = entry && (await compareStatus({ queries, ledger }, stored, entry));
  if (!compared || compared.lost) return stored;
  const { onLedger: status } = compared;
  await takeStatus(queries, { vcId, status });
  return { vcId, status, owedChange: null };
}
