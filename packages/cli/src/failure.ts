/**
 * What a person at the terminal is told when a command fails: what happened, why, what to do. Expected failures
 * are recognised by their type; anything else is a defect and shows its stack.
 */
import { ConfigError } from '@symbolon/host/config';
import { ChainDamaged } from '@symbolon/ledger-node/chain-reader';
import { NodeFolderError } from '@symbolon/ledger-node/node-folder';
import { StoreCorrupt, StoreLocked } from '@symbolon/ledger-node/store/store-errors';

export const exitCodes = {
  failed: 1,
  usage: 2,
  damaged: 65,
  unreachable: 69,
  config: 78,
} as const;

/** A failure with its own words and exit code. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function failureOf(error: unknown): { message: string; exitCode: number } {
  if (error instanceof CommandFailure) return error;
  if (error instanceof ConfigError) return { message: error.message, exitCode: exitCodes.config };
  if (error instanceof NodeFolderError) return { message: error.message, exitCode: exitCodes.config };
  if (error instanceof StoreLocked) return { message: error.message, exitCode: exitCodes.failed };
  if (error instanceof StoreCorrupt || error instanceof ChainDamaged) {
    const advice = "Restore the folder from a backup, or start from another node's copy.";
    return { message: `The chain is damaged: ${error.message}\n${advice}`, exitCode: exitCodes.damaged };
  }
  const busyPort = portInUse(error);
  if (busyPort) return { message: busyPort, exitCode: exitCodes.failed };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message: text, exitCode: exitCodes.failed };
}

function portInUse(error: unknown): string | undefined {
  const { code, port } = error as { code?: string; port?: number };
  if (code !== 'EADDRINUSE') return undefined;
  return `Port ${port} is in use by another program. Stop it, or choose another port.`;
}
