/** Which engine a service of some settings would compute proofs with on this machine, and why not with the native one. */

import { SetupError } from '@symbolon/core/faults/operator-errors';
import { chooseEngine, type EngineName } from '@symbolon/credential-service/proofs/proof-engines';

export interface ChosenEngine {
  readonly engine: EngineName;
  /** Why the native one cannot be used, where it would have been. */
  readonly reason?: string;
  /** Why a service does not start with this setting. */
  readonly problem?: string;
}

export const engineWords: Readonly<Record<EngineName, string>> = {
  native: 'native',
  webassembly: 'WebAssembly',
};

/** The library is loaded, and nothing is computed with it. */
export function proofEngineOf(setting: Parameters<typeof chooseEngine>[0]): ChosenEngine {
  let reason: string | undefined;
  const warn = (facts: { readonly reason: string }): void => {
    ({ reason } = facts);
  };
  try {
    const engine = chooseEngine(setting, { warn: warn as never });
    return { engine, ...(reason !== undefined && { reason }) };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { engine: 'native', problem: error.message };
  }
}
