/** What every part of custody works with, and what custody has done since the start, for the metrics. */
import type { Clock } from '@symbolon/host/work/clock';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ServiceDatabase } from '../database/schema.ts';
import type { KeyVault } from '../vault/vault.ts';

/** What is counted, with the name and the words of its metric. */
export const custodyMetrics = {
  accounts: ['custody_accounts_made', 'Accounts made in custody'],
  activations: ['custody_activations_made', 'Accounts in custody that were brought onto the ledger'],
  signatures: ['custody_signatures_made', 'Signatures made with keys in custody'],
  refusals: ['custody_refusals_made', 'Signatures that a policy or a daily cap forbade'],
  wrongPasswords: ['custody_wrong_passwords', 'Wrong passwords given for accounts in custody'],
  locks: ['custody_locks_made', 'Locks after too many wrong passwords'],
} as const;

/** Numbers that only grow. */
export type CustodyCounts = Record<keyof typeof custodyMetrics, number>;

export const newCustodyCounts = (): CustodyCounts =>
  Object.fromEntries(Object.keys(custodyMetrics).map((count) => [count, 0])) as CustodyCounts;

export interface CustodyParts {
  readonly database: ServiceDatabase;
  readonly vault: KeyVault;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly counts: CustodyCounts;
}
