/** A node in this process, with its settings gathered and its end arranged: a signal, or the chain itself. */

import { given } from '@symbolon/core/basics/plain-values';
import { loadConfig } from '@symbolon/host/config/config';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { UpgradeDue } from '@symbolon/ledger-node/drivers/comet/upgrade-plan';
import { createHandlers } from '@symbolon/ledger-node/handlers/index';
import type { LedgerNode } from '@symbolon/ledger-node/node/node';
import { nodeConfigSchema } from '@symbolon/ledger-node/node/node-config';
import { openNodeFolder, settingsPath } from '@symbolon/ledger-node/node/node-folder';
import { nodeVersion } from '@symbolon/ledger-node/node/node-version';
import { isDevelopmentChain, MovedClock } from '@symbolon/ledger-node/operation/development-chain';
import { type ServedNode, serveNode } from '@symbolon/ledger-node/operation/serve-node';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { directTransport } from '@symbolon/sdk/transport/transport';
import { bindRoutes } from '@symbolon/wire/http/ledger-route';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { CommandFailure, exitCodes, failureOf } from '../terminal/failure.ts';
import { controlDevelopment } from './development-control.ts';
import { tellListening } from './listening-file.ts';
import { logStreamOf } from './server-log.ts';

/** Asks a running node for a snapshot. */
export const snapshotSignal = 'SIGUSR2';

export interface StartedNode {
  readonly httpUrl: string;
  readonly socketUrl: string;
  readonly genesisAddress: string;
  /** To this node, by function call. */
  readonly client: LedgerClient;
  notReady(): string | undefined;
  /** Has `/` of the node name a further place. */
  list(place: string, address: string): void;
  /** What uses the node and so has to end before it. */
  endBefore(step: () => Promise<void>): void;
  stop(): Promise<void>;
  /** Resolves after an orderly end, rejects when the chain could not go on. */
  readonly ended: Promise<void>;
}

interface StartOptions {
  readonly port?: number | undefined;
  readonly socketPort?: number | undefined;
  readonly logLevel?: string | undefined;
  /** Where its log goes, if not to standard error. */
  readonly logFile?: string | undefined;
  /** Begins the chain of a folder again that has lost it. */
  readonly beginAgain?: boolean | undefined;
}

export async function startNode(
  path: string,
  { beginAgain, logFile, ...overrides }: StartOptions,
): Promise<StartedNode> {
  const folder = await openNodeFolder(path);
  const config = loadConfig(nodeConfigSchema, {
    file: settingsPath(path),
    env: process.env,
    prefix: 'SYMBOLON_LEDGER_',
    overrides,
  });
  const stream = logStreamOf({ file: logFile, level: config.logLevel });
  const log = createLog({ level: config.logLevel, name: 'ledger', ...given({ stream }) });
  const listed: Record<string, string> = {};
  const running: { node?: LedgerNode } = {};
  const snapshotAsked = onSnapshotAsked(running);
  const clock = isDevelopmentChain(folder.rules) ? await MovedClock.open(path) : undefined;
  const failed = Promise.withResolvers<unknown>();
  const serve = async (ports: { port?: number; socketPort?: number } = {}): Promise<ServedNode> => {
    const metrics = createMetrics();
    const made = await serveNode(folder, {
      config: { ...config, ...ports },
      log,
      metrics,
      beginAgain,
      clock,
      directory: () => listed,
    });
    made.failed.then(failed.resolve, failed.resolve);
    running.node = made.node;
    return made;
  };
  let served = await serve();
  const stopped = Promise.withResolvers<void>();
  const steps: (() => Promise<void>)[] = [snapshotAsked, () => served.close()];
  if (clock) {
    const between = async (work: () => Promise<void>): Promise<void> => {
      const ports = { port: portOf(served.httpUrl), socketPort: portOf(served.socketUrl) };
      await served.close();
      try {
        await work();
      } finally {
        served = await serve(ports).catch((error) => {
          failed.resolve(error);
          throw error;
        });
      }
    };
    const control = await controlDevelopment(path, { served: () => served, clock, between });
    steps.push(() => control.close());
  }
  steps.push(await tellListening(path, { url: served.httpUrl, socketUrl: served.socketUrl }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve());

  const ended = Promise.race([
    stopped.promise,
    failed.promise.then((reason) => {
      // Said as a start says it that finds the same.
      if (reason instanceof UpgradeDue || failureOf(reason).exitCode === exitCodes.damaged) throw reason;
      throw new CommandFailure('The chain cannot go on; the log says why. What is on disk is complete.');
    }),
  ]).finally(() => endAll(steps));
  return {
    httpUrl: served.httpUrl,
    socketUrl: served.socketUrl,
    genesisAddress: folder.rules.parameters.genesisAddress,
    client: directClient(served.node, (route, err) => log.error({ err, route }, 'a query of a batch failed')),
    notReady: () => served.notReady(),
    list: (place, address) => {
      listed[place] = address;
    },
    endBefore: (step) => void steps.push(step),
    stop: () => {
      stopped.resolve();
      return ended;
    },
    ended,
  };
}

/** From now on the signal ends no node, and has one of a network take a snapshot. Answers what ends the listening. */
function onSnapshotAsked(running: { readonly node?: LedgerNode }): () => Promise<void> {
  const take = (): void => running.node?.cometDriver?.takeSnapshot();
  process.on(snapshotSignal, take);
  return async () => void process.off(snapshotSignal, take);
}

const portOf = (url: string): number => Number(new URL(url).port);

/** The last one first; one that fails does not keep the others from ending. */
async function endAll(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps.toReversed()) await step().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** A ledger client that reaches a node of the same process by function call, through the very texts that HTTP carries. */
export function directClient(
  node: LedgerNode,
  onFailure: (name: string, error: unknown) => void,
): LedgerClient {
  const handlers = createHandlers(node, {
    version: nodeVersion,
    socketPort: () => 0,
    socketClients: () => 0,
    onFailure,
  });
  return createLedgerClient(directTransport(bindRoutes(ledgerRoutes, handlers)));
}
