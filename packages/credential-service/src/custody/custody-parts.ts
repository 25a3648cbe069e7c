/** What every part of custody works with, and what custody has done since the start, for the metrics. */
import type { Clock } from '@symbolon/host/work/clock';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ServiceDatabase } from '../database/schema.ts';
import type { KeyVault } from '../vault/vault.ts';

/** Numbers that only grow. */
export interface CustodyCounts {
  accounts: number;
  activations: number;
  signatures: number;
  refusals: number;
  wrongPasswords: number;
  locks: number;
}

export const newCustodyCounts = (): CustodyCounts => ({
  accounts: 0,
  activations: 0,
  signatures: 0,
  refusals: 0,
  wrongPasswords: 0,
  locks: 0,
});

export interface CustodyParts {
  readonly database: ServiceDatabase;
  readonly vault: KeyVault;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly counts: CustodyCounts;
}
