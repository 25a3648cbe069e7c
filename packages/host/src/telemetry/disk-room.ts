/** Whether the disk under a folder has room and takes a small synced write, as a check of readiness. */
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { healthLimits } from '../limits/server-limits.ts';
import { type HealthCheck, healthy, unhealthy } from './readiness.ts';

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const mebibyte = 1024 * 1024;

export function diskRoomCheck(folder: string, bytesMin: number = healthLimits.diskFreeBytesMin): HealthCheck {
  return {
    name: 'disk',
    problem: 'the disk does not say how much room it has',
    async check() {
      const free = await freeBytes(folder);
      if (free >= bytesMin) return healthy;
      const needed = Math.ceil(bytesMin / mebibyte);
      return unhealthy(
        `the disk is nearly full: ${Math.floor(free / mebibyte)} of the ${needed} MiB that must be free`,
      );
    },
  };
}

/** A file of one's own in the folder, written through to the disk and removed again. */
export function diskWriteCheck(folder: string): HealthCheck {
  const file = path.join(folder, `.write-check-${process.pid}`);
  return {
    name: 'write',
    problem: 'the disk takes no writes',
    async check() {
      const handle = await open(file, 'w', 0o600);
      try {
        await handle.writeFile('ok');
        await handle.datasync();
      } finally {
        await handle.close();
        await rm(file, { force: true });
      }
      return healthy;
    },
  };
}
