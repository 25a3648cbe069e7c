/**
 * The node under test, in a process of its own: opens the folder named on the command line and does what the
 * benchmark asks. It notes when which block became durable and leaves the arithmetic to the other side.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert } from '@symbolon/core/basics/assert';
import { parseHex } from '@symbolon/core/basics/bytes';
import type { Signature } from '@symbolon/core/proto/ledger_pb';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { nodeConfigSchema } from '@symbolon/ledger-node/node/node-config';
import { openNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { serveNode } from '@symbolon/ledger-node/operation/serve-node';
import { answerCalls } from '../child.ts';
import { cpuMs, nowMs } from '../statistics.ts';
import { readBodies } from './transfers.ts';
import { measureProofs, measureRoots } from './tree-measure.ts';

export interface Ready {
  /** From reading the folder until the interfaces listen, without loading the program. */
  readonly openMs: number;
  /** The CPU time of that, all threads. */
  readonly openCpuMs: number;
  readonly port: number;
}

export interface Usage {
  readonly cpuMs: number;
  /** The part of the thread that everything but signatures, garbage and disk has to go through. */
  readonly mainCpuMs: number;
  readonly rssBytes: number;
  readonly rssBytesMax: number;
}

export interface DurableBlock {
  readonly atMs: number;
  /** The hashes of its transactions, 32 bytes each. */
  readonly hashes: Uint8Array;
}

export interface DirectOrder {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  /** How many transfers may be handed in and not yet durable. */
  readonly inFlightMax: number;
}

interface Transfer {
  readonly blob: Uint8Array;
  readonly signatures: readonly Signature[];
}

/** Submissions between two turns of the event loop, as a busy interface would hand them in. */
const burst = 32;

const [, , folder, index] = process.argv;
const began = nowMs();
const cpuBefore = process.cpuUsage();
// The accounts of a prepared chain come from no transaction, so that it cannot be executed again, as an index is made.
const explorer = index === 'with index';
const config = nodeConfigSchema.parse({ port: 0, socketPort: 0, logLevel: 'error', explorer });
const log = createLog({ level: config.logLevel, name: 'bench' });
const served = await serveNode(await openNodeFolder(folder), { config, log, metrics: createMetrics() });
const { node } = served;
const openMs = nowMs() - began;
const openCpuMs = cpuMs(cpuBefore);
void served.failed.then((error) => {
  throw error;
});

let blocks: DurableBlock[] = [];
let durableCount = 0;
let wake: (() => void) | undefined;
let prepared: Transfer[] = [];

node.watch({
  block({ executed: { transactions: executed } }) {
    const atMs = nowMs();
    const hashes = new Uint8Array(executed.length * 32);
    for (const [index, { verified, outcome }] of executed.entries()) {
      if (outcome.failure) throw new Error(`a transfer failed: ${outcome.failure.description}`);
      hashes.set(verified.signed.hash, index * 32);
    }
    blocks.push({ atMs, hashes });
    durableCount += executed.length;
    wake?.();
  },
  dropped(_transaction, { code, description }) {
    throw new Error(`a transfer was dropped: ${code} ${description}`);
  },
});

const nextBlock = (): Promise<void> => new Promise((resolve) => (wake = resolve));

async function untilDurable(count: number): Promise<void> {
  while (durableCount < count) await nextBlock();
}

function transferOf(body: string): Transfer {
  const { transaction_blob, signatures } = JSON.parse(body).items[0];
  const bytes = (hex: string): Uint8Array => {
    const parsed = parseHex(hex);
    assert(parsed, 'a prepared transfer is hex');
    return parsed;
  };
  return {
    blob: bytes(transaction_blob),
    signatures: signatures.map((signature: { sign_data: string; public_key: string }) => ({
      $typeName: 'symbolon.ledger.v1.Signature',
      publicKey: signature.public_key,
      signData: bytes(signature.sign_data),
    })),
  };
}

async function submitOne({ blob, signatures }: Transfer): Promise<void> {
  const { refusal } = await node.submit(blob, signatures);
  if (refusal) throw new Error(`a transfer was refused: ${refusal.code} ${refusal.description}`);
}

/** Submits the prepared transfers in order; answers when each was handed in. */
async function submitAll(inFlightMax: number): Promise<Float64Array> {
  const submittedAt = new Float64Array(prepared.length);
  const durableBefore = durableCount;
  let failure: unknown;
  for (let index = 0; index < prepared.length; index++) {
    while (index - (durableCount - durableBefore) >= inFlightMax) await nextBlock();
    if (index % burst === 0) await nextTurn();
    if (failure !== undefined) throw failure;
    submittedAt[index] = nowMs();
    submitOne(prepared[index]).catch((error) => (failure ??= error));
  }
  while (failure === undefined && durableCount - durableBefore < prepared.length) await nextBlock();
  if (failure !== undefined) throw failure;
  return submittedAt;
}

function usage(): Usage {
  const main = process.threadCpuUsage();
  const { maxRSS } = process.resourceUsage();
  return {
    cpuMs: cpuMs(),
    mainCpuMs: (main.user + main.system) / 1_000,
    rssBytes: process.memoryUsage.rss(),
    rssBytesMax: maxRSS * 1_024,
  };
}

answerCalls(
  {
    ready: (): Ready => ({ openMs, openCpuMs, port: Number(new URL(served.httpUrl).port) }),
    usage,
    prepare: async ({ file, from, to }: DirectOrder) => {
      prepared = (await readBodies(file, { from, to })).map(transferOf);
    },
    direct: ({ inFlightMax }: DirectOrder) => submitAll(inFlightMax),
    durableCount: () => durableCount,
    untilDurable,
    takeBlocks: () => {
      const taken = blocks;
      blocks = [];
      return taken;
    },
    proofs: (accounts: number) => measureProofs(node.chain, accounts),
    roots: (accounts: number) => measureRoots(node.chain, accounts),
  },
  () => served.close(),
);
