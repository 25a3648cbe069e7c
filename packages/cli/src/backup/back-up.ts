/**
 * Makes a backup of a folder whose node and service may be running. The service comes first and the ledger after it:
 * then everything that the copied database knows to be on the ledger is on the copied ledger. The manifest comes last,
 * when every file is on disk; whatever ends this earlier leaves a folder that says of itself that it is unfinished.
 */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { backUpService, readServiceSecrets } from '@symbolon/credential-service/backup/service-backup';
import { ServiceCopyError } from '@symbolon/credential-service/backup/service-copy';
import type { ServiceConfig } from '@symbolon/credential-service/parts/service-config';
import { loadServiceConfig } from '@symbolon/credential-service/wiring/service-folder';
import { BackupRowsError } from '@symbolon/host/database/common/backup-rows';
import { DatabaseError } from '@symbolon/host/database/common/database-error';
import { backupLimits } from '@symbolon/host/limits/server-limits';
import { backUpLedger } from '@symbolon/ledger-node/operation/backup-ledger';
import {
  emptyFolder,
  hashFile,
  isFree,
  listFiles,
  makeFolder,
  syncFolders,
} from '../machine/durable-files.ts';
import { exists } from '../machine/files.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { ifInterrupted, removeIfInterrupted } from '../terminal/interruption.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type BackupParts, findParts, withProgress } from './backup-parts.ts';
import { findSigner } from './backup-signer.ts';
import { encryptSecrets, type SecretFile } from './encrypted-secrets.ts';
import type { BackupSigner } from './maker.ts';
import {
  type BackupManifest,
  backupFormat,
  contentHash,
  secretsName,
  unfinishedName,
  writeManifest,
} from './manifest.ts';
import { environmentOfServices } from './passphrase.ts';

export interface BackupOrder {
  /** The folder of a node, of a service, or of both. */
  readonly data: string;
  readonly out: string;
  /** Of this program. */
  readonly version: string;
  /** Asked for only when secrets are to be in the backup. */
  readonly passphrase?: () => Promise<string>;
  /** Whoever signs it instead of whom it is of. */
  readonly signer?: () => Promise<BackupSigner>;
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
}

export async function makeBackup(order: BackupOrder): Promise<BackupManifest> {
  const { data, out, terminal } = order;
  const parts = await findParts(data);
  if (!(await isFree(out))) throw await notFree(out);
  const chosen = await order.signer?.();
  const passphrase = await order.passphrase?.();
  const env = environmentOfServices(order.env);
  const config = parts.service === undefined ? undefined : await loadServiceConfig(parts.service, { env });
  ifInterrupted([
    'Interrupted. There is no backup; what was begun of it is removed.',
    'Give the same command again.',
  ]);
  await claimFolder(out);
  const whole = removeIfInterrupted(out);
  try {
    const service = parts.service && config && (await copyService(parts.service, out, { terminal, config }));
    const copy = path.join(out, 'service');
    const signer = chosen ?? (await findSigner({ parts, copy, config }));
    const ledger = parts.ledger && (await copyLedger(parts.ledger, out, terminal));
    const { secrets, names, elsewhere } = await gatherSecrets(parts, data, config);
    const files = await hashAll(out, terminal);
    const manifest: BackupManifest = {
      symbolonBackup: backupFormat,
      id: randomBytes(16).toString('hex'),
      createdAt: new Date().toISOString(),
      version: order.version,
      kind: parts.kind,
      maker: signer.maker,
      ...(ledger && { ledger }),
      ...(service && {
        service: { ...service, migrations: [...service.migrations], masterKeys: [...service.masterKeys] },
      }),
      secrets: { isIncluded: passphrase !== undefined, names, elsewhere },
      files,
    };
    if (passphrase !== undefined) {
      const order = { passphrase, contentHash: contentHash(manifest) };
      files.push(await writeSecrets(out, await encryptSecrets(secrets, order)));
    }
    await syncFolders(out);
    await writeManifest(out, manifest, signer);
    await rm(path.join(out, unfinishedName));
    whole();
    return manifest;
  } catch (error) {
    // What was begun here is of no use, and would be in the way of another try.
    await emptyFolder(out);
    if (!isSourceDamage(error)) throw error;
    throw new CommandFailure(
      `${data} cannot be backed up: ${error.message}.\nRestore it from an earlier backup.`,
      exitCodes.damaged,
    );
  }
}

