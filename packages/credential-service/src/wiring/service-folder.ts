/**
 * The folder of a service: `service.json` (its settings), `master.key` (what everything encrypted hangs on) and, unless
 * a server is used, `service.db`. Made for its owner alone. Settings that name files mean files of this folder.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SetupError } from '@symbolon/core/faults/operator-errors';
import {
  ConfigError,
  type ConfigProblem,
  type ConfigReport,
  inspectConfig,
  loadConfig,
} from '@symbolon/host/config/config';
import { assertClosed, SecretFileError } from '@symbolon/host/config/secret-file';
import { type ServiceConfig, serviceConfigSchema } from '../parts/service-config.ts';
import { type MasterKey, masterKeyFromFile, masterKeyFromText } from '../vault/master-key.ts';
import type { OpenMasterKeys } from '../vault/vault.ts';

/** Something in the folder is missing or in the way; the message says what and what to do. */
export class ServiceFolderError extends SetupError {
  override readonly name = 'ServiceFolderError';
}

export const settingsPath = (folder: string): string => join(folder, 'service.json');

export const isServiceFolder = async (folder: string): Promise<boolean> => existsSync(settingsPath(folder));

/**
 * Makes the folder of a new service; the settings file comes last, so a folder that has it is complete. A master key that
 * is in it stays. Answers what takes back all that was made: only for as long as nothing is sealed under the key.
 */
export async function initServiceFolder(folder: string, settings: object = {}): Promise<() => Promise<void>> {
  const keyFile = join(folder, 'master.key');
  const [hadFolder, hadKey] = [existsSync(folder), existsSync(keyFile)];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const inTheWay = (await readdir(folder)).filter((name) => !name.startsWith('master.key'));
  if (inTheWay.length > 0)
    throw new ServiceFolderError(
      `${folder} is not empty. Choose another folder, or start the service that is in it.`,
    );
  await masterKeyFromFile(keyFile);
  const text = `${JSON.stringify(settings, undefined, 2)}\n`;
  await writeFile(settingsPath(folder), text, { mode: 0o600, flag: 'wx', flush: true });
  return async () => {
    await rm(settingsPath(folder));
    if (!hadKey) await rm(keyFile);
    if (!hadFolder) await rmdir(folder);
  };
}

export interface ConfigOrder {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly overrides?: object;
}

/** Names in the environment that begin so are the ledger node's, and a validator's signer's. */
const otherPrefixes = ['SYMBOLON_LEDGER_', 'SYMBOLON_SIGNER_'] as const;

const otherNames = (env: NonNullable<ConfigOrder['env']>): readonly string[] =>
  Object.keys(env).filter((name) => otherPrefixes.some((prefix) => name.startsWith(prefix)));

/**
 * Before a folder is made: what its service would have with these settings and the environment's. Throws `ConfigError`
 * with all that is wrong with them.
 */
export function assertServiceSettings(
  settings: object,
  { env = {} }: Pick<ConfigOrder, 'env'>,
): ServiceConfig {
  return loadConfig(serviceConfigSchema, { env, otherEnv: otherNames(env), overrides: settings });
}

/** The settings of a folder, of the environment and of the command line; throws `ConfigError` with all mistakes. */
export async function loadServiceConfig(
  folder: string,
  { env = {}, overrides }: ConfigOrder,
): Promise<ServiceConfig> {
  if (!(await isServiceFolder(folder)))
    throw new ServiceFolderError(
      `${folder} is not the folder of a service. Make one with: symbolon service init --data ${folder}`,
    );
  const order = { env, overrides };
  const { problems } = inspectServiceConfig(folder, order);
  if (problems.length > 0) throw new ConfigError(problems);
  return loadConfig(serviceConfigSchema, sourcesOf(folder, order));
}

const sourcesOf = (folder: string, { env = {}, overrides }: ConfigOrder) => ({
  file: settingsPath(folder),
  env,
  otherEnv: otherNames(env),
  overrides,
});

