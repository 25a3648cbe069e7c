/**
 * The folders of node and service as `symbolon doctor` sees them: settings, stores, keys. Nothing is made or changed:
 * a key or database that is missing is reported, not created, and a hardware module is loaded but not logged in to.
 */

import path from 'node:path';
import type { ServiceConfig } from '@symbolon/credential-service/parts/service-config';
import { isDatabaseGone } from '@symbolon/credential-service/wiring/database-mark';
import {
  databaseFile,
  databaseUrl,
  loadServiceConfig,
  readMasterKeys,
} from '@symbolon/credential-service/wiring/service-folder';
import { loadConfig } from '@symbolon/host/config/config';
import { SecretFileError } from '@symbolon/host/config/secret-file';
import { isChainGone } from '@symbolon/ledger-node/node/chain-mark';
import { type NodeConfig, nodeConfigSchema } from '@symbolon/ledger-node/node/node-config';
import { openNodeFolder, settingsPath, storePath } from '@symbolon/ledger-node/node/node-folder';
import { exists } from '../../machine/files.ts';
import { type FoundFolder, inspectFolder } from '../../servers/config-folders.ts';
import { engineWords, proofEngineOf } from '../../servers/proof-engine.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { type Finding, fine, notice, wrong } from './finding.ts';

export function checkSettings(found: FoundFolder): Finding {
  const { problems } = inspectFolder(found, process.env);
  const name = `${found.kind} settings`;
  const [first] = problems;
  if (!first) return fine(name, `fine in ${found.folder}`);
  const many = problems.length === 1 ? 'one mistake' : `${problems.length} mistakes`;
  const advice = `See all: symbolon config check --data ${shellWord(found.folder)}`;
  return wrong(name, `${many}, such as ${first.place}: ${first.problem}`, advice);
}

export const nodeConfigOf = (folder: string): NodeConfig =>
  loadConfig(nodeConfigSchema, {
    file: settingsPath(folder),
    env: process.env,
    prefix: 'SYMBOLON_LEDGER_',
  });

export const serviceConfigOf = (folder: string): Promise<ServiceConfig> =>
  loadServiceConfig(folder, { env: process.env });

/** Which engine the service would compute proofs with, here and now. */
export function checkProofEngine({ proofEngine }: Pick<ServiceConfig, 'proofEngine'>): Finding {
  const name = 'proof engine';
  const { engine, reason, problem } = proofEngineOf(proofEngine);
  if (problem !== undefined)
    return wrong(name, problem, 'Set proofEngine to auto, or run on a platform that has it.');
  if (reason === undefined) return fine(name, engineWords[engine]);
  return notice(name, `${engineWords[engine]}: ${reason}`, 'It works, and takes five to ten times as long.');
}

/** What is said of a store whose node runs. */
export const storeInUse = 'in use by a running node';

/** A store that is in use has been opened by its node, which checks the same. */
export async function checkChainStore(folder: string): Promise<Finding> {
  const name = 'chain store';
  const [{ LevelStore }, { StoreError, StoreLocked }] = await Promise.all([
    import('@symbolon/ledger-node/store/level-store'),
    import('@symbolon/ledger-node/store/store-errors'),
  ]);
  if (isChainGone(folder))
    return wrong(name, 'gone', 'Restore a backup: symbolon restore --from <backup> --data <folder>');
  if (!(await exists(storePath(folder)))) return fine(name, 'not made yet; the first start makes it');
  try {
    const store = await LevelStore.open(storePath(folder), { tables: 'checkedAsRead' });
    const head = store.acknowledgedHead();
    await store.close();
    return fine(name, `opens; block ${head?.seq ?? 0n} was the last`);
  } catch (error) {
    if (error instanceof StoreLocked) return fine(name, storeInUse);
    if (!(error instanceof StoreError)) throw error;
    const advice = /No space left/.test(error.message)
      ? 'Make room on the disk and start the node again: this is no damage, and a backup would lose blocks.'
      : `See what is left: symbolon node verify --data ${shellWord(folder)}. Then restore a backup.`;
    return wrong(name, error.message, advice);
  }
}

