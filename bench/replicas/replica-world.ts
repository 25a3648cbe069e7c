/**
 * What replicas are measured in: one node, one PostgreSQL that waits for its disk, a service alone, and three that share
 * the same database; a balancer in front of whichever has its turn, and those who call.
 */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { initServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import { demoGenesisSeed } from '@symbolon/demo/keys';
import { initNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { startPostgres } from '../../test/support/postgres.ts';
import { type Child, startChild } from '../child.ts';
import type { Ready, Usage } from '../ledger/node-process.ts';
import { note } from '../print.ts';
import type { ProcessUsage } from '../service/process-usage.ts';
import type { ServiceReady } from '../service/service-process.ts';
import { treeCpuMs } from './process-tree.ts';

export interface ReplicaWorld {
  readonly load: Child;
  readonly nodeUrl: string;
  /** Where the node keeps its chain. */
  readonly chain: string;
  /** Of PostgreSQL. */
  readonly database: string;
  /** So many serve from now on: one alone, or all of the three. */
  choose(count: ReplicaCount): Promise<void>;
  usage(count: ReplicaCount): Promise<WorldUsage>;
  end(): Promise<void>;
}

export const replicaCounts = [1, 3] as const;
export type ReplicaCount = (typeof replicaCounts)[number];

/** CPU time until now, of all processes of a part together. */
export interface WorldUsage {
  readonly mainMs: number;
  readonly proofsMs: number;
  readonly restMs: number;
  readonly databaseMs: number;
  readonly nodeMs: number;
  readonly rssBytes: number;
}

interface Group {
  readonly services: readonly Child[];
  readonly ports: readonly number[];
}

/** Those who share a machine share its cores: together they have as many workers for proofs as one alone. */
export const proofWorkersOf = (count: ReplicaCount): number =>
  Math.max(1, Math.floor(availableParallelism() / count));

export interface WorldOrder {
  readonly scratch: string;
  readonly flags: string[];
  readonly counts: readonly ReplicaCount[];
}

/** The first of the counts prepares what is asked for. */
export async function startReplicaWorld({ scratch, flags, counts }: WorldOrder): Promise<ReplicaWorld> {
  const ends: (() => void | Promise<void>)[] = [];
  const children: Child[] = [];
  const started = (script: string, args: string[] = []): Child => {
    const child = startChild(new URL(script, import.meta.url), { args, flags });
    children.push(child);
    return child;
  };
  const postgres = await startPostgres({ after: (end) => void ends.push(end) }, { waitsForDisk: true });
  // Whatever ends the benchmark ends its database.
  process.once('exit', () => {
    try {
      process.kill(postgres.pid(), 'SIGQUIT');
    } catch {
      // It has ended already.
    }
  });
  const chain = join(scratch, 'ledger');
  await initNodeFolder(chain, { genesisSeed: demoGenesisSeed() });
  const node = started('../ledger/node-process.ts', [chain]);
  const nodeUrl = `http://127.0.0.1:${(await node.call<Ready>('ready')).port}`;
  const balancer = started('balancer-process.ts');
  const publicUrl = `http://127.0.0.1:${await balancer.call<number>('port')}`;
  const shared = {
    database: postgres.url,
    masterKey: { value: randomBytes(32).toString('hex') },
    publicUrl,
  };
  let demo: ServiceReady['demo'] | undefined;

  /** One after the other: the people of the demo do one thing at a time. */
  const startGroup = async (count: ReplicaCount): Promise<Group> => {
    const services: Child[] = [];
    const ports: number[] = [];
    for (let place = 0; place < count; place++) {
      note(`starting service ${place + 1} of ${count}`);
      const folder = join(scratch, `service-${count}-${place}`);
      await initServiceFolder(folder);
      const settings = JSON.stringify({ ...shared, proofWorkers: proofWorkersOf(count) });
      const service = started('../service/service-process.ts', [folder, nodeUrl, settings]);
      const ready = await service.call<ServiceReady>('ready');
      demo ??= ready.demo;
      services.push(service);
      ports.push(ready.port);
    }
    return { services, ports };
  };
  const groups = new Map<ReplicaCount, Group>();
  for (const count of counts) groups.set(count, await startGroup(count));
  const groupOf = (count: ReplicaCount): Group => groups.get(count) as Group;
  const choose = async (count: ReplicaCount): Promise<void> => {
    await balancer.call('choose', { ports: groupOf(count).ports });
  };
  const [first] = counts as [ReplicaCount];
  await choose(first);
  const load = started('../service/load-process.ts');
  const dids = await load.call<string[]>('holderDids');
  const apiKeys = await (groupOf(first).services[0] as Child).call<string[]>('apiKeys', { dids });
  await load.call('prepare', { url: publicUrl, demo, apiKeys });

  return {
    ...{ load, nodeUrl, chain, choose },
    database: postgres.url,
    async usage(count) {
      const taken = await Promise.all(
        groupOf(count).services.map((service) => service.call<ProcessUsage>('usage')),
      );
      const sumOf = (part: keyof ProcessUsage): number => taken.reduce((sum, one) => sum + one[part], 0);
      return {
        ...{ mainMs: sumOf('mainMs'), proofsMs: sumOf('proofsMs'), restMs: sumOf('restMs') },
        databaseMs: treeCpuMs(postgres.pid()),
        nodeMs: (await node.call<Usage>('usage')).cpuMs,
        rssBytes: sumOf('rssBytes'),
      };
    },
    async end() {
      for (const child of children.reverse()) await child.end();
      for (const end of ends.reverse()) await end();
    },
  };
}
