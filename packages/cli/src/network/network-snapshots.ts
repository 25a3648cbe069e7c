/** Snapshots of running nodes: taken on request, and what of them whoever begins with one may trust. */
import { setTimeout as delay } from 'node:timers/promises';
import { snapshotBlocks } from '@symbolon/ledger-node/drivers/comet/snapshot-folder';
import type { TrustedStart } from '@symbolon/ledger-node/node/comet-home';
import { snapshotsPath } from '@symbolon/ledger-node/node/node-folder';
import { snapshotSignal } from '../servers/start-node.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { ledgerFolderOf, type Network, type NetworkNode, rpcUrlOf } from './network-file.ts';
import { blockOnNodes, type NodeLook } from './observing.ts';
import { pidOf, processLogOf } from './processes.ts';

/** A state of some gigabytes takes minutes. */
const patienceMs = 600_000;
const lookMs = 100;

/** Has a running node take a snapshot of its newest block. Answers which block it is of. */
export async function askForSnapshot(network: Network, { node, block = 0 }: NodeLook): Promise<bigint> {
  const folder = snapshotsPath(ledgerFolderOf(network, node));
  const pid = await pidOf(network, node, 'ledger');
  const deadline = performance.now() + patienceMs;
  if (pid !== undefined) process.kill(pid, snapshotSignal);
  while (performance.now() < deadline && (await pidOf(network, node, 'ledger')) === pid) {
    const [newest] = await snapshotBlocks(folder);
    if (newest !== undefined && newest >= BigInt(block)) return newest;
    await delay(lookMs);
  }
  throw new CommandFailure(
    `${node.name} has taken no snapshot.\nIts log says why: ${processLogOf(network, node, 'ledger')}`,
  );
}

export interface TrustedBlock {
  readonly height: number;
  readonly hash: string;
}

/**
 * The block from which a node believes the others: the one that somebody names, or else the block of the snapshot, when all
 * that answer say the same of it. What is named must be what they have, or the node would wait for ever.
 */
export async function trustedStart(
  nodes: readonly NetworkNode[],
  snapshot: bigint,
  named: TrustedBlock | undefined,
): Promise<TrustedStart> {
  const height = named?.height ?? Number(snapshot);
  const { isSame, nodes: said } = await blockOnNodes(nodes, height);
  const [first] = said;
  if (!first) throw usageFailure(`No node has block ${height}; nothing was done.`);
  if (!isSame)
    throw new CommandFailure(
      `Block ${height} is not the same on all nodes; nothing was done.\nOne of them has another past than the others.\nName the block that you trust: --height and --hash`,
      exitCodes.damaged,
      { code: 'fork' },
    );
  if (named && named.hash !== first.hash)
    throw usageFailure(
      `The nodes have another block ${height} than the one that is trusted; nothing was done.\nTheirs has the hash ${first.hash}.\nAsk whoever told you the hash; trust neither until you know.`,
    );
  const servers = nodes.map(rpcUrlOf);
  return {
    // CometBFT wants a second one that it can compare with.
    rpcServers: servers.length > 1 ? servers : [...servers, ...servers],
    height: String(height),
    hash: first.hash.toUpperCase(),
  };
}
