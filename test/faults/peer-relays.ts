/**
 * The ways between the nodes of a network where no namespaces can be made: each through a relay of this process, which
 * closes what is cut. A node knows the
 * others by the addresses of relays alone: whom it knew by the own address it would call back past the relay.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import net, { type Server, type Socket } from 'node:net';
import path from 'node:path';
import { cometHomeOf, type Network, type NetworkNode } from '@symbolon/cli/network/network-file';
import type { Owner } from '../support/owner.ts';
import type { PeerWays } from './peer-ways.ts';

interface Way {
  readonly from: number;
  readonly to: number;
  readonly server: Server;
  readonly open: Set<Socket>;
  isCut: boolean;
}

export class PeerRelays implements PeerWays {
  readonly #ways: Way[] = [];

  /** Puts a relay between each two nodes of a network that was made and has never run. */
  static async between(owner: Owner, network: Network): Promise<PeerRelays> {
    const relays = new PeerRelays();
    owner.after(() => relays.#close());
    for (const [from, caller] of network.nodes.entries()) {
      const peers: string[] = [];
      for (const [to, called] of network.nodes.entries())
        if (from !== to)
          peers.push(`${called.peerId}@127.0.0.1:${await relays.#add(from + 1, to + 1, called)}`);
      const file = path.join(cometHomeOf(network, caller), 'config', 'config.toml');
      const text = readFileSync(file, 'utf8');
      writeFileSync(
        file,
        text.replace(/^persistent_peers = .*$/m, `persistent_peers = "${peers.join(',')}"`),
      );
    }
    return relays;
  }

  async part(...groups: readonly (readonly number[])[]): Promise<void> {
    await this.heal();
    const groupOf = (node: number) => groups.findIndex((group) => group.includes(node));
    for (const way of this.#ways) {
      if (groupOf(way.from) === groupOf(way.to)) continue;
      way.isCut = true;
      for (const socket of way.open) socket.destroy();
    }
  }

  async heal(): Promise<void> {
    for (const way of this.#ways) way.isCut = false;
  }

  async #add(from: number, to: number, { ports }: NetworkNode): Promise<number> {
    const open = new Set<Socket>();
    const server = net.createServer((caller) => {
      if (way.isCut) return caller.destroy();
      const called = net.connect(ports.p2p, '127.0.0.1');
      for (const [socket, other] of [
        [caller, called],
        [called, caller],
      ] as const) {
        open.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          open.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    const way: Way = { from, to, server, open, isCut: false };
    this.#ways.push(way);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as net.AddressInfo).port;
  }

  #close(): void {
    for (const { server, open } of this.#ways) {
      server.close();
      for (const socket of open) socket.destroy();
    }
  }
}