/** The account whose key everybody knows: chains of the demo begin with it (`packages/demo/src/keys.ts`). */
export const publicGenesisAddress = 'ZTX3JnhkweMuD51VbeZxBcD3roDin1jQDFfTM';

/** Keys that everybody knows are good on a machine of one's own, and nowhere else. */
export async function checkChainKeys(folder: string, { host }: Pick<NodeConfig, 'host'>): Promise<Finding> {
  const name = 'chain keys';
  try {
    const { rules } = await openNodeFolder(folder);
    const isDemo = rules.parameters.genesisAddress === publicGenesisAddress;
    if (!isDemo) return fine(name, 'the validator key is readable and belongs to the chain');
    const detail = 'demo keys, which are PUBLICLY KNOWN';
    const isPrivate = ['127.0.0.1', '::1', 'localhost'].includes(host);
    return isPrivate
      ? notice(name, detail, 'Fine for trying out on this machine. A chain of your own: symbolon node init.')
      : wrong(
          name,
          `${detail}, and the node listens on ${host}`,
          'Make a chain of your own: symbolon node init.',
        );
  } catch (error) {
    return wrong(name, firstLine(error), closing(error) ?? 'Restore the folder from a backup.');
  }
}

export async function checkMasterKey(folder: string, config: ServiceConfig): Promise<Finding> {
  const name = 'master key';
  const { hsm, file, value } = config.masterKey;
  if (hsm) return checkHsm(name, hsm);
  if (value === undefined && !(await exists(path.resolve(folder, file))))
    return wrong(
      name,
      `${file} is missing in ${folder}`,
      'Put it back from its own backup: without it nothing in the database can be read.',
    );
  try {
    const keys = await readMasterKeys(folder, config, { isMade: false });
    await keys.close();
    return fine(
      name,
      value === undefined ? `readable, for its owner alone (${file})` : 'from the environment',
    );
  } catch (error) {
    const advice = closing(error) ?? 'docs/operations.md, "Master key", says what it must be.';
    return wrong(name, firstLine(error), advice);
  }
}

/** Loads the module and looks for the token; a PIN is not tried, because wrong ones lock a token. */
export async function checkHsm(
  name: string,
  { module, tokenLabel }: { readonly module: string; readonly tokenLabel: string },
): Promise<Finding> {
  try {
    const { findTokenSlot, openPkcs11Module } = await import('@symbolon/host/pkcs11/pkcs11-module');
    const opened = await openPkcs11Module(module);
    try {
      await findTokenSlot(opened.cryptoki, tokenLabel);
    } finally {
      await opened.close();
    }
    return fine(name, `the hardware module loads and has the token "${tokenLabel}"`);
  } catch (error) {
    return wrong(
      name,
      firstLine(error),
      'Check the path of the module and the label of the token (docs/operations.md).',
    );
  }
}

export async function checkDatabase(folder: string, config: ServiceConfig): Promise<Finding> {
  const name = 'database';
  const url = databaseUrl(folder, config);
  const file = databaseFile(folder, config);
  const isFile = file !== undefined;
  if (isDatabaseGone(folder, config))
    return wrong(
      name,
      `gone: ${file}`,
      'Put the file back, or restore a backup: symbolon restore --from <backup> --data <folder>',
    );
  try {
    if (isFile) {
      const { examineSqlite } = await import('@symbolon/host/database/sqlite/sqlite-care');
      if (!(await examineSqlite(file))) return fine(name, 'not made yet; the first start makes it');
      return fine(name, 'the file opens and its pages fit together');
    }
    const { openDatabase } = await import('@symbolon/host/database/open-database');
    const database = await openDatabase(url);
    await database.ping();
    await database.close();
    return fine(name, 'the server answers');
  } catch (error) {
    const advice = isFile
      ? 'Restore the file from a backup.'
      : 'Is the server up, and are user and password right?';
    return wrong(name, firstLine(error), advice);
  }
}

/** What closes a file that others can reach, where that is what is wrong. */
const closing = (error: unknown): string | undefined => {
  const { cause } = error as Error;
  return cause instanceof SecretFileError ? cause.advice : undefined;
};

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0];
