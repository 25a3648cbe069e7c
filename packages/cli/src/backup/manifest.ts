/**
 * `manifest.json` of a backup: what is in it, from when, and the checksum of every file, written last. A folder without
 * it is an unfinished backup. The manifest carries a checksum of itself, against damage, and a signature of whoever
 * made it (`maker.ts`), against somebody who rewrites the whole backup. Secrets are encrypted together with
 * `contentHash`, so that the passphrase that opens them says the same.
 */

import path from 'node:path';
import { backupLimits } from '@symbolon/host/limits/server-limits';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { z } from 'zod';
import { NotPlainFile, readBounded, writeWhole } from '../machine/durable-files.ts';
import { exists } from '../machine/files.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { parseJsonObject } from '../terminal/json-file.ts';
import { secretFiles } from './encrypted-secrets.ts';
import { type BackupSigner, isSignedBy, makerRoles, signText } from './maker.ts';

/** Raised whenever a program of the version before could not read what this one writes. */
export const backupFormat = 2;
/** Before backups were signed; still read. */
const unsignedFormat = 1;

export const manifestName = 'manifest.json';
/** Stands in the folder from the beginning of a backup to its end. */
export const unfinishedName = 'UNFINISHED';
export const secretsName = 'secrets.sealed';

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));
const exact = z.union([z.int(), z.bigint()]).transform(BigInt).pipe(z.bigint().min(0n));
const count = z.int().min(0);
/** Names are shown, so they are nothing but what can be seen. */
const name = z.string().regex(/^[ -~]{1,200}$/);

/**
 * Everything that lies open in a backup. What is not here is nothing that a node or a service would be backed up as.
 */
const plainPaths = [
  /^ledger\/(genesis|node)\.json$/,
  /^ledger\/chain\/(CURRENT|head|MANIFEST-\d{6,20}|\d{6,20}\.(ldb|sst|log))$/,
  /^service\/service\.(json|db)$/,
  /^service\/tables\/[A-Za-z]\w{0,62}\.jsonl$/,
];

const filePath = z
  .string()
  .refine((path) => path === secretsName || plainPaths.some((one) => one.test(path)), {
    error: ({ input }) =>
      (secretFiles as readonly unknown[]).includes(input)
        ? `${input} is a secret, and lies open`
        : 'a file is none of a backup',
  });

/** Which parts a backup of a kind has. */
const partsOfKind = {
  demo: ['ledger', 'service'],
  node: ['ledger'],
  service: ['service'],
} as const;

const manifestSchema = z.strictObject({
  symbolonBackup: z.literal([unsignedFormat, backupFormat]),
  id: hex(16),
  createdAt: z.iso.datetime(),
  version: name,
  kind: z.enum(['demo', 'node', 'service']),
  maker: z.strictObject({ publicKey: hex(32), as: z.enum(makerRoles) }).optional(),
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
  signature: hex(64).optional(),
});

/** A maker that stands in a manifest that was read has signed it. */
export type BackupManifest = Omit<z.infer<typeof manifestSchema>, 'checksum' | 'signature'>;

/** Of everything but the secrets, and of who made it. */
export function contentHash(manifest: BackupManifest): string {
  const { symbolonBackup, id, kind, createdAt, maker, secrets } = manifest;
  const files = manifest.files
    .filter((file) => file.path !== secretsName)
    .map((file) => [file.path, file.bytes, file.sha256]);
  if (symbolonBackup === unsignedFormat) return sha256Hex(JSON.stringify([id, kind, files]));
  const facts = [createdAt, maker?.publicKey, secrets.names, secrets.elsewhere];
  return sha256Hex(JSON.stringify([id, kind, ...facts, files]));
}

export const manifestJson = (manifest: BackupManifest): JsonObject => manifest as unknown as JsonObject;
const textOf = (manifest: BackupManifest): string => stringifyJson(manifestJson(manifest));

