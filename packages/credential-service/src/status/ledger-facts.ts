/**
 * What the ledger says about a credential at its head: the registry's entry, and the template. A ledger that gives no
 * answer is a fault, never a fact.
 */
import { credentialMove } from '@symbolon/core/credential/application-states';
import { addressOfDid } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import type { RecordedTemplate } from '@symbolon/core/presentation/ledger-terms';
import {
  type CountingEntry,
  type RegistryEntry,
  recordedTemplateOf,
} from '@symbolon/wire/credentials/registry-records';
import type { Queries } from '../database/schema.ts';
import { type CredentialSummary, findCredentials } from '../issuance/credential-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { stillOwed } from './compare-status.ts';
import { statusHistory } from './status-change-rows.ts';

/**
 * The ledger's entry; what the ledger has lost of its status and cannot be given again counts all the same. Faults:
 * ledgerChanged where it has lost the entry. Times and blocks of the ledger are those of what it has: of a lost change the
 * time is the service's.
 */
export async function readEntryAsOwed(
  { ledger, database, keys }: Pick<ServiceParts, 'ledger' | 'database' | 'keys'>,
  { address, vcId }: { readonly address: string; readonly vcId: string },
): Promise<CountingEntry | undefined> {
  const entry = await ledger.readEntry(address, vcId);
  if (entry?.status === 'revoked') return entry;
  const [stored] = await findCredentials(database.kysely, [vcId]);
  if (!stored || addressOfDid(stored.issuer, keys) !== address) return entry;
  // It was recorded before it was stored here: whoever holds it has done nothing wrong.
  if (!entry)
    throw new Fault('ledgerChanged', { detail: 'The ledger has lost the record of this credential' });
  return countAsOwed(database.kysely, stored, entry);
}

/** The same of an entry that was read, and of a credential that is stored here. */
export async function countAsOwed(
  queries: Queries,
  stored: CredentialSummary,
  entry: RegistryEntry,
): Promise<CountingEntry> {
  if (entry.status === 'revoked') return entry;
  // A revocation is for good: what this service saw revoked is that, whatever a ledger says of it later.
  const owed = stored.status === 'revoked' ? 'revoke' : stillOwed(stored, entry);
  // What the ledger holds against a credential counts, even if it has lost that its issuer took it back.
  if (owed === undefined || owed === 'reinstate') return entry;
  const made = (await statusHistory(queries, stored.vcId)).find(({ kind }) => kind === owed);
  const { changedAtMicros: _at, changedInLedgerSeq: _in, ...kept } = entry;
  return {
    ...kept,
    status: credentialMove(owed).to,
    ...(made && { changedAtMicros: BigInt(made.updatedAt) * 1_000n }),
  };
}

/** A version of a template, and whether the issuer accepts unbound entries by now. */
export async function findRecordedTemplate(
  { ledger }: Pick<ServiceParts, 'ledger'>,
  { id, version }: { readonly id: string; readonly version: string },
): Promise<RecordedTemplate | undefined> {
  const [named, newest] = await Promise.all([ledger.readTemplate(id, version), ledger.readTemplate(id)]);
  return named && recordedTemplateOf(named, newest);
}
