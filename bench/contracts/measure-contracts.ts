/** `npm run bench -- contracts`: the engine alone, the whole node, and hardhat with an ERC-20 token, in one run. */
import type { SizeOptions } from '../ledger/sizes.ts';
import { measurePeers } from '../peer/hardhat.ts';
import { measureEngine } from './engine-measure.ts';
import { measureTokenLedger } from './ledger-measure.ts';
import { printEngine, printTarget, printWhole } from './report.ts';
import { tokenSenders } from './token-transactions.ts';

export interface ContractsOptions extends SizeOptions {
  readonly isQuick: boolean;
  readonly withPeer: boolean;
}

export async function measureContracts({ isQuick, withPeer, ...options }: ContractsOptions): Promise<void> {
  const engine = await measureEngine({
    warmUp: isQuick ? 2_000 : 5_000,
    perRound: isQuick ? 1_000 : 10_000,
    rounds: options.rounds,
    coldRepeats: isQuick ? 10 : 50,
    images: isQuick ? 20 : 200,
    flags: options.nodeFlags,
  });
  printEngine(engine);
  const ledger = await measureTokenLedger({
    ...options,
    warmUp: isQuick ? tokenSenders : 2 * tokenSenders,
    perRound: isQuick ? tokenSenders : 4 * tokenSenders,
  });
  printWhole(ledger, withPeer ? await measurePeers(options.cache, isQuick, 'token') : []);
  printTarget(engine);
}
