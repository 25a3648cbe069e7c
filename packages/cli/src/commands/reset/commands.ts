/**
 * `symbolon reset`: the demo starts over. Only a folder is removed that the demo made (its chain begins with the
 * publicly known key, and nothing else lies in it), and only while nothing runs on it.
 */

import { randomBytes } from 'node:crypto';
import { readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { demoGenesisSeed } from '@symbolon/demo/keys';
import { isNodeFolder, readGenesis, storePath } from '@symbolon/ledger-node/node/node-folder';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import type { Command } from 'commander';
import { exists } from '../../machine/files.ts';
import { startName } from '../../machine/own-name.ts';
import { keyFormat } from '../../profile/key-format.ts';
import { jsonOption } from '../../profile/options.ts';
import { forgetDemoHere, isUsualDemoFolder } from '../../profile/places.ts';
import { CommandFailure, usageFailure } from '../../terminal/failure.ts';
import { printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';

interface ResetWords {
  readonly data: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addResetCommand(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('reset')
    .description("remove the demo's data, so that the next start begins anew")
    .option('--data <folder>', 'where the demo keeps its data', '.symbolon/dev')
    .option('--yes', 'yes, remove all of it')
    .addOption(jsonOption())
    .action((words: ResetWords) => reset(words, terminal));
}

async function reset({ data, yes, json }: ResetWords, terminal: Terminal): Promise<void> {
  const folder = await realpath(data).catch(() => undefined);
  if (folder === undefined) {
    if (json) return printJson(terminal, { data, removed: false });
    return terminal.print(`There is nothing in ${data}. Start with: ${startName}`);
  }
  await assertDemoFolder(folder, data);
  if (!yes)
    throw usageFailure(
      `This removes everything in ${data}: the demo's chain, credentials and keys.\nNothing was removed.\nSay --yes if that is what you want.`,
    );
  await removeUnlessRunning(folder, data);
  if (isUsualDemoFolder(data)) await forgetDemoHere();
  if (json) return printJson(terminal, { data, removed: true });
  terminal.print(`${data} is removed. The next start begins anew: ${startName}`);
}

/** What the demo writes; a first start that was cut short may leave unfinished files. */
const isDemosOwn = (name: string): boolean => /^(ledger|service|demo[\w.-]*)$/.test(name);

async function assertDemoFolder(folder: string, data: string): Promise<void> {
  const names = (await stat(folder)).isDirectory() ? await readdir(folder) : [data];
  const foreign = names.filter((name) => !isDemosOwn(name));
  if (foreign.length > 0 || names.length === 0)
    throw notTheDemos(
      data,
      names.length === 0
        ? 'It is empty.'
        : `It holds ${foreign.slice(0, 3).join(', ')}, which the demo does not write.`,
    );
  const ledger = path.join(folder, 'ledger');
  if (!(await isNodeFolder(ledger))) {
    if (names.some((name) => name === 'ledger' || name === 'demo.json')) return;
    throw notTheDemos(data, 'There is no chain of the demo in it.');
  }
  const { parameters } = await readGenesis(ledger);
  if (parameters.genesisAddress !== keyFormat.addressOf(publicKeyOf(demoGenesisSeed())))
    throw notTheDemos(data, 'Its chain is not a demo: it has a genesis account of its own.');
}

const notTheDemos = (data: string, why: string): CommandFailure =>
  usageFailure(
    `${data} is not a folder that the demo made; nothing was removed.\n${why}\nName the demo's with --data <folder>, or remove this one yourself.`,
  );

/** Under another name first: a removal that is cut short leaves nothing that looks like a demo. */
async function removeUnlessRunning(folder: string, data: string): Promise<void> {
  const release = await holdFolder(folder, data);
  const doomed = `${folder}.removed-${randomBytes(4).toString('hex')}`;
  try {
    await rename(folder, doomed);
  } finally {
    await release();
  }
  await rm(doomed, { recursive: true, force: true, maxRetries: 3 });
}

/** Takes the locks that a running node and a running service have; damage is no reason to keep anything. */
async function holdFolder(folder: string, data: string): Promise<() => Promise<void>> {
  const [{ LevelStore }, { StoreLocked, StoreError }] = await Promise.all([
    import('@symbolon/ledger-node/store/level-store'),
    import('@symbolon/ledger-node/store/store-errors'),
  ]);
  if (await isDatabaseInUse(path.join(folder, 'service', 'service.db'))) throw isRunning(data);
  const chain = storePath(path.join(folder, 'ledger'));
  if (!(await exists(chain))) return async () => {};
  try {
    const store = await LevelStore.open(chain, { tables: 'checkedAsRead' });
    return () => store.close();
  } catch (error) {
    if (error instanceof StoreLocked) throw isRunning(data);
    if (error instanceof StoreError) return async () => {};
    throw error;
  }
}

const isRunning = (data: string): CommandFailure =>
  new CommandFailure(
    `A node or service runs on ${data}; nothing was removed.\nStop it first: Ctrl-C where it runs.`,
  );

/** A service keeps its database open, so nobody else can have it alone. */
async function isDatabaseInUse(file: string): Promise<boolean> {
  if (!(await exists(file))) return false;
  const { DatabaseSync } = await import('node:sqlite');
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec('pragma locking_mode = exclusive; begin exclusive; rollback');
    return false;
  } catch (error) {
    // Anything else than being locked out is damage, which a removal does not mind.
    return /locked|busy/i.test((error as Error).message);
  } finally {
    database?.close();
  }
}
