/**
 * Token transfers through the whole node: signed transactions, handed in directly and over HTTP, each way on a
 * fresh copy of a prepared chain where the token was deployed a moment before.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Child, startChild } from '../child.ts';
import type { DirectOrder, Ready, Usage } from '../ledger/node-process.ts';
import { copyChain, prepareChain } from '../ledger/prepared-chain.ts';
import { type RoundPlan, type Rounds, runDirect, runHttp } from '../ledger/rounds.ts';
import { note } from '../print.ts';
import { deployment, tokenHolders, transferBodies } from './token-transactions.ts';

export interface LedgerOptions {
  readonly cache: string;
  readonly warmUp: number;
  readonly perRound: number;
  readonly rounds: number;
  readonly connections: number;
  readonly inFlightMax: number;
  readonly nodeFlags: string[];
}

/** With the memory the node held at the end, as the peer's is measured. */
export interface TokenRounds extends Rounds {
  readonly rssBytes: number;
}

export interface LedgerResult {
  readonly direct: TokenRounds;
  readonly http: TokenRounds;
}

const nodeScript = new URL('../ledger/node-process.ts', import.meta.url);

export async function measureTokenLedger(options: LedgerOptions): Promise<LedgerResult> {
  const { cache, warmUp, perRound, rounds, connections, inFlightMax } = options;
  const prepared = await prepareChain(cache, tokenHolders);
  const { bodies, token } = deployment();
  const setUpFile = join(cache, 'token-deployment.jsonl');
  await writeFile(setUpFile, `${bodies.join('\n')}\n`);
  const file = join(cache, 'token-transfers.jsonl');
  note('signing token transfers');
  await writeFile(file, `${transferBodies(token, warmUp + rounds * perRound).join('\n')}\n`);
  const plan: RoundPlan = { file, warmUp, perRound, rounds };

  const onFreshNode = async (work: (node: Child, port: number) => Promise<Rounds>): Promise<TokenRounds> => {
    const folder = await copyChain(prepared, join(cache, 'contracts-under-test'));
    const node = startChild(nodeScript, { args: [folder], flags: options.nodeFlags });
    try {
      const { port } = await node.call<Ready>('ready');
      const order: DirectOrder = { file: setUpFile, from: 0, to: bodies.length, inFlightMax: bodies.length };
      await node.call('prepare', order);
      await node.call('direct', order);
      const measured = await work(node, port);
      const { rssBytes } = await node.call<Usage>('usage');
      return { ...measured, rssBytes };
    } finally {
      await node.end();
    }
  };

  note('the ledger: token transfers, direct');
  const direct = await onFreshNode((node) => runDirect(node, plan, inFlightMax));
  note('the ledger: token transfers over HTTP');
  const http = await onFreshNode((node, port) => runHttp(node, plan, { port, connections }));
  return { direct, http };
}
