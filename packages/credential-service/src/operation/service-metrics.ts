/** What the service tells `/metrics` about itself, beside its requests. */
import type { Metrics } from '@symbolon/host/telemetry/metrics';
import { type CustodyCounts, custodyMetrics } from '../custody/custody-parts.ts';
import type { OwedWatch } from '../status/owed-watch.ts';
import type { AllParts } from '../wiring/all-parts.ts';
import type { Foundation } from '../wiring/open-foundation.ts';
import type { ServiceFunds } from './service-funds.ts';
import type { ServiceHealth } from './service-health.ts';

export interface Measured {
  /** Nothing until the service has opened. */
  parts(): AllParts | undefined;
  readonly foundation: Pick<Foundation, 'proofs'>;
  readonly health: ServiceHealth;
  readonly funds: ServiceFunds;
  readonly owed: OwedWatch;
  /** Aborted when the service was told to stop. */
  readonly ending: Pick<AbortController, 'signal'>;
}

const custodyNames = Object.keys(custodyMetrics) as (keyof CustodyCounts)[];

type GaugeRow = readonly [name: string, help: string, read: () => number];

/** What nobody has found out yet is not a number. */
const known = (value: number | bigint | undefined): number =>
  value === undefined ? Number.NaN : Number(value);

const healthGauges = ({ health, funds, owed }: Measured): readonly GaugeRow[] => [
  [
    'service_ledger_block',
    "Number of the ledger's newest block, as it was last told",
    () => known(health.head()?.block),
  ],
  [
    'service_ledger_block_time_seconds',
    'When that block closed, in seconds since 1970',
    () => known(health.head()?.closeTimeMs) / 1_000,
  ],
  [
    'service_submissions_stuck',
    'Submits that the ledger has not confirmed for too long',
    () => health.stuck(),
  ],
  [
    'service_owed_records',
    'Records that the ledger has lost and that their issuers have to make again',
    () => known(owed.count()),
  ],
  [
    'service_database_failures',
    'How often the database was to blame that something was not done, since the start',
    () => health.database().failures,
  ],
  [
    'service_database_sound',
    'Whether the database may be written, as far as is known: 1 or 0',
    () => Number(health.database().problem === undefined),
  ],
  [
    'service_registrar_balance',
    "What is left on the registrar's account, in the smallest unit",
    () => known(funds.registrar()),
  ],
  [
    'service_paymaster_balance',
    'What is left on the account that pays fees for others, in the smallest unit',
    () => known(funds.paymaster()),
  ],
];

export function measureService(measured: Measured, metrics: Metrics): void {
  const { parts, foundation, health, ending } = measured;
  const isReady = (): boolean => {
    const opened = parts();
    if (ending.signal.aborted) return false;
    return opened !== undefined && opened.chain.problem === undefined && health.isReady();
  };
  const gauges: readonly GaugeRow[] = [
    ['service_ready', 'Whether the service works: 1 or 0', () => Number(isReady())],
    [
      'service_registrar_pending_entries',
      'Credentials on their way to the ledger',
      () => parts()?.registrar.pending ?? 0,
    ],
    ['service_proof_jobs', 'Proofs that wait or are under way', () => foundation.proofs.waiting],
    [
      'service_proof_workers_replaced',
      'Threads or processes for proofs that broke, died or took too long, since the start',
      () => foundation.proofs.replaced,
    ],
    ...healthGauges(measured),
    ...custodyNames.map(
      (count) => [...custodyMetrics[count], () => parts()?.custody?.counts[count] ?? 0] as const,
    ),
  ];
  for (const [name, help, read] of gauges) metrics.gauge({ name, help }, read);
  const { engine } = foundation.proofs;
  const help = 'Which engine computes proofs: 1 for the one that does';
  metrics.gauge({ name: 'service_proof_engine', help, labels: { engine } }, () => 1);
}
