import { open } from 'node:fs/promises';

/** The names in a folder are on disk only when the folder is. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
