/**
 * Made-up programs end in the same way, for the same gas, whatever the order, the compiler, the cache and the stack
 * above them; where the host's own stack gives out there is no outcome at all. `SYMBOLON_FUZZ_COUNT` makes it long.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hostStackBytes } from '@symbolon/ledger-node/contracts/host-stack';
import { chooseSeed, createRandom } from '../crash/seeded-random.ts';
import { cutShort, runPrograms } from './program-runs.ts';
import { randomPrograms } from './random-programs.ts';

const childScript = fileURLToPath(new URL('./program-child.ts', import.meta.url));
const seed = chooseSeed('SYMBOLON_FUZZ_SEED');
const count = Number(process.env.SYMBOLON_FUZZ_COUNT ?? 80);
const programs = randomPrograms(seed, count);
let expected: readonly string[];

async function inProcess(flags: readonly string[]): Promise<readonly string[]> {
  const args = [seed, count].map(String);
  const child = fork(childScript, args, {
    execArgv: [...flags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [ends] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code, signal]) => assert.fail(`the process ended with ${signal ?? code}`)),
  ])) as [readonly string[]];
  return ends;
}

function assertSame(ends: readonly string[]): void {
  assert.equal(ends.length, count);
  for (const [index, end] of ends.entries()) {
    assert.equal(end, expected[index], `program ${index} of SYMBOLON_FUZZ_SEED=${seed}`);
  }
}

function shuffled(): number[] {
  const random = createRandom(seed + 1);
  const order = [...programs.keys()];
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

before(async () => {
  expected = await runPrograms(programs);
});

describe(`${count} made-up programs, SYMBOLON_FUZZ_SEED=${seed}`, () => {
  test('end in many ways', () => {
    const codes = new Set(expected.map((end) => end.slice(0, 3)));
    assert.ok(codes.size >= 2, [...codes].join());
    assert.ok(new Set(expected).size > count / 4);
  });

  test('are the same in another order', async () => {
    assertSame(await runPrograms(programs, { order: shuffled() }));
  });

  test('are the same when no image is kept, and when few are', async () => {
    assertSame(await runPrograms(programs, { codeImagesBytesMax: 0 }));
    assertSame(await runPrograms(programs, { codeImagesBytesMax: 1_000_000, order: shuffled() }));
  });

  for (const flags of [['--liftoff-only'], ['--no-liftoff'], ['--no-opt', '--no-maglev', '--no-sparkplug']]) {
    test(`are the same with ${flags.join(' ')}`, async () => assertSame(await inProcess(flags)));
  }

  test('are the same under any stack, or have no outcome', async () => {
    const random = createRandom(seed + 2);
    // A call of the helper takes at least twice as much: half of the programs and more are left with nothing or nearly so.
    const most = Math.floor(hostStackBytes() / 50);
    const ends = await runPrograms(programs, { callsAbove: () => random.below(most) });
    const decided = ends.filter((end) => end !== cutShort).length;
    assert.ok(decided > 0 && decided < count, `${decided} of ${count}`);
    for (const [index, end] of ends.entries()) {
      if (end !== cutShort)
        assert.equal(end, expected[index], `program ${index} of SYMBOLON_FUZZ_SEED=${seed}`);
    }
    // What was cut short left nothing behind.
    assertSame(await runPrograms(programs));
  });
});
