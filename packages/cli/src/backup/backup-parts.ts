/**
 * Where node and service are in a folder: together as the demo has them, or one of them alone. In a backup they are
 * always in `ledger/` and `service/`; this says which place there is which place here.
 */

import path from 'node:path';
import { isServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import { isNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { exists } from '../machine/files.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { type Progress, showProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { BackupManifest } from './manifest.ts';

export type BackupKind = BackupManifest['kind'];

export interface BackupParts {
  readonly kind: BackupKind;
  readonly ledger?: string;
  readonly service?: string;
}

export async function findParts(folder: string): Promise<BackupParts> {
  if (await isNodeFolder(folder)) return partsOf(folder, 'node');
  if (await isServiceFolder(folder)) return partsOf(folder, 'service');
  const parts = partsOf(folder, 'demo');
  const isDemo =
    (await isNodeFolder(parts.ledger as string)) && (await isServiceFolder(parts.service as string));
  if (isDemo) return parts;
  const isThere = await exists(folder);
  throw new CommandFailure(
    `${folder} ${isThere ? 'holds neither a node nor a service' : 'does not exist'}: there is nothing to back up.\n` +
      'Name the folder of a node, of a service, or of the demo (.symbolon/dev).',
    isThere ? exitCodes.config : exitCodes.notFound,
  );
}

/** The folders of a kind, whether they exist or not. */
export function partsOf(folder: string, kind: BackupKind): BackupParts {
  if (kind === 'node') return { kind, ledger: folder };
  if (kind === 'service') return { kind, service: folder };
  return { kind, ledger: path.join(folder, 'ledger'), service: path.join(folder, 'service') };
}

/** Where a file of the backup belongs: `ledger/genesis.json` beside `demo.json`, or right in the node's folder. */
export function pathOf(parts: BackupParts, folder: string, file: string): string {
  const [part = '', ...rest] = file.split('/');
  const below = { ledger: parts.ledger, service: parts.service }[part];
  return below === undefined ? path.join(folder, file) : path.join(below, ...rest);
}

/** What is done sooner is not worth a word. */
const silentMs = 1_000;

/** Does work whose size is known only when it has begun, and shows how far it has come once it takes its time. */
export async function withProgress<Done>(
  terminal: Terminal,
  what: string,
  work: (advance: (done: number, total: number) => void) => Promise<Done>,
): Promise<Done> {
  const startedAt = performance.now();
  let shown: Progress | undefined;
  const advance = (done: number, total: number): void => {
    if (performance.now() - startedAt < silentMs) return;
    shown ??= showProgress(terminal, { total, what });
    shown.advance(done);
  };
  try {
    return await work(advance);
  } finally {
    shown?.end();
  }
}
