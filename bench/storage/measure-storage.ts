/**
 * `npm run bench -- storage`: bytes on disk of a credential, in PostgreSQL and on the ledger, alone in its block and
 * together with others; of a block without transactions, at a validator and at its CometBFT; and of what a light client
 * is sent, by the number of validators.
 */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cometHomeOf, ledgerFolderOf, readNetwork } from '@symbolon/cli/network/network-file';
import { makeChain, testValidator } from '@symbolon/core/light/testing/made-up-chain';
import { storePath } from '@symbolon/ledger-node/node/node-folder';
import { lightBlockJson } from '@symbolon/sdk/testing/light-block-json';
import { ClassicLevel } from 'classic-level';
import pg from 'pg';
import { folderBytes } from '../ledger/prepared-chain.ts';
import { startLedgerNetwork } from '../network/bench-network.ts';
import { heightAt } from '../network/height.ts';
import { heading, note, oneDigit, printTable, whole } from '../print.ts';
import { type ReplicaWorld, startReplicaWorld } from '../replicas/replica-world.ts';
import type { LoadResult } from '../service/load-process.ts';

export interface StorageOptions {
  readonly scratch: string;
  readonly isQuick: boolean;
  readonly flags: string[];
}

/** What is on disk, and how much of what is in it. */
interface Stored {
  readonly credentials: number;
  readonly blocks: number;
  readonly ledgerBytes: number;
  readonly databaseBytes: number;
}

export async function measureStorage(options: StorageOptions): Promise<void> {
  await printCredentials(options);
  printLightBlocks();
  await printBlocks(options);
}

const loads = [
  { connections: 1, count: 40 },
  { connections: 24, count: 400 },
] as const;
const quickLoads = loads.map(({ connections }) => ({ connections, count: 2 * connections }));

/** One connection has every credential in a block of its own; many have theirs recorded together. */
async function printCredentials({ scratch, flags, isQuick }: StorageOptions): Promise<void> {
  const world = await startReplicaWorld({ scratch, flags, counts: [1] });
  const rows: string[][] = [];
  let before = await storedIn(world, scratch);
  for (const { connections, count } of isQuick ? quickLoads : loads) {
    note(`${count} credentials over ${connections} connections`);
    const order = { journey: 'issue' as const, connections, count, seconds: 3_600 };
    await world.load.call<LoadResult>('run', order);
    const after = await storedIn(world, scratch);
    const credentials = after.credentials - before.credentials;
    const each = (name: keyof Stored): number => (after[name] - before[name]) / credentials;
    rows.push([
      ...[whole(connections), whole(credentials), oneDigit(1 / each('blocks'))],
      ...[whole(each('databaseBytes')), whole(each('ledgerBytes'))],
    ]);
    before = after;
  }
  await world.end();
  heading('A credential of twelve attributes: bytes on disk, the ledger compacted');
  printTable(['connections', 'credentials', 'a block', 'PostgreSQL', 'ledger'], rows);
}

async function storedIn(world: ReplicaWorld, scratch: string): Promise<Stored> {
  const client = new pg.Client({ connectionString: world.database });
  await client.connect();
  await client.query('vacuum');
  const { rows } = await client.query(
    'select (select count(*) from credentials) as credentials, pg_database_size(current_database()) as bytes',
  );
  await client.end();
  const reply = await fetch(`${world.nodeUrl}/getLedger`);
  const { result } = (await reply.json()) as { result: { header: { seq: number } } };
  return {
    credentials: Number(rows[0].credentials),
    databaseBytes: Number(rows[0].bytes),
    blocks: result.header.seq,
    ledgerBytes: await settledBytes(storePath(world.chain), join(scratch, 'copy')),
  };
}

/** Of a copy that was compacted: what is in LevelDB's log and in several levels is there once, sooner or later. */
async function settledBytes(store: string, copy: string): Promise<number> {
  await cp(store, copy, { recursive: true });
  const level = new ClassicLevel<Uint8Array, Uint8Array>(copy, {
    keyEncoding: 'view',
    valueEncoding: 'view',
  });
  await level.open();
  await level.compactRange(Uint8Array.of(0), Uint8Array.of(255, 255));
  await level.close();
  const bytes = await folderBytes(copy);
  await rm(copy, { recursive: true });
  return bytes;
}

const lightValidators = [1, 4, 7, 25, 100] as const;

function printLightBlocks(): void {
  const rows = lightValidators.map((count) => {
    const set = Array.from({ length: count }, (_, index) => testValidator(`validator ${index}`, 10n));
    const [block] = makeChain({ chainId: `symbolon-${'0'.repeat(32)}`, sets: [set, set] });
    return [whole(count), whole(JSON.stringify(lightBlockJson(block)).length)];
  });
  heading('What `getLightBlock` answers of a block that all validators signed');
  printTable(['validators', 'bytes'], rows);
}

const emptyBlocks = 150;

async function printBlocks({ scratch, flags, isQuick }: StorageOptions): Promise<void> {
  const folder = join(scratch, 'network');
  const wanted = isQuick ? 20 : emptyBlocks;
  const network = await startLedgerNetwork(folder, { validators: 4, commitMs: 100, flags });
  try {
    const read = await readNetwork(folder);
    const [node] = read.nodes;
    const places = [
      ['ledger', ledgerFolderOf(read, node)],
      ['CometBFT', join(cometHomeOf(read, node), 'data')],
    ] as const;
    note(`${wanted} blocks without transactions`);
    const heightBefore = await heightAt(network.rpcPort);
    const before = await Promise.all(places.map(([, place]) => folderBytes(place)));
    while (!((await heightAt(network.rpcPort)) >= heightBefore + wanted)) await sleep(200);
    const after = await Promise.all(places.map(([, place]) => folderBytes(place)));
    const blocks = (await heightAt(network.rpcPort)) - heightBefore;
    heading(
      `A block without transactions at one of four validators, over ${whole(blocks)} of them, as it is written`,
    );
    printTable(
      ['', 'bytes a block'],
      places.map(([name], at) => [name, whole(((after[at] as number) - (before[at] as number)) / blocks)]),
    );
  } finally {
    await network.end();
  }
}
