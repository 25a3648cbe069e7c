/**
 * Whether a status may be changed, by the service's own record and by the ledger where that is newer. What the ledger
 * has lost of a status goes before what is done now, in the same transaction, where the ledger would refuse it otherwise:
 * so who has suspended a credential can reinstate it, whatever became of the suspension.
 */
import { assert } from '@symbolon/core/basics/assert';
import {
  credentialMove,
  mayActOnCredential,
  nextCredentialStatus,
} from '@symbolon/core/credential/application-states';
import { addressOfDid } from '@symbolon/core/did/did';
import type { StatusChangeKind } from '../database/schema.ts';
import type { CredentialSummary } from '../issuance/credential-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { compareStatus } from './compare-status.ts';
import { takeStatus } from './owed-rows.ts';

type Asked = Pick<ServiceParts, 'database' | 'ledger' | 'keys'>;

/** What is owed and has to go first; nothing where the change alone will do. Faults: statusForbids. */
export async function requireMove(
  parts: Asked,
  stored: CredentialSummary,
  act: StatusChangeKind,
): Promise<StatusChangeKind | undefined> {
  const { vcId, status, owedChange } = await asTheLedgerSays(parts, stored, act);
  if (owedChange === null || owedChange === act) {
    nextCredentialStatus(status, act, vcId);
    return undefined;
  }
  nextCredentialStatus(credentialMove(owedChange).to, act, vcId);
  return mayActOnCredential(status, act) ? undefined : owedChange;
}

/** The ledger is asked only where the record alone would refuse, or owes something. */
async function asTheLedgerSays(
  { database, ledger, keys }: Asked,
  stored: CredentialSummary,
  act: StatusChangeKind,
): Promise<Pick<CredentialSummary, 'vcId' | 'status' | 'owedChange'>> {
  const { vcId, issuer } = stored;
  if (stored.owedChange === null && mayActOnCredential(stored.status, act)) return stored;
  const address = addressOfDid(issuer, keys);
  assert(address, 'an issuer here has an address');
  const queries = database.kysely;
  const entry = await ledger.readEntry(address, vcId);
  const compared = entry && (await compareStatus({ queries, ledger }, stored, entry));
  if (!compared || compared.lost) return stored;
  const { onLedger: status } = compared;
  await takeStatus(queries, { vcId, status });
  return { vcId, status, owedChange: null };
}
