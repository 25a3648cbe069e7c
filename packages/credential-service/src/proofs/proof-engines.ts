/** The engines that a service can compute proofs with, where the workers of each are, and which one it is to be. */
import { SetupError } from '@symbolon/core/faults/operator-errors';
import type { Log } from '@symbolon/host/telemetry/log';
import { type NativeLibrary, nativeLibrary } from '@symbolon/native-proofs/native-library';
import { openProcess } from './process-place.ts';
import type { OpenPlace } from './proof-place.ts';
import { openThread } from './thread-place.ts';

export const engineNames = ['native', 'webassembly'] as const;
export type EngineName = (typeof engineNames)[number];

interface ProofEngineKind {
  readonly open: OpenPlace;
  /** Exports `createEngine`. */
  readonly module: URL;
}

export const proofEngines: Readonly<Record<EngineName, ProofEngineKind>> = {
  // It may abort, which ends a process.
  native: { open: openProcess, module: new URL('./engines/native.ts', import.meta.url) },
  webassembly: { open: openThread, module: new URL('./engines/webassembly.ts', import.meta.url) },
};

/**
 * The library is loaded here once to see that it can be; nothing is ever computed with it outside of the workers. Throws
 * `SetupError` where the native engine is demanded and cannot be had.
 */
export function chooseEngine(
  setting: 'auto' | EngineName,
  log: Pick<Log, 'warn'>,
  library: () => NativeLibrary = nativeLibrary,
): EngineName {
  if (setting === 'webassembly') return setting;
  const found = library();
  if (found.native) return 'native';
  const { reason } = found;
  if (setting === 'native')
    throw new SetupError(
      `proofEngine is native, and the native engine cannot be used (${reason}); auto takes WebAssembly then`,
    );
  log.warn(
    { reason },
    'proofs are computed on WebAssembly, which takes five to ten times as long as natively',
  );
  return 'webassembly';
}
