/**
 * Accounts for a network before its first start, without the transactions that would take hours: the chain of one node is
 * filled as those of the ledger benchmark are (`prepared-chain.ts`), the others get copies, and CometBFT begins one block
 * later, with the app hash of the last one. All settings but that stay as `symbolon network init` made them.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findComet } from '@symbolon/cli/network/comet-program';
import {
  cometHomeOf,
  ledgerFolderOf,
  type Network,
  type NetworkNode,
} from '@symbolon/cli/network/network-file';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import { sha256 } from '@symbolon/host/work/sha256';
import { type AbciHandlers, AbciServer } from '@symbolon/ledger-node/abci/abci-server';
import { settingsPath, storePath } from '@symbolon/ledger-node/node/node-folder';
import { ResponseInfo, ResponseInitChain } from 'cosmjs-types/tendermint/abci/types';
import { endWithUs } from '../child.ts';
import { copyChain, fillChain } from '../ledger/prepared-chain.ts';
import { note, whole } from '../print.ts';
import { nowMs } from '../statistics.ts';
import { heightAt } from './height.ts';

export async function fillNetwork(network: Network, accounts: number): Promise<void> {
  const began = nowMs();
  const [first, ...others] = network.nodes as [NetworkNode, ...NetworkNode[]];
  const filled = ledgerFolderOf(network, first);
  const head = await fillChain(filled, accounts);
  for (const node of others) await copyChain(storePath(filled), storePath(ledgerFolderOf(network, node)));
  const appHash = appHashOf(head, sha256);
  const start = { initial_height: String(head.seq + 1n), app_hash: encodeHex(appHash).toUpperCase() };
  for (const node of network.nodes) {
    changeJson(path.join(cometHomeOf(network, node), 'config', 'genesis.json'), start);
    // Accounts that come from no transaction can be in no index.
    changeJson(settingsPath(ledgerFolderOf(network, node)), { explorer: false });
  }
  await Promise.all(network.nodes.map((node) => beginComet(network, node, appHash)));
  note(
    `${whole(accounts)} accounts put into ${network.nodes.length} chains in ${whole((nowMs() - began) / 1_000)} s`,
  );
}

function changeJson(file: string, changed: object): void {
  const content = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, `${JSON.stringify({ ...content, ...changed }, null, 2)}\n`);
}

const startMs = 120_000;

/**
 * Has CometBFT write its first state, which it does for an application without blocks alone: one that says so is here for
 * that moment, and answers nothing else.
 */
async function beginComet(network: Network, node: NetworkNode, appHash: Uint8Array): Promise<void> {
  const unanswered = (): Promise<never> => new Promise(() => {});
  const handlers: AbciHandlers = {
    info: () => ResponseInfo.fromPartial({}),
    initChain: () => ResponseInitChain.fromPartial({ appHash }),
    query: unanswered,
    checkTx: unanswered,
    prepareProposal: unanswered,
    processProposal: unanswered,
    finalizeBlock: unanswered,
    commit: unanswered,
    extendVote: unanswered,
    verifyVoteExtension: unanswered,
    listSnapshots: unanswered,
    loadSnapshotChunk: unanswered,
    offerSnapshot: unanswered,
    applySnapshotChunk: unanswered,
  };
  const fail = (error: unknown): never => {
    throw error;
  };
  const address = { host: '127.0.0.1', port: node.ports.abci };
  const server = await AbciServer.listen({ address, handlers, onRefused: fail, onFailure: fail });
  const words = ['start', '--home', cometHomeOf(network, node)];
  const comet = spawn(await findComet(), words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = endWithUs(comet);
  const deadline = nowMs() + startMs;
  // It answers once its state is written.
  while (Number.isNaN(await heightAt(node.ports.rpc))) {
    if (nowMs() > deadline || comet.exitCode !== null)
      fail(new Error(`CometBFT of ${node.name} does not begin`));
    await sleep(50);
  }
  comet.kill('SIGKILL');
  await ended;
  await server.close();
}
