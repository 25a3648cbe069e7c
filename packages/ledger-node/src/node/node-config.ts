/**
 * A node's own settings: `node.json` in its folder, `SYMBOLON_*` in the environment, the command line. They decide
 * how this node works, never what the chain is.
 */
import { queryLimits, socketLimits } from '@symbolon/core/limits/requests';
import { allowOriginSetting, originSetting } from '@symbolon/host/http/web-pages';
import { z } from 'zod';
import { parseAbciAddress } from '../abci/abci-address.ts';
import { defaultNodeSettings as defaults } from './node.ts';

const port = z.int().min(0).max(65_535);
const count = (max: number) => z.int().min(1).max(max);

export const nodeConfigSchema = z.strictObject({
  /** The address the interfaces listen on; the default serves this machine alone. */
  host: z.string().min(1).default('127.0.0.1'),
  port: port.default(36_002),
  socketPort: port.default(36_003),
  /** What web pages of other origins may do: `public`, read what is public; named ones do everything; empty for none. */
  allowOrigin: allowOriginSetting(),
  /** Where clients reach the node, where that is not its own address: an origin. */
  publicUrl: originSetting().optional(),
  logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  http: z
    .strictObject({
      bodyBytesMax: count(64 * 1024 * 1024).default(queryLimits.bodyBytesMax),
      connectionsMax: count(100_000).default(2_000),
      requestTimeoutMs: count(600_000).default(30_000),
    })
    .prefault({}),
  socket: z
    .strictObject({
      connectionsMax: count(100_000).default(socketLimits.connectionsMax),
      pingIntervalMs: count(3_600_000).default(socketLimits.pingIntervalMs),
      silenceMs: count(3_600_000).default(socketLimits.silenceMs),
    })
    .prefault({}),
  blockIntervalMs: count(60_000).default(defaults.blockIntervalMs),
  /** An empty block after this long without one; 0 makes none. */
  heartbeatMs: z.int().min(0).max(3_600_000).default(defaults.heartbeatMs),
  /** How far ahead of the clock of this machine a block may close. */
  aheadMsMax: count(100 * 366 * 86_400_000).default(defaults.aheadMsMax),
  queue: z
    .strictObject({
      transactionsMax: count(10_000_000).default(defaults.queue.transactionsMax),
      transactionsPerAccountMax: count(1_000_000).default(defaults.queue.transactionsPerAccountMax),
      lifetimeMs: count(86_400_000).default(defaults.queue.lifetimeMs),
    })
    .prefault({}),
  /** Whether the node keeps an index for explorers: transactions of accounts, what each changed, figures, search. */
  explorer: z.boolean().default(true),
  /** Of a network: where CometBFT asks this node, and where this node asks CometBFT (docs/operations.md). */
  cometbft: z
    .strictObject({
      abci: z
        .string()
        .refine((text) => parseAbciAddress(text) !== undefined, 'tcp://host:port or unix:///path')
        .default(defaults.cometbft.abci),
      rpc: z
        .string()
        .refine((text) => /^https?:\/\/[^\s/@]+\/?$/.test(text) && URL.canParse(text), 'http://host:port')
        .default(defaults.cometbft.rpc),
      /** A snapshot of the state after so many blocks, for nodes that join; 0 takes none. */
      snapshotEvery: z.int().min(0).max(1_000_000_000).default(defaults.cometbft.snapshotEvery),
      /** The largest snapshot of others that the node begins with. */
      snapshotBytesMax: count(2 ** 50).default(defaults.cometbft.snapshotBytesMax),
    })
    .prefault({}),
  signatureWorkers: z.int().min(0).max(64).default(defaults.signatureWorkers),
  stateCacheEntriesMax: count(100_000_000).default(defaults.stateCacheEntriesMax),
  treeCacheBytesMax: count(64 * 1024 * 1024 * 1024).default(defaults.treeCacheBytesMax),
});

export type NodeConfig = z.infer<typeof nodeConfigSchema>;