/** Writes the manifest, whose maker is the signer's. */
export async function writeManifest(
  folder: string,
  manifest: BackupManifest,
  signer: BackupSigner,
): Promise<void> {
  const text = textOf(manifest);
  const proofs = { checksum: sha256Hex(text), signature: await signText(signer, text) };
  await writeWhole(
    path.join(folder, manifestName),
    `${stringifyJson({ ...manifestJson(manifest), ...proofs }, 2)}\n`,
  );
}

/** Whether a folder is a backup, finished or not: what to do with it is then this program's business. */
export const isBackupFolder = async (folder: string): Promise<boolean> =>
  (await exists(path.join(folder, manifestName))) || (await exists(path.join(folder, unfinishedName)));

/** The manifest of a finished backup that this program can read; anything else is said in words. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const value = parseJsonObject(await readText(folder));
  if (!value) throw altered(folder, 'it is not a JSON object');
  const format = value.symbolonBackup;
  if (typeof format === 'number' && Number.isInteger(format) && format > backupFormat)
    throw new CommandFailure(
      `The backup ${folder} was made by a newer program (format ${format}; this one reads ${backupFormat}).\n` +
        'Use the program that made it, or a newer one.',
      exitCodes.config,
    );
  const read = manifestSchema.safeParse(value);
  if (!read.success) throw altered(folder, z.prettifyError(read.error).split('\n')[0] as string);
  const { checksum: _, signature: __, ...rest } = value;
  const { checksum, signature, ...manifest } = read.data;
  const text = stringifyJson(rest);
  if (sha256Hex(text) !== checksum) throw altered(folder, 'it is not what was written');
  const problem = contradictionOf(manifest) ?? (await signatureProblem(manifest, { text, signature }));
  if (problem !== undefined) throw altered(folder, problem);
  return manifest;
}

/** What a manifest says of itself that cannot be so. */
function contradictionOf({ kind, files, secrets, ...manifest }: BackupManifest): string | undefined {
  const parts: readonly string[] = partsOfKind[kind];
  const given = (['ledger', 'service'] as const).filter((part) => manifest[part] !== undefined);
  if (given.join() !== parts.join()) return `it has other parts than a ${kind}`;
  const paths = new Set(files.map((file) => file.path));
  if (paths.size !== files.length) return 'it names a file twice';
  const foreign = [...paths].find(
    (one) => one !== secretsName && !parts.includes(one.split('/')[0] as string),
  );
  const large = files.find(
    (file) => file.path.endsWith('.json') && file.bytes > backupLimits.settingsBytesMax,
  );
  if (large) return `${large.path} is too large`;
  if (foreign !== undefined) return `${foreign} is no file of a ${kind}`;
  if (paths.has(secretsName) !== secrets.isIncluded) return `${secretsName} is not where it is said to be`;
  return undefined;
}

async function signatureProblem(
  { symbolonBackup, maker }: BackupManifest,
  { text, signature }: { text: string; signature: string | undefined },
): Promise<string | undefined> {
  if (symbolonBackup === unsignedFormat)
    return maker || signature ? 'a format without signatures has one' : undefined;
  if (!maker || signature === undefined) return 'its signature is missing';
  return (await isSignedBy(maker, text, signature)) ? undefined : 'its signature is not of its maker';
}

async function readText(folder: string): Promise<string> {
  const file = path.join(folder, manifestName);
  let bytes: Buffer | undefined;
  try {
    bytes = await readBounded(file, backupLimits.manifestBytesMax);
  } catch (error) {
    if (error instanceof NotPlainFile) throw altered(folder, 'it is no plain file');
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
  if (bytes === undefined) throw altered(folder, 'it is too large');
  return bytes.toString('utf8');
}

const altered = (folder: string, why: string): CommandFailure =>
  new CommandFailure(
    `The backup ${folder} is damaged: ${manifestName} cannot be used (${why}).\nUse another backup.`,
    exitCodes.damaged,
  );
