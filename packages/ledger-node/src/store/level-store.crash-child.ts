/**
 * The process that `level-store.crash.test.ts` starts and kills: it writes generation after generation into a
 * store, every row of a batch holding the same number, and prints each number once its write is confirmed.
 *
 * Arguments: folder, then the crash point and the generation at which to die there (both optional).
 */
import { writeSync } from 'node:fs';
import { LevelStore } from './level-store.ts';
import type { Row } from './store.ts';

const [folder, crashPoint, crashGeneration] = process.argv.slice(2);
const generationsMax = 2_000;
let generation = 0;

const store = await LevelStore.open(folder, {
  writeBufferBytes: 256 * 1024,
  crashPoint: (name) => {
    if (name === crashPoint && generation === Number(crashGeneration)) process.kill(process.pid, 'SIGKILL');
  },
}).catch((error: Error) => {
  writeSync(1, `${error.name}\n`);
  process.exit(1);
});

function rowsOf(value: Uint8Array): Row[] {
  return Array.from({ length: 200 }, (_, index) => [Uint8Array.of(1, index), value] as const);
}

while (generation < generationsMax) {
  generation += 1;
  const value = new Uint8Array(200).fill(generation % 251);
  new DataView(value.buffer).setUint32(0, generation);
  await store.write(rowsOf(value), { seq: BigInt(generation), hash: new Uint8Array(32).fill(generation) });
  writeSync(1, `${generation}\n`);
}
await store.close();
