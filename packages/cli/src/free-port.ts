/** Ports that nobody asked for by number: the usual one when it is free, else whichever the system gives. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The port itself, or 0 (any) when something listens there already. */
export async function freeOr0(port: number): Promise<number> {
  const probe = createServer();
  probe.listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
    return port;
  } catch {
    // Busy, or not ours to take: either way another port will do.
    return 0;
  } finally {
    probe.close();
  }
}
