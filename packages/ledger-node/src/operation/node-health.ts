/**
 * How a node is, for `/readyz`: its chain runs and makes blocks of what waits, its store is sound as far as it was read,
 * the disk has room and takes writes, and the ledger's time is not ahead of the clock. Time that is ahead is told to the
 * log, too.
 */
import { healthLimits, ledgerTimeLimits } from '@symbolon/host/limits/server-limits';
import { diskRoomCheck, diskWriteCheck } from '@symbolon/host/telemetry/disk-room';
import type { Log } from '@symbolon/host/telemetry/log';
import {
  createReadiness,
  type HealthCheck,
  type HealthFinding,
  type HealthVerdict,
  healthy,
  unhealthy,
} from '@symbolon/host/telemetry/readiness';
import type { LedgerNode } from '../node/node.ts';
import type { LevelStore } from '../store/level-store.ts';

export interface NodeHealthOrder {
  readonly node: LedgerNode;
  readonly store: Pick<LevelStore, 'tablesChecked' | 'isSound'>;
  readonly folder: string;
  readonly log: Log;
  /** Why the chain does not run. */
  readonly problem: () => string | undefined;
}

export interface NodeHealth {
  readiness(): Promise<readonly HealthFinding[]>;
  close(): void;
}

export function watchNode({ node, store, folder, log, problem }: NodeHealthOrder): NodeHealth {
  const checks: HealthCheck[] = [
    // First: a clock that is wrong is why no block is made.
    { name: 'time', problem: 'the clock does not answer', check: async () => timeVerdict(node) },
    {
      name: 'chain',
      problem: 'the chain does not answer',
      check: async () => chainVerdict(node, problem()),
    },
    { name: 'store', problem: 'the store does not answer', check: async () => storeVerdict(store) },
    diskWriteCheck(folder),
    diskRoomCheck(folder),
  ];
  let told: string | undefined;
  const look = (): void => {
    const { state, detail } = timeVerdict(node);
    if (state !== told && detail !== undefined)
      log.warn({ aheadMs: node.aheadMs }, `${detail}: set the clock of this machine`);
    if (state !== told && state === 'ok' && told !== undefined)
      log.info("the ledger's time is no longer ahead");
    told = state;
  };
  look();
  const timer = setInterval(look, ledgerTimeLimits.waitMs).unref();
  return { readiness: createReadiness(checks), close: () => clearInterval(timer) };
}

function chainVerdict(node: LedgerNode, problem: string | undefined): HealthVerdict {
  const reason = problem ?? node.driver.problem;
  if (reason !== undefined) return unhealthy(reason);
  if (node.driver.waitingMs < healthLimits.headStillMs) return healthy;
  return unhealthy(
    `no block was made for ${Math.round(node.driver.waitingMs / 1_000)} s, and ${node.queue.size} transactions wait`,
  );
}

/** While it is being read through it is used: nothing is answered from what was not checked. */
function storeVerdict({
  tablesChecked: { checked, total },
  isSound,
}: NodeHealthOrder['store']): HealthVerdict {
  if (!isSound) return unhealthy('a table of the store is damaged');
  if (checked === total) return healthy;
  const [done, all] = [checked, total].map((bytes) => Math.floor(bytes / 2 ** 20));
  return { state: 'checking', detail: `${done} of ${all} MiB of its tables are read through` };
}

function timeVerdict({ aheadMs, aheadMsMax }: LedgerNode): HealthVerdict {
  if (aheadMs <= ledgerTimeLimits.aheadMsWarned) return healthy;
  const ahead = `the ledger's time is ${Math.round(aheadMs / 1_000)} s ahead of the clock`;
  return aheadMs <= aheadMsMax
    ? { state: 'warning', detail: ahead }
    : unhealthy(`${ahead}, and no block is made before the clock is within ${aheadMsMax / 1_000} s of it`);
}
