/**
 * A node as a service: its folder opened, its chain running, its interfaces listening, its numbers measured. It
 * ends when it is closed, or when the chain cannot go on.
 */

import { rename, rm } from 'node:fs/promises';
import { createLedgerServer } from '@symbolon/host/http/ledger-server';
import { pagePolicy } from '@symbolon/host/http/web-pages';
import type { Log } from '@symbolon/host/telemetry/log';
import type { Metrics } from '@symbolon/host/telemetry/metrics';
import type { Clock } from '@symbolon/host/work/clock';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { findBase } from '../chain/chain-reader.ts';
import { isUnfinished } from '../chain/restoration.ts';
import { startExplorer } from '../explorer/explorer-parts.ts';
import { createHandlers } from '../handlers/index.ts';
import { assertChainThere, markBegun, unmarkBegun } from '../node/chain-mark.ts';
import { LedgerNode } from '../node/node.ts';
import type { NodeConfig } from '../node/node-config.ts';
import { explorerPath, type NodeFolder, snapshotsPath, storePath, upgradePath } from '../node/node-folder.ts';
import { nodeVersion } from '../node/node-version.ts';
import { SocketServer } from '../socket/socket-server.ts';
import { type CrashPoint, LevelStore } from '../store/level-store.ts';
import { watchNode } from './node-health.ts';
import { measureNode } from './node-metrics.ts';

export interface ServeOptions {
  readonly config: NodeConfig;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Begins the chain of a folder again that has lost it. */
  readonly beginAgain?: boolean | undefined;
  /** The clock of the machine, if left out. */
  readonly clock?: Clock | undefined;
  /** Further lines of the directory at `/`. */
  readonly directory?: () => Readonly<Record<string, string>>;
  /** Called between the durability steps of the store, so that a test can end the process exactly there. */
  readonly crashPoint?: (name: CrashPoint) => void;
}

export interface ServedNode {
  readonly node: LedgerNode;
  readonly httpUrl: string;
  readonly socketUrl: string;
  /** Resolves with the reason when the chain cannot go on. */
  readonly failed: Promise<unknown>;
  /** Whether the chain runs; the reason if not. */
  notReady(): string | undefined;
  close(): Promise<void>;
}

export async function serveNode(folder: NodeFolder, options: ServeOptions): Promise<ServedNode> {
  const { config, log, metrics } = options;
  const failed = Promise.withResolvers<unknown>();
  let problem: string | undefined;
  let hasFailed = false;
  const fail = (error: unknown): void => {
    // Whoever else meets the same damage says nothing new.
    if (hasFailed) return;
    hasFailed = true;
    problem = 'the chain has stopped';
    log.fatal({ err: error }, 'the chain cannot go on');
    failed.resolve(error);
  };

  const { store, node } = await openNode(folder, options, fail);
  const closers: (() => Promise<void>)[] = [() => node.close()];
  const close = async (): Promise<void> => {
    problem ??= 'the node is shutting down';
    for (const step of closers.splice(0).reverse()) await step();
  };

  try {
    await markBegun(folder.path, findBase(node.chain.rows)?.seq);
    measureNode({ node, store }, metrics);
    const health = watchNode({ node, store, folder: folder.path, log, problem: () => problem });
    closers.push(async () => health.close());
    const index = { folder: explorerPath(folder.path), withIndex: config.explorer, log };
    const explorerParts = startExplorer({ ...index, node });
    closers.push(explorerParts.close);
    const pages = pagePolicy(config);
    const socket = await SocketServer.listen(node, {
      host: config.host,
      port: config.socketPort,
      version: nodeVersion,
      ...config.socket,
      pages,
      onFailure: (error) => log.error({ err: error }, 'a submission over WebSocket failed'),
    });
    closers.push(() => socket.close());
    const http = createLedgerServer({
      routes: ledgerRoutes,
      handlers: createHandlers(node, {
        version: nodeVersion,
        socketPort: () => socket.port,
        socketClients: () => socket.clients,
        explorerParts,
        onFailure: (name, error) => log.error({ err: error, route: name }, 'a query of a batch failed'),
      }),
      logger: log,
      observe: ({ route, status, seconds }) => metrics.observeRequest({ route, code: status, seconds }),
      pages,
      limits: config.http,
      hasDocs: true,
      plain: {
        directory: () => directoryOf(options),
        about:
          'Keeps accounts, assets, metadata and contracts, and executes transactions. Start with the interface: its first page says how to ask, sign and submit.',
        live: () => true,
        readiness: health.readiness,
        metrics: () => metrics.render(),
        openapi: async () => (await import('@symbolon/wire/openapi/documents')).ledgerDocument(nodeVersion),
      },
      onBug: fail,
    });
    const { url } = await http.listen(config);
    closers.push(() => http.close());
    log.info({ url, block: Number(node.chain.head.seq) }, 'ledger node is up');
    // Last: opening waits for none of it, and the first requests neither.
    store.guardTables().catch((error) => {
      // No block is to stand on a store that has to be restored.
      void node.driver.stop();
      fail(error);
    });
    const socketUrl = url.replace(/^http/, 'ws').replace(/:\d+$/, `:${socket.port}`);
    return { node, httpUrl: url, socketUrl, failed: failed.promise, notReady: () => problem, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openNode(
  folder: NodeFolder,
  options: ServeOptions,
  onFailure: (error: unknown) => void,
): Promise<{ readonly store: LevelStore; readonly node: LedgerNode }> {
  assertChainThere(folder.path, options);
  const store = await openWholeStore(folder.path, options);
  const node = await LedgerNode.open({
    store,
    rules: folder.rules,
    validator: folder.validator,
    settings: options.config,
    snapshotsPath: snapshotsPath(folder.path),
    onSnapshotBegun: (seq) => markBegun(folder.path, seq),
    upgradePath: upgradePath(folder.path),
    ...(options.clock && { clock: options.clock }),
    onFailure,
    onNotice: (text) => options.log.warn(text),
  }).catch(async (error) => {
    await store.close();
    throw error;
  });
  return { store, node };
}

/** A store in which a snapshot is not whole has no chain: another one begins in its place. */
async function openWholeStore(folder: string, { log, crashPoint }: ServeOptions): Promise<LevelStore> {
  const path = storePath(folder);
  const leftover = `${path}.unfinished`;
  await rm(leftover, { recursive: true, force: true });
  const open = () => LevelStore.open(path, { tables: 'checkedAsRead', crashPoint });
  const store = await open();
  if (!isUnfinished(store)) return store;
  log.warn('a snapshot that this node was to begin with is not whole: it begins again without');
  await store.close();
  await unmarkBegun(folder);
  await rename(path, leftover);
  await rm(leftover, { recursive: true, force: true });
  return open();
}

/** The lines at `/`. */
const directoryOf = ({ directory }: ServeOptions) => ({
  name: 'Symbolon ledger node',
  version: nodeVersion,
  docs: '/docs',
  errors: '/docs/errors',
  openapi: '/openapi.json',
  hello: '/hello',
  health: '/readyz',
  metrics: '/metrics',
  ...directory?.(),
});
