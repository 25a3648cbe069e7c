/**
 * How the service is, for `/readyz` and the metrics: its database answers, takes a write and holds together, the disk
 * has room, the ledger answers and moves on while something waits for it, proofs are made without delay. Numbers that
 * take a question are kept from the last one.
 */
import { dirname } from 'node:path';
import type { DatabaseHealth } from '@symbolon/host/database/common/database';
import { healthLimits, ledgerTimeLimits } from '@symbolon/host/limits/server-limits';
import { diskRoomCheck } from '@symbolon/host/telemetry/disk-room';
import {
  createReadiness,
  firstProblem,
  type HealthCheck,
  type HealthFinding,
  type HealthVerdict,
  healthy,
  unhealthy,
} from '@symbolon/host/telemetry/readiness';
import type { Clock } from '@symbolon/host/work/clock';
import type { LedgerClient } from '@symbolon/sdk/index';
import type { OwnChain } from '../ledger/own-chain.ts';
import type { ProofPool } from '../proofs/proof-workers.ts';
import type { OwedWatch } from '../status/owed-watch.ts';
import type { AllParts } from '../wiring/all-parts.ts';
import type { Foundation } from '../wiring/open-foundation.ts';
import { databaseFile } from '../wiring/service-folder.ts';

/** The ledger's newest block, as it was last told. */
export interface SeenHead {
  readonly block: number;
  readonly closeTimeMs: number;
  /** When this block was first seen, by the process's own clock. */
  readonly sinceMs: number;
}

export interface ServiceHealth {
  readiness(): Promise<readonly HealthFinding[]>;
  /** Whether nothing stood in the way when somebody last looked, which is done every few seconds. */
  isReady(): boolean;
  head(): SeenHead | undefined;
  /** Work that waits for the ledger for longer than it ever should. */
  stuck(): number;
  database(): DatabaseHealth;
}

export interface HealthOrder {
  readonly folder: string;
  readonly foundation: Foundation;
  readonly client: LedgerClient;
  readonly chain: OwnChain;
  readonly owed: OwedWatch;
  readonly parts: () => AllParts | undefined;
}

export function createServiceHealth(order: HealthOrder): ServiceHealth {
  const { folder, foundation, client, chain, owed, parts } = order;
  const { database, clock, config } = foundation;
  let seen: SeenHead | undefined;
  const stuck = (): number => {
    const { registrar, pursuits } = parts() ?? {};
    const { headStillMs } = healthLimits;
    return (registrar?.stuck(headStillMs) ?? 0) + (pursuits?.stuck(headStillMs) ?? 0);
  };
  const file = databaseFile(folder, config);
  const checks: HealthCheck[] = [
    {
      name: 'database',
      problem: 'the database does not answer',
      async check() {
        await database.ping();
        return databaseVerdict(database.health());
      },
    },
    {
      name: 'write',
      problem: 'the database takes no writes',
      check: async () => (foundation.isWritable() ? healthy : unhealthy('the database takes no writes')),
    },
    ...(file === undefined ? [] : [diskRoomCheck(dirname(file))]),
    {
      name: 'chain',
      problem: 'the ledger is not the one that is known',
      check: async () => (chain.problem === undefined ? healthy : unhealthy(chain.problem)),
    },
    {
      name: 'records',
      problem: 'what the ledger lacks is not known',
      check: async () => owed.verdict(),
    },
    {
      name: 'ledger',
      problem: 'the ledger does not answer',
      async check() {
        seen = await lookAtHead(client, seen);
        return ledgerVerdict(seen, stuck(), clock);
      },
    },
    {
      name: 'proofs',
      problem: 'the proof workers do not answer',
      check: async () => proofsVerdict(foundation.proofs),
    },
  ];
  const look = createReadiness(checks);
  let found: readonly HealthFinding[] = [];
  return {
    async readiness() {
      found = await look();
      return found;
    },
    isReady: () => firstProblem(found) === undefined,
    head: () => seen,
    stuck,
    database: () => database.health(),
  };
}

/** Nobody is kept from calling: what needs no proof is done as ever. */
const warmingUp: HealthVerdict = {
  state: 'checking',
  detail: 'no worker has warmed up yet, the first proofs take longer',
};

function proofsVerdict({ problem, isWarmingUp }: ProofPool): HealthVerdict {
  if (problem !== undefined) return unhealthy(problem);
  return isWarmingUp ? warmingUp : healthy;
}

function databaseVerdict({ integrity, problem }: DatabaseHealth): HealthVerdict {
  if (problem !== undefined) return unhealthy(`the database cannot be written: ${problem}`);
  return integrity === 'checking' ? { state: 'checking', detail: 'whether its pages fit together' } : healthy;
}

async function lookAtHead(client: LedgerClient, before: SeenHead | undefined): Promise<SeenHead> {
  const { result } = await client.getLedger({});
  const block = Number(result?.header.seq ?? 0);
  const closeTimeMs = Number(BigInt(result?.header.close_time ?? 0) / 1_000n);
  if (before?.block === block && before.closeTimeMs === closeTimeMs) return before;
  return { block, closeTimeMs, sinceMs: performance.now() };
}

/** A chain without work makes no blocks: a head that stands still is a fault only while something waits for it. */
function ledgerVerdict(
  { block, closeTimeMs, sinceMs }: SeenHead,
  stuck: number,
  clock: Clock,
): HealthVerdict {
  const stillMs = performance.now() - sinceMs;
  if (stuck > 0 && stillMs >= healthLimits.headStillMs)
    return unhealthy(
      `the ledger does not move: block ${block} is its newest for ${Math.round(stillMs / 1_000)} s, and submits wait`,
    );
  const aheadMs = closeTimeMs - clock.nowMs();
  if (aheadMs <= ledgerTimeLimits.aheadMsWarned) return healthy;
  return {
    state: 'warning',
    detail: `its time is ${Math.round(aheadMs / 1_000)} s ahead of the clock of this machine`,
  };
}
