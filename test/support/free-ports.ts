/** Ports for programs that must be told one. */
import { createServer } from 'node:net';

/** Ports that nobody has now; taken all at once, so that they differ. */
export async function freePorts(count: number): Promise<string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const ports = servers.map(async (server) => {
    await new Promise((resolve) => server.once('listening', resolve));
    return String((server.address() as { port: number }).port);
  });
  const found = await Promise.all(ports);
  for (const server of servers) server.close();
  return found;
}
