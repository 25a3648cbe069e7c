/** What the service tells `/metrics` about itself, beside its requests. */
import type { Metrics } from '@symbolon/host/metrics';

export interface Measured {
  isReady(): boolean;
  registrarPending(): number;
  proofsWaiting(): number;
}

export function measureService(measured: Measured, metrics: Metrics): void {
  const gauges: readonly [name: string, help: string, read: () => number][] = [
    ['service_ready', 'Whether the service works: 1 or 0', () => Number(measured.isReady())],
    [
      'service_registrar_pending_entries',
      'Credentials on their way to the ledger',
      () => measured.registrarPending(),
    ],
    ['service_proof_jobs', 'Proofs that wait or are under way', () => measured.proofsWaiting()],
  ];
  for (const [name, help, read] of gauges) metrics.gauge({ name, help }, read);
}
