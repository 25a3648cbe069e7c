/** The engine's process asked for everything that is measured of it. */
import { startChild } from '../child.ts';
import { note } from '../print.ts';
import type {
  ColdResult,
  EngineOrder,
  EngineResult,
  EngineRound,
  ImagesResult,
  tokens,
} from './engine-process.ts';
import { plainToken, sampleToken } from './token-contracts.ts';

export interface TokenEngineResult extends Omit<EngineResult, 'rounds'>, ColdResult, ImagesResult {
  readonly name: string;
  readonly perRound: number;
  readonly rounds: readonly EngineRound[];
}

export interface EnginePlan extends Omit<EngineOrder, 'token'> {
  readonly coldRepeats: number;
  readonly images: number;
  readonly flags: string[];
}

const script = new URL('./engine-process.ts', import.meta.url);

export async function measureEngine({
  flags,
  coldRepeats,
  images,
  ...plan
}: EnginePlan): Promise<TokenEngineResult[]> {
  const measure = async (token: keyof typeof tokens, name: string): Promise<TokenEngineResult> => {
    note(`the engine alone: ${name}`);
    const engine = startChild(script, { flags: ['--expose-gc', ...flags] });
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
