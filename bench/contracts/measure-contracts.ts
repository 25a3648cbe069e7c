/** `npm run bench -- contracts`: the engine alone, the whole node, and hardhat with an ERC-20 token, in one run. */
import { measureHardhat } from '../peer/hardhat.ts';
import { measureEngine } from './engine-measure.ts';
import { type LedgerOptions, measureTokenLedger } from './ledger-measure.ts';
import { type NamedPeer, printEngine, printTarget, printWhole } from './report.ts';
import { tokenSenders } from './token-transactions.ts';

export interface ContractsOptions
  extends Pick<LedgerOptions, 'cache' | 'connections' | 'inFlightMax' | 'nodeFlags'> {
  readonly isQuick: boolean;
  readonly withPeer: boolean;
}

const rounds = 3;

export async function measureContracts({ isQuick, withPeer, ...options }: ContractsOptions): Promise<void> {
  const engine = await measureEngine({
    warmUp: isQuick ? 2_000 : 5_000,
    perRound: isQuick ? 1_000 : 10_000,
    rounds,
    coldRepeats: isQuick ? 10 : 50,
    images: isQuick ? 20 : 200,
    flags: options.nodeFlags,
  });
  printEngine(engine);
  const ledger = await measureTokenLedger({
    ...options,
    warmUp: isQuick ? tokenSenders : 2 * tokenSenders,
    perRound: isQuick ? tokenSenders : 4 * tokenSenders,
    rounds,
  });
  const peers: NamedPeer[] = [];
  if (withPeer) {
    const plan = { warmUp: 256, perRound: isQuick ? 256 : 1_024, rounds };
    for (const isLogging of [true, false]) {
      const result = await measureHardhat(options.cache, plan, { isLogging, work: 'token' });
      peers.push({ name: isLogging ? 'as it comes' : 'without its log', result });
    }
  }
  printWhole(ledger, peers);
  printTarget(engine);
}
