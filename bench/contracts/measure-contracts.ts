/** `npm run bench -- contracts`: the engine alone, the whole node, and peers with an ERC-20 token, in one run. */
import { startChild } from '../child.ts';
import type { SizeOptions } from '../ledger/sizes.ts';
import { peerRounds, peersBeside } from '../peer/measure-peers.ts';
import { note } from '../print.ts';
import type {
  ColdResult,
  EngineOrder,
  EngineResult,
  ImagesResult,
  TokenEngineResult,
  tokens,
} from './engine-process.ts';
import { measureTokenLedger } from './ledger-measure.ts';
import { printEngine, printTargets, printWhole } from './report.ts';
import { plainToken, sampleToken } from './token-contracts.ts';
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
  const plan = {
    ...options,
    warmUp: isQuick ? tokenSenders : 16 * tokenSenders,
    perRound: isQuick ? tokenSenders : 8 * tokenSenders,
    rounds: peerRounds,
  };
  const peers = { cache: options.cache, isQuick, work: 'token' } as const;
  const ledger = await measureTokenLedger(plan, withPeer ? peersBeside(peers) : async () => []);
  printWhole(ledger);
  printTargets(engine, ledger);
}

interface EnginePlan extends Omit<EngineOrder, 'token'> {
  readonly coldRepeats: number;
  readonly images: number;
  readonly flags: string[];
}

/** The engine's process asked for everything that is measured of it. */
async function measureEngine({
  flags,
  coldRepeats,
  images,
  ...plan
}: EnginePlan): Promise<TokenEngineResult[]> {
  const measure = async (token: keyof typeof tokens, name: string): Promise<TokenEngineResult> => {
    note(`the engine alone: ${name}`);
    const engine = startChild(new URL('./engine-process.ts', import.meta.url), {
      flags: ['--expose-gc', ...flags],
    });
    try {
      const transfers = await engine.call<EngineResult>('transfers', { token, ...plan });
      const cold = await engine.call<ColdResult>('cold', { token, repeats: coldRepeats });
      const memory = await engine.call<ImagesResult>('images', { token, images });
      return { name, perRound: plan.perRound, ...transfers, ...cold, ...memory };
    } finally {
      await engine.end();
    }
  };
  return [await measure('sample', sampleToken.name), await measure('plain', plainToken.name)];
}
