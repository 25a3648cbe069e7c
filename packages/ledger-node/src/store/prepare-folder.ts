/** A store's folder before LevelDB has it open: whose it is, whether its files are sound, and what was there. */
import { mkdir } from 'node:fs/promises';
import { ClassicLevel } from 'classic-level';
import { HeadFile } from './head-file.ts';
import { checkLevelFiles } from './level-files.ts';
import { toStoreError } from './store-errors.ts';
import { assertTables, isCheckOwed, settleCheck, UncheckedTables } from './unchecked-tables.ts';

/** Whether every table is read through first, or each part of one before something is read from it. */
export type TablesChecked = 'checkedFirst' | 'checkedAsRead';

/** What was there before anything was read. */
export interface Opening {
  readonly atMs: number;
  /** The names of tables by their numbers. */
  readonly tables: ReadonlyMap<number, string>;
}

export interface PreparedFolder {
  readonly headFile: HeadFile;
  readonly unchecked: UncheckedTables | undefined;
  readonly opening: Opening;
}

/** Everything that has to be known about the folder before LevelDB may touch it. */
export async function prepareFolder(
  folder: string,
  when: TablesChecked = 'checkedFirst',
): Promise<PreparedFolder> {
  try {
    await mkdir(folder, { recursive: true });
    await assertUnlocked(folder);
    const atMs = Date.now();
    const tables = await checkLevelFiles(folder);
    const opening = { atMs, tables: new Map(tables?.map(({ number, name }) => [number, name])) };
    const headFile = HeadFile.open(folder, { storeExists: tables !== undefined });
    if (!tables) return { headFile, unchecked: undefined, opening };
    try {
      if (isCheckOwed(folder)) await settleCheck(folder, tables);
      else if (when === 'checkedAsRead')
        return { headFile, unchecked: UncheckedTables.hold(folder, tables), opening };
      else await assertTables(folder, tables);
      return { headFile, unchecked: undefined, opening };
    } catch (error) {
      headFile.close();
      throw error;
    }
  } catch (error) {
    throw toStoreError(folder, error);
  }
}

/**
 * Asks LevelDB for the folder's lock and nothing else: told to insist on a new store, it takes the lock, sees
 * the old one and leaves. Reading files while another process writes them would look like damage.
 */
async function assertUnlocked(folder: string): Promise<void> {
  const probe = new ClassicLevel(folder, { createIfMissing: false, errorIfExists: true });
  try {
    await probe.open();
  } catch (error) {
    const cause = (error as { cause?: { code?: unknown } }).cause;
    if (cause?.code === 'LEVEL_LOCKED') throw toStoreError(folder, error);
  } finally {
    await probe.close();
  }
}
