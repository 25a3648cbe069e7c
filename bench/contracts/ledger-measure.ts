/**
 * Token transfers through the whole node: signed transactions, handed in directly and over HTTP, each way on a
 * fresh copy of a prepared chain where the token was deployed a moment before.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Turns } from '@symbolon/host/work/turns';
import type { Child } from '../child.ts';
import type { DirectOrder, Usage } from '../ledger/node-process.ts';
import { copyChain, prepareChain } from '../ledger/prepared-chain.ts';
import { type RoundPlan, type Rounds, runDirect, runHttp } from '../ledger/rounds.ts';
import { type SizeOptions, withNode } from '../ledger/sizes.ts';
import type { MeasureBeside } from '../peer/peer.ts';
import { note } from '../print.ts';
import { deployment, tokenHolders, transferBodies } from './token-transactions.ts';

/** With the memory the node held at the end, as the peer's is measured. */
export interface TokenRounds extends Rounds {
  readonly rssBytes: number;
}

export async function measureTokenLedger(options: SizeOptions, measureBeside: MeasureBeside) {
  const { cache, scratch, warmUp, perRound, rounds, connections, inFlightMax, nodeFlags } = options;
  const prepared = await prepareChain(cache, tokenHolders);
  const { bodies, token } = deployment();
  const setUpFile = join(cache, 'token-deployment.jsonl');
  await writeFile(setUpFile, `${bodies.join('\n')}\n`);
  const file = join(cache, 'token-transfers.jsonl');
  note('signing token transfers');
  await writeFile(file, `${transferBodies(token, warmUp + rounds * perRound).join('\n')}\n`);
  const plan: RoundPlan = { file, warmUp, perRound, rounds };

  const onFreshNode = async (work: (node: Child, port: number) => Promise<Rounds>): Promise<TokenRounds> => {
    const folder = await copyChain(prepared, scratch);
    return withNode(folder, nodeFlags, async ({ node, port }) => {
      const order: DirectOrder = { file: setUpFile, from: 0, to: bodies.length, inFlightMax: bodies.length };
      await node.call('prepare', order);
      await node.call('direct', order);
      const measured = await work(node, port);
      const { rssBytes } = await node.call<Usage>('usage');
      return { ...measured, rssBytes };
    });
  };

  note('the ledger: token transfers, direct');
  const direct = await onFreshNode((node) => runDirect(node, plan, inFlightMax));
  note('the ledger and peers: token transfers over HTTP, a round of each in turn');
  const turns = new Turns(1);
  const [http, peers] = await Promise.all([
    onFreshNode((node, port) => runHttp(node, { ...plan, turns }, { port, connections })),
    measureBeside(turns),
  ]);
  return { direct, http, peers };
}
export type LedgerResult = Awaited<ReturnType<typeof measureTokenLedger>>;