/** From here on the folder is this backup's. Whatever came into it since it was looked at is somebody's. */
async function claimFolder(out: string): Promise<void> {
  await makeFolder(out);
  const mark = path.join(out, unfinishedName);
  const text = 'This backup is being made, or was interrupted.\n';
  const notOurs = removeIfInterrupted(mark);
  try {
    // At once, so that it is there or not when Ctrl-C comes.
    writeFileSync(mark, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    notOurs();
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw await notFree(out);
    throw error;
  }
  if ((await readdir(out)).length === 1) return;
  await rm(mark);
  throw await notFree(out);
}

async function notFree(out: string): Promise<CommandFailure> {
  const isUnfinished = await exists(path.join(out, unfinishedName));
  const advice = isUnfinished
    ? 'It holds a backup that is being made or was interrupted. Delete that one, or name another folder.'
    : 'Name a folder that is new or empty.';
  return usageFailure(`${out} is not empty.\n${advice}`);
}

/** What is found wrong with a database while it is copied and read through. */
const isSourceDamage = (error: unknown): error is Error =>
  [ServiceCopyError, BackupRowsError, DatabaseError].some((type) => error instanceof type);

const copyService = (folder: string, out: string, { terminal, config }: Copying) =>
  withProgress(
    terminal,
    config.database.startsWith('sqlite:') ? 'pages of the database' : 'rows of the database',
    (onProgress) => backUpService(folder, path.join(out, 'service'), { config, onProgress }),
  );

interface Copying {
  readonly terminal: Terminal;
  readonly config: ServiceConfig;
}

const copyLedger = (folder: string, out: string, terminal: Terminal) =>
  withProgress(terminal, 'bytes of the ledger', (onProgress) =>
    backUpLedger(folder, path.join(out, 'ledger'), { onProgress }),
  );

const hashAll = (out: string, terminal: Terminal): Promise<BackupManifest['files']> =>
  withProgress(terminal, 'files with a checksum', async (advance) => {
    const names = (await listFiles(out)).filter((name) => name !== unfinishedName);
    const files: BackupManifest['files'] = [];
    for (const name of names) {
      files.push({ path: name, ...(await hashFile(path.join(out, name))) });
      advance(files.length, names.length);
    }
    return files;
  });

async function writeSecrets(out: string, text: string): Promise<BackupManifest['files'][number]> {
  const file = path.join(out, secretsName);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return { path: secretsName, ...(await hashFile(file)) };
}

/** What is secret in the folders, and what is secret and somewhere else. */
async function gatherSecrets(
  { kind, ledger, service }: BackupParts,
  data: string,
  config: ServiceConfig | undefined,
) {
  const files: Partial<Record<SecretFile, string>> = {};
  const take = async (name: SecretFile, file: string) => {
    const text = await readSecret(file);
    if (text !== undefined) files[name] = text;
  };
  if (ledger !== undefined) {
    await take('ledger/validator.key', path.join(ledger, 'validator.key'));
    await take('ledger/genesis-account.key', path.join(ledger, 'genesis-account.key'));
  }
  if (kind === 'demo') await take('demo.json', path.join(data, 'demo.json'));
  if (service === undefined || !config)
    return { secrets: { files, settings: {} }, names: Object.keys(files), elsewhere: [] };
  const { masterKey, masterKeyElsewhere, settings, settingNames } = await readServiceSecrets(service, config);
  if (masterKey !== undefined) files['service/master.key'] = masterKey;
  return {
    secrets: { files, settings },
    names: [...Object.keys(files), ...settingNames.map((name) => `setting ${name}`)],
    elsewhere: masterKeyElsewhere === undefined ? [] : [`the master key: ${masterKeyElsewhere}`],
  };
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    if ((await stat(file)).size > backupLimits.secretFileBytesMax)
      throw new CommandFailure(`${file} is too large for a key file.`, exitCodes.config);
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
