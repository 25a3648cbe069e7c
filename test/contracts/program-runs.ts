/** Runs made-up programs, each once, and tells how each ended: in any order, with any cache, with any stack above. */
import { isHostFault } from '@symbolon/core/basics/host-fault';
import { QuickJsEngine } from '@symbolon/ledger-node/contracts/engine/quickjs-engine';
import { contractsInState } from './contracts-in-state.ts';
import type { Program } from './random-programs.ts';

export interface RunOptions {
  /** Indexes of the programs in the order of their runs. */
  readonly order?: readonly number[];
  readonly codeImagesBytesMax?: number;
  /** How many calls lie above each run; one that runs out of stack is said to have been cut short. */
  readonly callsAbove?: (index: number) => number;
}

export const cutShort = 'cut short';

/** By index of the program: how it ended, and its gas. */
export async function runPrograms(
  programs: readonly Program[],
  { order = [...programs.keys()], codeImagesBytesMax, callsAbove = () => 0 }: RunOptions = {},
): Promise<readonly string[]> {
  const { deploy, call } = await contractsInState(() => ({
    engine: new QuickJsEngine(codeImagesBytesMax === undefined ? {} : { codeImagesBytesMax }),
  }));
  const addresses = programs.map(({ code }) => deploy(code));
  const ends: string[] = [];
  const under = (calls: number, work: () => string): string => (calls > 0 ? under(calls - 1, work) : work());
  for (const index of order) {
    const run = (): string => {
      const { text, gas } = call(addresses[index], programs[index].input);
      return `${text} (${gas} gas)`;
    };
    try {
      ends[index] = under(callsAbove(index), run);
    } catch (error) {
      if (!isHostFault(error)) throw error;
      ends[index] = cutShort;
    }
  }
  return ends;
}
