/**
 * Each CometBFT of a network in a network namespace of its own, with one link to a switch, which has a bridge for each group
 * that is parted from the others: what a partition, or a bad link, does is done by the kernel to packets, and no connection
 * hears of it. Its node and whoever asks it stay outside; they meet at unix sockets, which no namespace of networks parts.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net, { type Server, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { indexOf, type Network, networkFile } from '@symbolon/cli/network/network-file';
import type { Owner } from '../support/owner.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Namespace, Namespaces, type NamespaceTools, slowness } from './namespaces.ts';
import { connectPatiently } from './patient-socket.ts';
import type { LinkFault, PeerWays } from './peer-ways.ts';

/** The founders, and those that scenarios add: a validator that comes and goes, and a twin. */
const placesCount = 6;
/** Seen by nobody but the namespaces. */
const addressOf = (node: number): string => `10.77.0.${node}`;
const portOf = (node: number): string => `port${node}`;
const bridgeOf = (group: number): string => `group${group}`;

/** Where packets go to a node, and where they come from it. */
type Way = 'to' | 'from';

/** A queue for no packet at all loses every one. */
const loss = 'pfifo limit 0';
const harms: Readonly<Record<LinkFault, { readonly rule: string; readonly ways: readonly Way[] }>> = {
  deaf: { rule: loss, ways: ['to'] },
  mute: { rule: loss, ways: ['from'] },
  slow: { rule: slowness, ways: ['to', 'from'] },
};

interface PeersOrder {
  readonly network: Network;
  readonly comet: string;
  readonly tools: NamespaceTools;
}

/** What the settings of a CometBFT say, which are those of a machine that all share. */
interface Settings {
  readonly abci: number;
  readonly rpc: number;
  readonly p2p: number;
  readonly peers: readonly string[];
  readonly rpcServers: readonly string[];
}

export class NamespacedPeers implements PeerWays {
  readonly comet: string;
  readonly #program: string;
  readonly #network: string;
  readonly #folder: string;
  readonly #spaces: Namespaces;
  readonly #places: readonly Namespace[];
  readonly #servers = new Map<string, Server>();
  readonly #open = new Set<Socket>();

  private constructor(
    folder: string,
    { network, comet }: PeersOrder,
    { spaces, places }: { readonly spaces: Namespaces; readonly places: readonly Namespace[] },
  ) {
    this.#folder = folder;
    this.#network = network.folder;
    this.#program = comet;
    this.#spaces = spaces;
    this.#places = places;
    this.comet = path.join(folder, 'cometbft');
  }

  static async between(owner: Owner, order: PeersOrder): Promise<NamespacedPeers> {
    const folder = tempFolder(owner);
    const spaces = await Namespaces.make(order.tools);
    owner.after(() => spaces.release());
    const places: Namespace[] = [];
    for (let count = 0; count < placesCount; count++) places.push(await spaces.add());
    const peers = new NamespacedPeers(folder, order, { spaces, places });
    owner.after(() => peers.#close());
    await peers.#link();
    await peers.#listen();
    return peers;
  }

  async #link(): Promise<void> {
    const { hub } = this.#spaces;
    for (let group = 1; group <= placesCount; group++)
      await hub.ip(`link add ${bridgeOf(group)} type bridge`, `link set ${bridgeOf(group)} up`);
    for (const [index, place] of this.#places.entries()) {
      const node = index + 1;
      await hub.ip(
        `link add ${portOf(node)} type veth peer name eth0 netns ${place.pid}`,
        `link set ${portOf(node)} master ${bridgeOf(1)} up`,
      );
      await place.ip(`address add ${addressOf(node)}/24 dev eth0`, 'link set lo up', 'link set eth0 up');
    }
  }

  async part(...groups: readonly (readonly number[])[]): Promise<void> {
    for (const [index, group] of groups.entries())
      for (const node of group)
        await this.#spaces.hub.ip(`link set ${portOf(node)} master ${bridgeOf(index + 1)}`);
  }

