/**
 * One run at a time for a journal. Two at once would not issue a row twice, for their requests are the same to the
 * service, but whoever reads what they say would be confused. A lock of a process that is gone does not count.
 */
import { open, rm, writeFile } from 'node:fs/promises';
import { CommandFailure } from '../terminal/failure.ts';

const lockOf = (file: string): string => `${file}.lock`;

/** Answers how it is given back. */
export async function takeLock(file: string): Promise<() => Promise<void>> {
  const lock = lockOf(file);
  for (let isLast = false; ; isLast = true) {
    try {
      await writeFile(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
      return () => rm(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (isLast || (await isHeld(lock)))
        throw new CommandFailure(
          `The journal ${file} is in use by another run.\nWait for its end. If there is none, remove ${lock} and run again.`,
        );
      await rm(lock, { force: true });
    }
  }
}

async function isHeld(lock: string): Promise<boolean> {
  try {
    await using handle = await open(lock);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0);
    const pid = Number(buffer.toString('utf8', 0, bytesRead).trim());
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Signals may be forbidden to a process that is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
