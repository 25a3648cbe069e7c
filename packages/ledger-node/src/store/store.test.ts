import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore } from '../testing/memory-store.ts';
import { LevelStore } from './level-store.ts';
import { registerStoreConformance } from './store.conformance.ts';

registerStoreConformance('MemoryStore', async (context) => {
  const store = new MemoryStore();
  context.after(() => store.close());
  return store;
});

registerStoreConformance('LevelStore', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-store-'));
  // A small write buffer, so that rows are read from tables and not only from memory.
  const store = await LevelStore.open(folder, { writeBufferBytes: 64 * 1024 });
  context.after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  return store;
});
