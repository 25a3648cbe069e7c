/** A LevelStore whose process dies at every step of a write: nothing torn, nothing confirmed lost. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LevelStore } from './level-store.ts';
import { everything } from './store.conformance.ts';

const childScript = fileURLToPath(new URL('./level-store.crash-child.ts', import.meta.url));

async function temporaryFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-crash-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Runs the child to its end, killing it when `enough` says so; answers its printed lines and its signal. */
async function runChild(
  args: string[],
  enough: (lines: string[]) => boolean = () => false,
): Promise<{ lines: string[]; signal: string | null }> {
  const child = spawn(process.execPath, [childScript, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const lines = () => output.split('\n').slice(0, -1);
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (enough(lines())) child.kill('SIGKILL');
  });
  const signal = await new Promise<string | null>((resolve) => child.on('close', (_, name) => resolve(name)));
  return { lines: lines(), signal };
}

/** What the store holds after a crash; asserts that all rows are of one generation. */
async function surviving(folder: string): Promise<{ generation: number; head: number }> {
  const store = await LevelStore.open(folder);
  try {
    const rows = await store.scan(everything);
    const generations = new Set(rows.map(([, value]) => Buffer.from(value).readUInt32BE(0)));
    assert.ok(generations.size <= 1, `rows of generations ${[...generations]}`);
    assert.ok(rows.length === 0 || rows.length === 200);
    return { generation: [...generations][0] ?? 0, head: Number(store.acknowledgedHead()?.seq ?? 0n) };
  } finally {
    await store.close();
  }
}

const steps = [
  { crashPoint: 'beforeWrite', generation: 2, head: 2 },
  { crashPoint: 'afterSync', generation: 3, head: 2 },
  { crashPoint: 'beforeHead', generation: 3, head: 2 },
  { crashPoint: 'afterHead', generation: 3, head: 3 },
];

for (const { crashPoint, generation, head } of steps) {
  test(`LevelStore killed at ${crashPoint} keeps what was confirmed`, async (context) => {
    const folder = await temporaryFolder(context);
    const { lines, signal } = await runChild([folder, crashPoint, '3']);
    assert.equal(signal, 'SIGKILL');
    assert.deepEqual(lines, ['1', '2']);
    assert.deepEqual(await surviving(folder), { generation, head });
  });
}

test('LevelStore killed at any moment has no torn batch and no confirmed one lost', async (context) => {
  const folder = await temporaryFolder(context);
  for (const stopAfter of [1, 7, 40, 90]) {
    await rm(folder, { recursive: true });
    const { lines, signal } = await runChild([folder], (printed) => printed.length >= stopAfter);
    assert.equal(signal, 'SIGKILL');
    const confirmed = Number(lines.at(-1));
    const { generation, head } = await surviving(folder);
    assert.ok(generation >= confirmed, `${confirmed} was confirmed, ${generation} is there`);
    assert.ok(head >= confirmed && head <= generation, `head ${head} of generation ${generation}`);
  }
});

test('LevelStore in use by another process is locked, and unharmed by the attempt', async (context) => {
  const folder = await temporaryFolder(context);
  const store = await LevelStore.open(folder);
  await store.write([[Uint8Array.of(1), Uint8Array.of(1)]]);
  assert.deepEqual((await runChild([folder])).lines, ['StoreLocked']);
  await store.write([[Uint8Array.of(1), Uint8Array.of(2)]]);
  assert.deepEqual(store.get(Uint8Array.of(1)), Uint8Array.of(2));
  await store.close();
});
