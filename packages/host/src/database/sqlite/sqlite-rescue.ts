/**
 * What a database holds whose file was deleted or replaced while it is open: SQLite still has the file, under no name, and
 * it ends with the process. So all of it is written to where a restart finds it.
 */
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { rescueFileOf } from './sqlite-files.ts';
import { makeOwnFile } from './sqlite-owner.ts';

/** Says where it is now, and what to do. */
export function rescue(connection: DatabaseSync, file: string): string {
  const copy = rescueFileOf(file);
  try {
    // An empty log is good beside whatever file has the name; the old one would be another's.
    connection.exec('pragma wal_checkpoint(truncate)');
    makeOwnFile(copy);
    connection.exec(`vacuum into '${copy.replaceAll("'", "''")}'`);
    sync(copy);
  } catch (error) {
    return `what it held could not be saved (${(error as Error).message}) and is lost when this process ends`;
  }
  if (!putBack(copy, file))
    return `what it held is in ${basename(copy)}; stop the service, give it the name ${basename(file)}, start again`;
  return 'what it held was written back under its name; restart the service, which goes on with it';
}

function putBack(copy: string, file: string): boolean {
  try {
    // Never over a file that has the name by now.
    linkSync(copy, file);
    rmSync(copy);
    sync(dirname(file));
    return true;
  } catch {
    return false;
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
