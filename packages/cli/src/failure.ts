/**
 * What a person at the terminal is told when a command fails: what happened, why, what to do. Expected failures
 * are recognised by their type; anything else is a defect and shows its stack.
 */
import { Fault } from '@symbolon/core/faults';
import { ServiceFolderError } from '@symbolon/credential-service/service-folder';
import { VaultError } from '@symbolon/credential-service/vault/vault-error';
import { ConfigError } from '@symbolon/host/config';
import { DatabaseTooNew, DatabaseUnreachable } from '@symbolon/host/database/database-error';
import { ChainDamaged } from '@symbolon/ledger-node/chain-reader';
import { NodeFolderError } from '@symbolon/ledger-node/node-folder';
import { StoreCorrupt, StoreError } from '@symbolon/ledger-node/store/store-errors';

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

/** What stands wrong in a folder, a file or a setting, and its owner puts right. */
const configProblems = [NodeFolderError, ServiceFolderError, VaultError, DatabaseTooNew];

export function failureOf(error: unknown): { message: string; exitCode: number } {
  if (error instanceof CommandFailure) return error;
  if (error instanceof ConfigError) return { message: error.message, exitCode: exitCodes.config };
  if (configProblems.some((type) => error instanceof type))
    return { message: (error as Error).message, exitCode: exitCodes.config };
  if (error instanceof DatabaseUnreachable)
    return { message: error.message, exitCode: exitCodes.unreachable };
  if (error instanceof Fault) return { message: error.message, exitCode: exitCodes.failed };
  if (error instanceof StoreCorrupt || error instanceof ChainDamaged) {
    const advice = "Restore the folder from a backup, or start from another node's copy.";
    return { message: `The chain is damaged: ${error.message}\n${advice}`, exitCode: exitCodes.damaged };
  }
  if (error instanceof StoreError) return { message: error.message, exitCode: exitCodes.failed };
  const refusedBySystem = systemRefusal(error);
  if (refusedBySystem) return { message: refusedBySystem, exitCode: exitCodes.failed };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message: text, exitCode: exitCodes.failed };
}

/** What the machine would not do: a port, a file, a folder. Its own words name which. */
function systemRefusal(error: unknown): string | undefined {
  const { code, port, syscall } = (error ?? {}) as { code?: string; port?: number; syscall?: string };
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Stop it, or choose another port.`;
  return error instanceof Error && syscall !== undefined ? error.message : undefined;
}
