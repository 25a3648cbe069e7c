/**
 * kill -9 while a node's folder is made and while its store is opened for the first time: whatever is left, doing
 * it again makes a whole node, and nobody has to clear up first.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LedgerNode } from '@symbolon/ledger-node/node/node';
import {
  isNodeFolder,
  openNodeFolder,
  soloValidator,
  storePath,
} from '@symbolon/ledger-node/node/node-folder';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import { makeChain } from '../support/running-node.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { auditFolder } from './audit.ts';
import type { LastWords } from './dying-files.ts';
import type { FirstStart } from './first-start-child.ts';

const childScript = fileURLToPath(new URL('./first-start-child.ts', import.meta.url));
const lastWordsOfAll: readonly LastWords[] = ['nothing', 'empty', 'half'];
/** More file operations than any of the two has. */
const changesMax = 100;

/** Whether the process was killed; anything but that or a good end is a failure. */
async function isKilled(order: FirstStart): Promise<boolean> {
  const child = spawn(process.execPath, [childScript, JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    errors += chunk;
  });
  const [code, signal] = await once(child, 'close');
  assert.ok(signal === 'SIGKILL' || code === 0, `${JSON.stringify(order)} ended with ${code}: ${errors}`);
  return signal === 'SIGKILL';
}

/** A node on the folder must come up and hold its first block. */
async function openOnce(folder: string): Promise<void> {
  const opened = await openNodeFolder(folder);
  const { rules } = opened;
  const validator = soloValidator(opened);
  const store = await LevelStore.open(storePath(folder));
  const settings = { signatureWorkers: 0 };
  const node = await LedgerNode.open({ store, rules, validator, settings, onFailure: () => {} });
  assert.equal(node.chain.head.seq, 1n);
  await node.close();
  assert.equal((await auditFolder(folder, new Map())).head, 1n);
}

/** Kills at one file operation after the other until there is none left; answers how many there were. */
async function dieEverywhere(
  context: TestContext,
  {
    what,
    lastWords,
    prepare,
    afterwards,
  }: {
    what: FirstStart['what'];
    lastWords: LastWords;
    prepare: (folder: string) => Promise<void>;
    afterwards: (folder: string) => Promise<void>;
  },
): Promise<number> {
  for (let change = 1; change < changesMax; change++) {
    const folder = join(tempFolder(context), 'node');
    await prepare(folder);
    if (!(await isKilled({ what, folder, change, lastWords }))) return change - 1;
    try {
      await afterwards(folder);
    } catch (error) {
      const left = readdirSync(folder, { recursive: true }).join(' ');
      throw new Error(`killed at file operation ${change}, leaving ${left}`, { cause: error });
    }
  }
  return changesMax;
}

for (const lastWords of lastWordsOfAll) {
  test(`killed while the folder is made, leaving ${lastWords} of the last file`, async (context) => {
    const changes = await dieEverywhere(context, {
      what: 'makeFolder',
      lastWords,
      prepare: async () => {},
      async afterwards(folder) {
        // As the command does: a folder that is complete is used, any other is made.
        if (!(await isNodeFolder(folder))) await makeChain(folder);
        await openOnce(folder);
        await assert.rejects(makeChain(folder), { name: 'NodeFolderError' });
      },
    });
    assert.ok(changes >= 5, `${changes} file operations`);
  });
}

test('killed while the store is made', async (context) => {
  const changes = await dieEverywhere(context, {
    what: 'openStore',
    lastWords: 'nothing',
    prepare: makeChain,
    afterwards: openOnce,
  });
  assert.ok(changes >= 5, `${changes} file operations`);
});

test('killed a moment after the first start began', async (context) => {
  let killed = 0;
  for (let microseconds = 0; microseconds < 30_000; microseconds = microseconds * 1.35 + 150) {
    const folder = join(tempFolder(context), 'node');
    await makeChain(folder);
    const order = { what: 'openStore', folder, change: 0, lastWords: 'nothing' } as const;
    if (await isKilled({ ...order, microseconds: Math.round(microseconds) })) killed += 1;
    await openOnce(folder);
  }
  assert.ok(killed > 0, 'no process was killed in time');
});
