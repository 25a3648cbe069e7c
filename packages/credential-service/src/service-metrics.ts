/** What the service tells `/metrics` about itself, beside its requests. */
import type { Metrics } from '@symbolon/host/metrics';
import type { CustodyCounts } from './custody/custody-counts.ts';

export interface Measured {
  isReady(): boolean;
  registrarPending(): number;
  proofsWaiting(): number;
  /** Nothing where the service holds no keys for others. */
  custodyCounts(): Readonly<CustodyCounts> | undefined;
}

/** Numbers since the start; they only grow. */
const custodyHelp: readonly (readonly [keyof CustodyCounts, name: string, help: string])[] = [
  ['accounts', 'custody_accounts_made', 'Accounts made in custody'],
  ['activations', 'custody_activations_made', 'Accounts in custody that were brought onto the ledger'],
  ['signatures', 'custody_signatures_made', 'Signatures made with keys in custody'],
  ['refusals', 'custody_refusals_made', 'Signatures that a policy or a daily cap forbade'],
  ['wrongPasswords', 'custody_wrong_passwords', 'Wrong passwords given for accounts in custody'],
  ['locks', 'custody_locks_made', 'Locks after too many wrong passwords'],
];

export function measureService(measured: Measured, metrics: Metrics): void {
  const gauges: readonly (readonly [name: string, help: string, read: () => number])[] = [
    ['service_ready', 'Whether the service works: 1 or 0', () => Number(measured.isReady())],
    [
      'service_registrar_pending_entries',
      'Credentials on their way to the ledger',
      () => measured.registrarPending(),
    ],
    ['service_proof_jobs', 'Proofs that wait or are under way', () => measured.proofsWaiting()],
    ...custodyHelp.map(
      ([count, name, help]) => [name, help, () => measured.custodyCounts()?.[count] ?? 0] as const,
    ),
  ];
  for (const [name, help, read] of gauges) metrics.gauge({ name, help }, read);
}
