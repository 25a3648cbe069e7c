/**
 * What the service does without being asked: forgetting what has lapsed, moving the audit log on and anchoring it once
 * a day, settling what broke off, making the next keys of the sealed layer. Each chore runs alone, is bounded, and is
 * tried again at its next turn when it fails; a failure is logged and stops nothing.
 */
import { requestLogLimits } from '@symbolon/core/limits/directory';
import { eventLimits, sessionLimits } from '@symbolon/core/limits/waiting';
import { healthLimits } from '@symbolon/host/limits/server-limits';
import type { Log } from '@symbolon/host/telemetry/log';
import { createWebhookDelivery } from '../events/webhook-delivery.ts';
import { isLedgerTrouble } from '../ledger/ledger-faults.ts';
import { serviceWorkLimits as limits, ownChainLimits } from '../limits/service-limits.ts';
import { deliverCallbacks } from '../sessions/callback-delivery.ts';
import { expireSessions } from '../sessions/sessions.ts';
import type { OwedWatch } from '../status/owed-watch.ts';
import { rewrapAll } from '../vault/open-vault.ts';
import type { AllParts } from '../wiring/all-parts.ts';
import type { Foundation } from '../wiring/open-foundation.ts';
import { createBlobWatch, recoverService } from './recovery.ts';
import type { ServiceFunds } from './service-funds.ts';
import type { ServiceHealth } from './service-health.ts';
import { isMoreToSweep, sweepAll } from './sweep.ts';

export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** Whether it runs at once, not first after its time. */
  readonly isEager?: boolean;
  readonly work: () => Promise<void>;
}

export interface ChoresOrder {
  readonly foundation: Foundation;
  readonly parts: AllParts;
  readonly log: Log;
  readonly health: ServiceHealth;
  readonly funds: ServiceFunds;
  readonly owed: OwedWatch;
}

export function serviceChores(order: ChoresOrder): readonly Chore[] {
  const { foundation, parts, log, health, funds, owed } = order;
  const { database, clock, audit, vault, sealKeys, requestLog } = foundation;
  const { chain } = parts;
  /** What works on the ledger waits while that is not the service's own. */
  const onOwnChain = (chore: Chore): Chore => ({
    ...chore,
    work: async () => {
      if (chain.problem === undefined) await chore.work();
    },
  });
  /** Until nothing is left under an old master key; then it finds nothing to do. */
  const rewrap = async (): Promise<void> => {
    const count = await rewrapAll(database.kysely, vault);
    if (count === 0) return;
    await audit.record({ action: 'vault.rotate', details: { count } });
    log.info({ count }, 'records were brought under the current master key');
  };
  return [
    {
      name: 'ownChain',
      everyMs: ownChainLimits.lookMs,
      isEager: true,
      // A ledger that does not answer says nothing; readiness tells that.
      work: () => chain.look().catch(unlessAway),
    },
    {
      name: 'sweep',
      everyMs: limits.sweepIntervalMs,
      async work() {
        for (let round = 0; round < limits.sweepRoundsMax; round++) {
          if (!isMoreToSweep(await sweepAll(database.kysely, clock.nowMs()))) return;
        }
      },
    },
    { name: 'audit', everyMs: limits.auditFlushIntervalMs, work: () => audit.flush() },
    { name: 'requestLog', everyMs: requestLogLimits.writeMs, work: () => requestLog.write() },
    onOwnChain({
      name: 'anchor',
      everyMs: limits.auditAnchorCheckMs,
      async work() {
        const head = await audit.due(clock.nowMs());
        if (!head) return;
        const { hash } = await parts.registrar.anchorAuditHead(head.hash, head.sequence);
        await audit.recordAnchor(head, hash);
        log.info({ sequence: head.sequence, hash }, 'the audit log is anchored');
      },
    }),
    onOwnChain({
      name: 'custody',
      everyMs: limits.recoveryIntervalMs,
      isEager: true,
      // Whoever has the file alone knows that nobody else is at work; replicas wait for the end of a lease.
      work: async () => parts.custody?.tidy(database.dialect === 'sqlite' ? 0 : undefined),
    }),
    { name: 'sessions', everyMs: sessionLimits.expiryIntervalMs, work: () => expireSessions(parts) },
    {
      name: 'callbacks',
      everyMs: sessionLimits.deliveryIntervalMs,
      isEager: true,
      work: () => deliverCallbacks(parts, log),
    },
    {
      name: 'webhooks',
      everyMs: eventLimits.postIntervalMs,
      isEager: true,
      work: createWebhookDelivery(parts, log),
    },
    onOwnChain({ name: 'blobs', everyMs: limits.recoveryIntervalMs, work: createBlobWatch(parts) }),
    onOwnChain({ name: 'recovery', everyMs: limits.recoveryIntervalMs, work: () => recoverService(parts) }),
    {
      name: 'sealKeys',
      everyMs: limits.sealKeyCheckMs,
      isEager: foundation.isWarmedUp,
      work: async () => void (await sealKeys()),
    },
    onOwnChain({
      name: 'funds',
      everyMs: healthLimits.balanceCheckMs,
      isEager: true,
      work: () => funds.look(parts),
    }),
    onOwnChain({
      name: 'owed',
      everyMs: healthLimits.balanceCheckMs,
      isEager: true,
      work: () => owed.look(parts),
    }),
    {
      name: 'health',
      everyMs: healthLimits.lookMs,
      isEager: true,
      work: async () => void (await health.readiness()),
    },
    ...(foundation.hasPreviousKeys
      ? [{ name: 'rewrap', everyMs: limits.sealKeyCheckMs, isEager: true, work: rewrap }]
      : []),
  ];
}

function unlessAway(error: unknown): void {
  if (!isLedgerTrouble(error)) throw error;
}

export interface BackgroundWork {
  /** Runs a chore now, or waits for the run that is under way. */
  run(name: string): Promise<void>;
  /** No chore starts any more; resolves when none is under way. */
  stop(): Promise<void>;
}

export function startBackgroundWork(chores: readonly Chore[], log: Log): BackgroundWork {
  const running = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  let isStopped = false;

  const runOnce = (chore: Chore): Promise<void> => {
    const known = running.get(chore.name);
    if (known) return known;
    const run = chore.work().finally(() => running.delete(chore.name));
    running.set(chore.name, run);
    return run;
  };
  const schedule = (chore: Chore, afterMs: number): void => {
    if (isStopped) return;
    const timer = setTimeout(async () => {
      try {
        await runOnce(chore);
      } catch (err) {
        if (!isStopped) log.error({ err, chore: chore.name }, 'a chore failed and is tried again');
      }
      schedule(chore, chore.everyMs);
    }, afterMs);
    timers.set(chore.name, timer.unref());
  };
  for (const chore of chores) schedule(chore, chore.isEager ? 0 : chore.everyMs);

  return {
    async run(name) {
      const chore = chores.find((candidate) => candidate.name === name);
      if (!chore) throw new Error(`there is no chore ${name}`);
      await runOnce(chore);
    },
    async stop() {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.allSettled(running.values());
    },
  };
}