/** What is set and by whom, with everything wrong about it. */
export function inspectServiceConfig(folder: string, order: ConfigOrder): ConfigReport {
  const { settings, problems } = inspectConfig(serviceConfigSchema, sourcesOf(folder, order));
  return { settings, problems: [...problems, ...openSettings(folder)] };
}

/** The settings of a file as far as secrets can be in them. */
interface PlainSettings {
  readonly masterKey?: { readonly value?: string; readonly previous?: string[]; readonly hsm?: Pinned };
  readonly custody?: { readonly hsm?: Pinned };
  readonly database?: string;
  readonly openid?: { readonly requestCertificate?: object };
}
interface Pinned {
  readonly pin?: string;
}

/** Settings with a key, a pin or a password in them are a file that nobody else may reach, like any key file. */
function openSettings(folder: string): readonly ConfigProblem[] {
  const file = settingsPath(folder);
  const { masterKey, custody, database, openid } = plainSettings(file);
  const secrets: readonly (readonly [isSet: boolean, what: string])[] = [
    [masterKey?.value !== undefined || (masterKey?.previous ?? []).length > 0, 'a master key'],
    [masterKey?.hsm?.pin !== undefined || custody?.hsm?.pin !== undefined, 'the PIN of a hardware module'],
    [openid?.requestCertificate !== undefined, 'the key of a certificate'],
    [/^\w+:\/\/[^/@]*:[^/@]+@/.test(String(database)), 'the password of the database'],
  ];
  const [, holds] = secrets.find(([isSet]) => isSet) ?? [];
  if (holds === undefined) return [];
  const { mode } = statSync(file);
  try {
    assertClosed({ file, mode, holds });
    return [];
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    return [{ place: file, problem: error.message.replaceAll('\n', ' ') }];
  }
}

/** What is no settings at all is told by whoever reads them. */
function plainSettings(file: string): PlainSettings {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8'))) as PlainSettings;
  } catch {
    return {};
  }
}

const inMemory = 'sqlite::memory:';

/** The address of the database, with files taken from the folder. */
export function databaseUrl(folder: string, { database }: Pick<ServiceConfig, 'database'>): string {
  if (!database.startsWith('sqlite:') || database === inMemory) return database;
  return `sqlite:${resolve(folder, database.slice('sqlite:'.length))}`;
}

/** The file of the database, where it is one. */
export function databaseFile(folder: string, config: Pick<ServiceConfig, 'database'>): string | undefined {
  return sqliteFileOf(databaseUrl(folder, config));
}

/** The file that an address names, where it names one. */
export const sqliteFileOf = (url: string): string | undefined =>
  url.startsWith('sqlite:') && url !== inMemory ? url.slice('sqlite:'.length) : undefined;

/**
 * A key file that is not there is made if `isMade`, as for a new service; a key in a hardware module if `isMadeInToken`,
 * as by the first start with the module.
 */
export async function readMasterKeys(
  folder: string,
  { masterKey }: Pick<ServiceConfig, 'masterKey'>,
  {
    isMade = true,
    isMadeInToken = isMade,
  }: { readonly isMade?: boolean; readonly isMadeInToken?: boolean } = {},
): Promise<OpenMasterKeys> {
  const { file, value, previous: texts, hsm } = masterKey;
  const previous = texts.map(masterKeyFromText);
  if (hsm) {
    // Only who has a hardware module needs what it takes to call one.
    const { openHsmMasterKeys } = await import('../vault/pkcs11-master-key.ts');
    const inHardware = await openHsmMasterKeys(hsm, { make: isMadeInToken });
    return { ...inHardware, previous: [...inHardware.previous, ...previous] };
  }
  const current: MasterKey =
    value === undefined
      ? await masterKeyFromFile(resolve(folder, file), { make: isMade })
      : masterKeyFromText(value);
  return { current, previous, close: async () => {} };
}
