/**
 * `manifest.json` of a backup: what is in it, from when, and the checksum of every file, written last. A folder without
 * it is an unfinished backup. The manifest carries a checksum of itself, against damage. Against somebody who rewrites
 * the whole backup only the passphrase helps, where secrets are in it: they are sealed together with `contentHash`.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import path from 'node:path';
import { backupLimits } from '@symbolon/core/limits';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json';
import { z } from 'zod';
import { CommandFailure, exitCodes } from '../failure.ts';
import { writeWhole } from './durable-files.ts';

/** Raised whenever a program of the version before could not read what this one writes. */
export const backupFormat = 1;

export const manifestName = 'manifest.json';
/** Stands in the folder from the beginning of a backup to its end. */
export const unfinishedName = 'UNFINISHED';
export const secretsName = 'secrets.sealed';

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));
const exact = z.union([z.int(), z.bigint()]).transform(BigInt).pipe(z.bigint().min(0n));
const count = z.int().min(0);
const name = z.string().min(1).max(200);

/** Below the backup and nowhere else: no dots that lead out, no roots. */
const filePath = z
  .string()
  .max(200)
  .regex(/^(ledger|service)\/([A-Za-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]*$|^secrets\.sealed$/);

/** Which parts a backup of a kind has. */
const partsOfKind = {
  demo: ['ledger', 'service'],
  node: ['ledger'],
  service: ['service'],
} as const;

const manifestSchema = z.strictObject({
  symbolonBackup: z.literal(backupFormat),
  id: hex(16),
  createdAt: z.iso.datetime(),
  version: name,
  kind: z.enum(['demo', 'node', 'service']),
  ledger: z
    .strictObject({
      chainId: exact,
      height: exact,
      blockHash: hex(32),
      stateRoot: hex(32),
      transactions: exact,
      accounts: exact,
    })
    .optional(),
  service: z
    .strictObject({
      database: z.enum(['sqlite', 'postgres']),
      migrations: z.array(name).max(10_000),
      rows: z.record(name, count),
      audit: z.strictObject({ sequence: count, hash: z.string().max(64) }),
      masterKeys: z.array(hex(8)).max(10_000),
    })
    .optional(),
  secrets: z.strictObject({
    isIncluded: z.boolean(),
    /** What there is of secrets, in the backup or not. */
    names: z.array(name).max(100),
    /** What no backup can hold. */
    elsewhere: z.array(name).max(100),
  }),
  files: z
    .array(z.strictObject({ path: filePath, bytes: count, sha256: hex(32) }))
    .max(backupLimits.filesMax),
  checksum: hex(32),
});

export type BackupManifest = Omit<z.infer<typeof manifestSchema>, 'checksum'>;

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Of everything but the secrets. */
export const contentHash = ({ id, kind, files }: Pick<BackupManifest, 'id' | 'kind' | 'files'>): string => {
  const contents = files.filter((file) => file.path !== secretsName);
  return checksumOf(JSON.stringify([id, kind, contents.map((file) => [file.path, file.bytes, file.sha256])]));
};

export const manifestJson = (manifest: BackupManifest): JsonObject => manifest as unknown as JsonObject;

export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const checksum = checksumOf(stringifyJson(manifestJson(manifest)));
  await writeWhole(
    path.join(folder, manifestName),
    `${stringifyJson({ ...manifestJson(manifest), checksum }, 2)}\n`,
  );
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Whether a folder is a backup, finished or not: what to do with it is then this program's business. */
export const isBackupFolder = async (folder: string): Promise<boolean> =>
  (await exists(path.join(folder, manifestName))) || (await exists(path.join(folder, unfinishedName)));

/** The manifest of a finished backup that this program can read; anything else is said in words. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readText(folder);
  const value = parsed(folder, text);
  const format = value.symbolonBackup;
  if (typeof format === 'number' && Number.isInteger(format) && format > backupFormat)
    throw new CommandFailure(
      `The backup ${folder} was made by a newer program (format ${format}; this one reads ${backupFormat}).\n` +
        'Use the program that made it, or a newer one.',
      exitCodes.config,
    );
  const read = manifestSchema.safeParse(value);
  if (!read.success) throw altered(folder, z.prettifyError(read.error).split('\n')[0] as string);
  const { checksum: _, ...rest } = value;
  if (checksumOf(stringifyJson(rest)) !== read.data.checksum)
    throw altered(folder, 'it is not what was written');
  const { checksum, ...manifest } = read.data;
  const parts = (['ledger', 'service'] as const).filter((part) => manifest[part] !== undefined);
  if (parts.join() !== partsOfKind[manifest.kind].join())
    throw altered(folder, `it has other parts than a ${manifest.kind}`);
  const paths = new Set(manifest.files.map((file) => file.path));
  if (paths.size !== manifest.files.length) throw altered(folder, 'it names a file twice');
  return manifest;
}

async function readText(folder: string): Promise<string> {
  const file = path.join(folder, manifestName);
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      throw new CommandFailure(`${file} cannot be read (${code}).`, exitCodes.damaged);
    const isUnfinished = await exists(path.join(folder, unfinishedName));
    throw new CommandFailure(
      isUnfinished
        ? `The backup ${folder} is incomplete: it was interrupted before its end.\nMake another one, into another folder.`
        : `${folder} is not a complete backup: it has no ${manifestName}.\nName the folder that symbolon backup has made.`,
      exitCodes.damaged,
    );
  }
  try {
    if ((await handle.stat()).size > backupLimits.manifestBytesMax) throw altered(folder, 'it is too large');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function parsed(folder: string, text: string): JsonObject {
  try {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Said below: where it breaks off does not matter.
  }
  throw altered(folder, 'it is not a JSON object');
}

const altered = (folder: string, why: string): CommandFailure =>
  new CommandFailure(
    `The backup ${folder} is damaged: ${manifestName} cannot be used (${why}).\nUse another backup.`,
    exitCodes.damaged,
  );
