/** Copies of a store that somebody writes to as fast as possible, and of stores that are damaged. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LevelStore } from '../store/level-store.ts';
import { everything } from '../store/store.conformance.ts';
import { StoreCorrupt } from '../store/store-errors.ts';
import { copyStore } from './backup-store.ts';

const writer = fileURLToPath(new URL('../store/level-store.crash-child.ts', import.meta.url));

async function temporaryFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-backup-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A process that writes generation after generation, and says which was the last. */
function startWriter(folder: string): { latest(): number; stop(): Promise<void> } {
  const child = spawn(process.execPath, [writer, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  let latest = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    latest = Number(chunk.trimEnd().split('\n').at(-1));
  });
  return {
    latest: () => latest,
    stop: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

async function generationOf(folder: string): Promise<{ generation: number; head: number }> {
  const store = await LevelStore.open(folder);
  try {
    const rows = await store.scan(everything);
    const generations = new Set(rows.map(([, value]) => Buffer.from(value).readUInt32BE(0)));
    assert.deepEqual([rows.length, generations.size], [200, 1], 'the rows are of one moment');
    return { generation: [...generations][0] as number, head: Number(store.acknowledgedHead()?.seq) };
  } finally {
    await store.close();
  }
}

test('a copy made while another process writes holds one moment, and nothing confirmed before is missing', async (context) => {
  const folder = await temporaryFolder(context);
  const { latest, stop } = startWriter(join(folder, 'live'));
  let copies = 0;
  try {
    while (latest() < 20) await sleep(5);
    for (; copies < 25 && latest() < 1_900; copies++) {
      const confirmed = latest();
      const copy = join(folder, `copy-${copies}`);
      await copyStore(join(folder, 'live'), copy);
      const { generation, head } = await generationOf(copy);
      assert.ok(generation >= confirmed, `${confirmed} was confirmed, ${generation} is there`);
      assert.ok(head <= generation, `head ${head} of generation ${generation}`);
      await rm(copy, { recursive: true });
    }
  } finally {
    await stop();
  }
  assert.ok(copies > 0, 'at least one copy was made while it was written');
});

/** A store at rest with several tables. */
async function restingStore(folder: string): Promise<void> {
  const store = await LevelStore.open(folder, { writeBufferBytes: 64 * 1024 });
  for (let block = 1n; block <= 40n; block++) {
    const rows = Array.from({ length: 50 }, (_, index) => [
      Uint8Array.of(Number(block), index),
      new Uint8Array(100).fill(index),
    ]) as [Uint8Array, Uint8Array][];
    await store.write(rows, { seq: block, hash: new Uint8Array(32).fill(Number(block)) });
  }
  await store.close();
}

test('a copy of a store at rest is the store, and progress reaches its end', async (context) => {
  const folder = await temporaryFolder(context);
  await restingStore(join(folder, 'live'));
  const progress: [number, number][] = [];
  await copyStore(join(folder, 'live'), join(folder, 'copy'), {
    onProgress: (done, total) => void progress.push([done, total]),
  });
  assert.equal(progress.at(-1)?.[0], progress.at(-1)?.[1]);
  const [live, copy] = [
    await LevelStore.open(join(folder, 'live')),
    await LevelStore.open(join(folder, 'copy')),
  ];
  const range = { ...everything, limit: 10_000 };
  assert.deepEqual(await copy.scan(range), await live.scan(range));
  assert.equal(copy.acknowledgedHead()?.seq, 40n);
  await live.close();
  await copy.close();
});

test('what the manifest names and is not there is damage, named', async (context) => {
  const folder = await temporaryFolder(context);
  const spoil = async (change: (live: string, names: string[]) => Promise<void>, problem: RegExp) => {
    const live = join(folder, 'live');
    await restingStore(live);
    await change(live, await readdir(live));
    await assert.rejects(copyStore(live, join(folder, 'copy')), (error: Error) => {
      assert.ok(error instanceof StoreCorrupt, String(error));
      assert.match(error.message, problem);
      return true;
    });
    for (const name of ['live', 'copy']) await rm(join(folder, name), { recursive: true, force: true });
  };
  const first = (names: string[], end: string) => names.find((name) => name.endsWith(end)) as string;
  await spoil((live, names) => unlink(join(live, first(names, '.ldb'))), /table \d{6} is missing/);
  await spoil((live, names) => unlink(join(live, first(names, '.log'))), /log \d{6} is missing/);
  await spoil((live) => unlink(join(live, 'CURRENT')), /CURRENT cannot be read \(ENOENT\)/);
  await spoil((live) => unlink(join(live, 'head')), /head cannot be read/);
  await spoil((live) => writeFile(join(live, 'CURRENT'), '../../elsewhere\n'), /CURRENT names no manifest/);
  const manifest = (names: string[]) => names.find((name) => name.startsWith('MANIFEST')) as string;
  await spoil((live, names) => truncate(join(live, manifest(names)), 3), /MANIFEST-\d+ is damaged/);
});