  async harm(node: number, fault: LinkFault): Promise<() => Promise<number>> {
    const { rule, ways } = harms[fault];
    const all = this.#endsOf(node);
    const ends = ways.map((way) => all[way]);
    for (const { space, device } of ends) await space.tc(`qdisc replace dev ${device} root ${rule}`);
    return async () => {
      const told = ends.map(({ space, device }) => space.tc(`-s qdisc show dev ${device}`));
      const counts = (await Promise.all(told)).map((said) => /\(dropped (\d+)/.exec(said)?.[1]);
      return counts.reduce((sum, count) => sum + Number(count), 0);
    };
  }

  async heal(): Promise<void> {
    await this.part(this.#places.map((_, index) => index + 1));
    for (const [index] of this.#places.entries())
      for (const { space, device } of Object.values(this.#endsOf(index + 1))) {
        const rules = await space.tc(`qdisc show dev ${device}`);
        if (/ (tbf|pfifo) /.test(rules)) await space.tc(`qdisc del dev ${device} root`);
      }
  }

  #endsOf(node: number): Readonly<Record<Way, { readonly space: Namespace; readonly device: string }>> {
    return {
      to: { space: this.#spaces.hub, device: portOf(node) },
      from: { space: this.#place(node), device: 'eth0' },
    };
  }

  #place(node: number): Namespace {
    const place = this.#places[node - 1];
    if (!place) throw new Error(`node ${node} has no namespace: there are ${placesCount}`);
    return place;
  }

  /** The program that is started as CometBFT asks here what to become. */
  async #listen(): Promise<void> {
    const asked = path.join(this.#folder, 'ask');
    const server = net.createServer({ allowHalfOpen: true }, async (socket) => {
      socket.on('error', () => socket.destroy());
      const words = JSON.parse(await text(socket)) as string[];
      const told = await this.#becoming(words).catch((error: Error) => ({ complaint: error.message }));
      socket.end(JSON.stringify(told));
    });
    this.#servers.set(asked, server);
    await listening(server, asked);
    const own = path.join(import.meta.dirname, 'become.ts');
    const [node, script, socket, comet] = [process.execPath, own, asked, this.#program].map(
      (word) => `'${word.replaceAll("'", "'\\''")}'`,
    );
    const asks = `[ "$1" = start ] || exec ${comet} "$@"\nexec ${node} --no-warnings ${script} ${socket} "$@"`;
    writeFileSync(this.comet, `#!/bin/sh\n${asks}\n`);
    chmodSync(this.comet, 0o755);
  }

  async #becoming(words: readonly string[]): Promise<{ words: readonly string[]; env: NodeJS.ProcessEnv }> {
    const home = words.at(words.indexOf('--home') + 1) as string;
    const node = nodeOfHome(home);
    const settings = readSettings(home);
    const doors = ['abci', 'rpc'].map((name) => path.join(this.#folder, `${name}-${node}`));
    const [abci, rpc] = doors as [string, string];
    // What was killed has left its socket.
    rmSync(rpc, { force: true });
    await this.#door(abci, () => connectPatiently(readSettings(home).abci));
    await this.#door(settings.rpc, async () => net.connect(rpc));
    const peers = settings.peers.map((peer) => this.#within(peer, 'p2p'));
    const servers = settings.rpcServers.map((url) => this.#within(url, 'rpc'));
    return {
      words: [
        ...this.#place(node).way,
        this.#program,
        ...words,
        ...['--proxy_app', `unix://${abci}`],
        ...['--rpc.laddr', `unix://${rpc},tcp://${addressOf(node)}:${settings.rpc}`],
        ...['--p2p.laddr', `tcp://${addressOf(node)}:${settings.p2p}`],
        ...['--p2p.persistent_peers', peers.join(',')],
      ],
      env: servers.length > 0 ? { CMT_STATESYNC_RPC_SERVERS: servers.join(',') } : {},
    };
  }

  /** The address of another node, as those in the namespaces have it. */
  #within(address: string, kind: 'p2p' | 'rpc'): string {
    const port = Number(address.split(':').at(-1));
    const file = path.join(this.#network, networkFile);
    const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as Pick<Network, 'nodes'>;
    const found = nodes.find(({ ports }) => ports[kind] === port);
    if (!found) throw new Error(`nobody listens at ${address}`);
    return address.replace('127.0.0.1', addressOf(indexOf(found)));
  }

  /** Whoever calls one side is put through to the other, both outside of the namespaces. */
  async #door(at: string | number, other: () => Promise<Socket>): Promise<void> {
    const key = String(at);
    if (this.#servers.has(key)) return;
    const server = net.createServer(async (caller) => {
      caller.on('error', () => caller.destroy());
      await other().then(
        (called) => this.#joinUp(caller, called),
        () => caller.destroy(),
      );
    });
    this.#servers.set(key, server);
    await listening(server, at);
  }

  #joinUp(caller: Socket, called: Socket): void {
    for (const [socket, other] of [
      [caller, called],
      [called, caller],
    ] as const) {
      this.#open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }

  #close(): void {
    for (const server of this.#servers.values()) server.close();
    for (const socket of this.#open) socket.destroy();
  }
}

function listening(server: Server, at: string | number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(typeof at === 'string' ? { path: at } : { port: at, host: '127.0.0.1' }, resolve);
  });
}

const nodeOfHome = (home: string): number => {
  const [, digits] = /^node-(\d+)$/.exec(path.basename(path.dirname(home))) ?? [];
  if (digits === undefined) throw new Error(`${home} is the home of no node`);
  return Number(digits);
};

function readSettings(home: string): Settings {
  const said = readFileSync(path.join(home, 'config', 'config.toml'), 'utf8');
  const value = (pattern: RegExp): string => pattern.exec(said)?.[1] ?? '';
  const port = (address: string): number => Number(address.split(':').at(-1));
  const list = (values: string): readonly string[] => values.split(',').filter((one) => one !== '');
  return {
    abci: port(value(/^proxy_app = "(.*)"$/m)),
    rpc: port(value(/^\[rpc\]\nladdr = "(.*)"$/m)),
    p2p: port(value(/^\[p2p\]\nladdr = "(.*)"$/m)),
    peers: list(value(/^persistent_peers = "(.*)"$/m)),
    rpcServers: list(value(/^rpc_servers = "(.*)"$/m)),
  };
}
