/**
 * A checkpoint: the state that a verification arrived at, kept in a folder, so that a later one can go on from there.
 * Nobody has signed it. Whoever goes on from it trusts the folder as far as it says that the blocks up to its own lead to
 * its state; which blocks these are is checked against the chain, by hash.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { OperatorError, SetupError } from '@symbolon/core/faults/operator-errors';
import type { LedgerHeader } from '@symbolon/core/proto/ledger_pb';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import { z } from 'zod';
import { ChainDamaged, readBlock, readHead } from '../chain/chain-reader.ts';
import type { StoreReader } from '../store/store.ts';
import { StoreCorrupt } from '../store/store-errors.ts';
import { copyStore } from './backup-store.ts';

const files = { document: 'checkpoint.json', state: 'state' };
const formatVersion = 1;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const blockNumber = z.string().regex(/^[1-9][0-9]{0,18}$/);
const documentSchema = z.strictObject({
  format: z.literal(formatVersion),
  block: blockNumber,
  hash,
  stateRoot: hash,
  /** The block from which its blocks were executed: the first, or that of another checkpoint. */
  begunAt: blockNumber,
  savedAt: z.iso.datetime(),
});

export interface Checkpoint {
  readonly block: bigint;
  readonly hash: string;
  readonly stateRoot: string;
  readonly begunAt: bigint;
  readonly savedAt: string;
}

/** The folder is no checkpoint, or cannot become one. */
export class CheckpointError extends SetupError {
  override name = 'CheckpointError';
}

/** What the checkpoint holds is not what was saved. The folder of the node is not concerned. */
export class CheckpointDamaged extends OperatorError {
  override name = 'CheckpointDamaged';

  constructor(folder: string, damage: string, options?: ErrorOptions) {
    super(
      [
        `The checkpoint ${folder} is damaged: ${damage}`,
        "The node's folder is not concerned; its chain was not verified.",
        'Make a new checkpoint with: symbolon node verify --save <folder>',
      ].join('\n'),
      options,
    );
  }
}

/** Does what reads nothing but the checkpoint in this folder, if there is one: damage that is met is damage of that. */
export async function blaming<Result>(
  folder: string | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (folder === undefined) throw error;
    if (error instanceof StoreCorrupt) throw new CheckpointDamaged(folder, error.damage, { cause: error });
    if (error instanceof ChainDamaged) throw new CheckpointDamaged(folder, error.message, { cause: error });
    throw error;
  }
}

/** Throws if a checkpoint could not be saved there: better before hours of work than after. */
export async function assertFree(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length > 0)
    throw new CheckpointError(`${folder} is not empty: name a new folder for the checkpoint.`);
}

/** Makes a checkpoint of a store that is closed. */
export async function saveCheckpoint(
  folder: string,
  scratchPath: string,
  { head, begunAt, savedAt }: { head: LedgerHeader; begunAt: bigint; savedAt: Date },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await copyStore(scratchPath, join(folder, files.state));
  await syncFolder(join(folder, files.state));
  const document: z.infer<typeof documentSchema> = {
    format: formatVersion,
    block: String(head.seq),
    hash: encodeHex(head.hash),
    stateRoot: encodeHex(head.accountTreeHash),
    begunAt: String(begunAt),
    savedAt: savedAt.toISOString(),
  };
  // Last: without it the folder is none.
  await writeFile(join(folder, files.document), `${JSON.stringify(document, null, 2)}\n`, { flush: true });
  await syncFolder(folder);
}

/** Copies the state of a checkpoint to where it may be changed. */
export async function takeCheckpoint(folder: string, scratchPath: string): Promise<Checkpoint> {
  const file = join(folder, files.document);
  if (!existsSync(file))
    throw new CheckpointError(
      `${folder} holds no checkpoint. One is made by: symbolon node verify --save <folder>`,
    );
  const found = documentSchema.safeParse(parsedJson(await readFile(file, 'utf8')));
  if (!found.success) throw new CheckpointError(`${file} is not the document of a checkpoint`);
  await copyStore(join(folder, files.state), scratchPath);
  const { block, begunAt, hash, stateRoot, savedAt } = found.data;
  return { hash, stateRoot, savedAt, block: BigInt(block), begunAt: BigInt(begunAt) };
}

/** Throws if the state is not the one that the document of the checkpoint speaks of. */
export function assertCheckpoint(state: StoreReader, { block, hash, stateRoot }: Checkpoint): void {
  const head = readHead(state);
  const { header } = readBlock(state, head.seq);
  const isIt =
    head.seq === block && encodeHex(head.hash) === hash && encodeHex(header.accountTreeHash) === stateRoot;
  if (!isIt) throw new ChainDamaged(`its state is not that of its block ${block}`);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Removes what a verification worked on. */
export const removeScratch = (path: string): Promise<void> => rm(path, { recursive: true, force: true });
