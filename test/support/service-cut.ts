/**
 * A way to a node that can be cut: a relay of bytes in front of it. Cut, it refuses connections and drops those that
 * are open, as a node that died or a broken network does; mended, it listens at the same place again.
 */
import { once } from 'node:events';
import net from 'node:net';
import type { Owner } from './owner.ts';

export interface CuttableWay {
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function cuttableWay(owner: Owner, nodeUrl: string): Promise<CuttableWay> {
  const { hostname, port } = new URL(nodeUrl);
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket): net.Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const relay = net.createServer((near) => {
    const far = keep(net.connect(Number(port), hostname));
    keep(near).pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const listen = async (at: number): Promise<number> => {
    relay.listen(at, '127.0.0.1');
    await once(relay, 'listening');
    return (relay.address() as net.AddressInfo).port;
  };
  const cut = async (): Promise<void> => {
    if (!relay.listening) return;
    const closed = once(relay, 'close');
    relay.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const own = await listen(0);
  owner.after(cut);
  return { url: `http://127.0.0.1:${own}`, cut, mend: async () => void (await listen(own)) };
}
