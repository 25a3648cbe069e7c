/**
 * The process that the crash tests start and kill: a node and a service on it, in one process, on one folder. It dies
 * where it is told to, at a step of the service or in the middle of the node's next write after it, ends with its
 * parent, and compares store and ledger when asked.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { directClient } from '@symbolon/cli/servers/start-node';
import { serveService } from '@symbolon/credential-service/operation/serve-service';
import { serviceConfigSchema } from '@symbolon/credential-service/parts/service-config';
import type { DemoDocument } from '@symbolon/demo/file';
import { grantFunds } from '@symbolon/demo/funds';
import { demoLimits } from '@symbolon/demo/limits';
import { prepareDemo } from '@symbolon/demo/prepare-demo';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { nodeConfigSchema } from '@symbolon/ledger-node/node/node-config';
import { openNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { serveNode } from '@symbolon/ledger-node/operation/serve-node';
import type { CrashPoint } from '@symbolon/ledger-node/store/level-store';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import type { JsonObject } from '@symbolon/wire/json/json';
import { richest } from '../support/people.ts';
import { makeChain } from '../support/running-node.ts';
import { stallingWay } from '../support/stalling-way.ts';
import { auditService } from './crash-audit.ts';

export interface Crash {
  /** The step of the service. */
  readonly point: string;
  /** The step of the node's next write after it; without one the process dies at once. */
  readonly inNode?: CrashPoint;
}
export interface ServiceOrder {
  readonly folder: string;
  readonly crash?: Crash;
  /** How far the service's clock is ahead. */
  readonly aheadMs?: number;
  /** Where the service keeps its records; beside its folder if left out. */
  readonly database?: string;
  /** Further parts of the service's settings. */
  readonly config?: JsonObject;
  /** Whether the service reaches its node over a way that can stall. */
  readonly canStall?: true;
}
export type ChildRequest =
  | ({ readonly kind: 'serve' } & ServiceOrder)
  | { readonly kind: 'stall'; readonly ms: number }
  | { readonly kind: 'audit' | 'close' };
export type ChildReport =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'up'; readonly url: string; readonly demo: DemoDocument }
  | { readonly kind: 'flowing' }
  | { readonly kind: 'audited'; readonly wrong: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string };

const report = (message: ChildReport): void => {
  process.send?.(message);
};

const readyWaitMs = 45_000;

/** Ends the process as a power cut would, at the step or at the node's step after it. */
function crashPointsOf(crash: Crash | undefined) {
  let isArmed = false;
  const die = (): void => void process.kill(process.pid, 'SIGKILL');
  return {
    service: (name: string) => {
      if (name !== crash?.point) return;
      if (crash.inNode === undefined) die();
      isArmed = true;
    },
    node: (name: CrashPoint) => {
      if (isArmed && name === crash?.inNode) die();
    },
  };
}

interface Serving {
  stall(ms: number): Promise<void>;
  audit(): Promise<readonly string[]>;
  close(): Promise<void>;
}

async function serve(order: ServiceOrder): Promise<Serving> {
  const { folder, crash, aheadMs = 0, database, canStall, config } = order;
  const points = crashPointsOf(crash);
  const log = createLog({ level: 'fatal' });
  const nodeFolder = join(folder, 'node');
  if (!existsSync(nodeFolder)) await makeChain(nodeFolder);
  const settings = { port: 0, socketPort: 0, blockIntervalMs: 10, signatureWorkers: 1 };
  const node = await serveNode(await openNodeFolder(nodeFolder), {
    config: nodeConfigSchema.parse(settings),
    log,
    metrics: createMetrics({ withProcess: false }),
    crashPoint: points.node,
  });
  const way = canStall && (await stallingWay({ after: () => undefined }, node.httpUrl));
  const client = way
    ? createLedgerClient(httpTransport(way.url))
    : directClient(node.node, (name, error) => {
        throw new Error(`the query ${name} failed`, { cause: error });
      });
  const funder = await signerFromSeed(richest.seed);
  let demo: DemoDocument | undefined;
  const file = join(folder, 'demo.json');
  const nowMs = () => Date.now() + aheadMs;
  const service = await serveService(join(folder, 'service'), {
    config: serviceConfigSchema.parse({
      port: 0,
      proofWorkers: 1,
      acceptPrivateKeys: true,
      ...(database !== undefined && { database }),
      ...config,
    }),
    log,
    metrics: createMetrics({ withProcess: false }),
    client,
    clock: { nowMs, nowMicros: () => BigInt(nowMs()) * 1_000n },
    warmUp: false,
    crashPoint: points.service,
    fundRegistrar: (address) => grantFunds(client, funder, [{ address, amount: demoLimits.registrarFunds }]),
    prepare: async (preparation) => {
      demo = await prepareDemo({ ...preparation, file, funder, ledgerUrl: node.httpUrl });
    },
  });
  // On a busy machine the service needs more than one try.
  const deadline = performance.now() + readyWaitMs;
  while (!demo && performance.now() < deadline) await sleep(50);
  if (!demo) throw new Error(`the service is not ready: ${await service.notReady()}`);
  report({ kind: 'up', url: service.url, demo });
  return {
    async stall(ms) {
      way?.stall();
      await sleep(ms);
      way?.flow();
    },
    audit: () => auditService(service.parts, client),
    close: async () => {
      await service.close();
      await node.close();
    },
  };
}

let serving: Promise<Serving> | undefined;

async function answer(request: ChildRequest): Promise<void> {
  if (request.kind === 'serve') serving = serve(request);
  const running = await (serving as Promise<Serving>);
  if (request.kind === 'stall') {
    await running.stall(request.ms);
    report({ kind: 'flowing' });
  }
  if (request.kind === 'audit') report({ kind: 'audited', wrong: await running.audit() });
  if (request.kind !== 'close') return;
  await running.close();
  process.disconnect();
}

process.once('disconnect', () => process.exit(0));
process.on('message', (request: ChildRequest) => {
  answer(request).catch((error) => {
    report({ kind: 'failed', message: (error as Error).stack ?? String(error) });
  });
});
report({ kind: 'loaded' });
