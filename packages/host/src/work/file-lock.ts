/** The lock of a file that programs take who do not know of each other (flock), such as the stores of Go's LevelDB. */
import { open } from 'node:fs/promises';

const exclusive = 2;
const withoutWaiting = 4;

/**
 * Takes the lock of a file, which is made where it is not there, and answers what lets go of it; undefined while another
 * process holds it. It ends with this process, too.
 */
export async function lockFile(file: string): Promise<(() => Promise<void>) | undefined> {
  const { default: koffi } = await import('koffi');
  const flock = koffi.load(null).func('int flock(int file, int operation)') as Flock;
  const handle = await open(file, 'a', 0o600);
  if (flock(handle.fd, exclusive | withoutWaiting) === 0) return () => handle.close();
  const errno = koffi.errno();
  await handle.close();
  if (errno === koffi.os.errno.EWOULDBLOCK) return undefined;
  throw new Error(`${file} cannot be locked (errno ${errno})`);
}

type Flock = (file: number, operation: number) => number;
