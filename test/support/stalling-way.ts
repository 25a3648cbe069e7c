/**
 * A way to a node that can stall: a relay of bytes in front of it. Stalled, it takes connections and passes nothing on in
 * either direction, as a node that hangs or a network that swallows does; flowing again, it passes on what it held.
 */
import { once } from 'node:events';
import net from 'node:net';
import type { Owner } from './owner.ts';

export interface StallingWay {
  readonly url: string;
  stall(): void;
  flow(): void;
}

export async function stallingWay(owner: Owner, nodeUrl: string): Promise<StallingWay> {
  const { hostname, port } = new URL(nodeUrl);
  const sockets = new Set<net.Socket>();
  let isStalled = false;
  const relay = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    join(near, far);
    join(far, near);
  });
  const join = (from: net.Socket, to: net.Socket): void => {
    sockets.add(from);
    from
      .on('data', (chunk) => to.write(chunk))
      .on('end', () => to.end())
      .on('error', () => from.destroy())
      .on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    if (isStalled) from.pause();
  };
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  owner.after(async () => {
    const closed = once(relay, 'close');
    relay.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return {
    url: `http://127.0.0.1:${(relay.address() as net.AddressInfo).port}`,
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    flow() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
