/**
 * Looks at folders whose store may be damaged, in a process of its own, because damage could end or stop a whole
 * process. For each it starts a real node, asks everything a client can ask, then proves the chain.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from '@symbolon/cli/terminal/failure';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { nodeConfigSchema } from '@symbolon/ledger-node/node/node-config';
import { openNodeFolder, storePath } from '@symbolon/ledger-node/node/node-folder';
import { type ServedNode, serveNode } from '@symbolon/ledger-node/operation/serve-node';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import { send } from '../support/http.ts';
import { proveChain } from './audit.ts';

export interface Question {
  readonly folder: string;
  /** Paths with queries, asked of the node in this order. */
  readonly paths: readonly string[];
}

/** How an operator would learn of it. */
export interface Complaint {
  readonly name: string;
  readonly message: string;
  readonly exitCode: number;
}

export interface Finding {
  /** Why the node did not start. */
  readonly refused?: Complaint;
  /** Why it stopped while it ran. */
  readonly stopped?: Complaint & { readonly readiness: string; readonly metrics: string };
  /** What it answered to each path: the status and the text. */
  readonly answers?: readonly { readonly status: number; readonly text: string }[];
  /** What proving the chain said. */
  readonly provedHead?: string;
  readonly disproved?: Complaint;
}

function complaintOf(error: unknown): Complaint {
  return { name: (error as Error).name, ...failureOf(error) };
}

async function serveAndAsk({ folder, paths }: Question): Promise<Finding> {
  const config = { port: 0, socketPort: 0, signatureWorkers: 0 };
  const served = await serveNode(await openNodeFolder(folder), {
    config: nodeConfigSchema.parse(config),
    log: createLog({ level: 'silent' }),
    metrics: createMetrics({ withProcess: false }),
  });
  try {
    const answers = [];
    for (const path of paths) {
      const { status, text } = await send(`${served.httpUrl}${path}`);
      answers.push({ status, text });
    }
    const reason = await Promise.race([served.failed, untilReadThrough(served)]);
    if (!reason) return { answers };
    const { text: readiness } = await send(`${served.httpUrl}/readyz?verbose`);
    const { text: metrics } = await send(`${served.httpUrl}/metrics`);
    return { answers, stopped: { ...complaintOf(reason), readiness, metrics } };
  } finally {
    await served.close();
  }
}

async function untilReadThrough({ httpUrl }: ServedNode): Promise<undefined> {
  for (;;) {
    const { text } = await send(`${httpUrl}/readyz?verbose`);
    if (/^store: ok$/m.test(text)) return undefined;
    await sleep(10);
  }
}

async function prove(folder: string): Promise<Finding> {
  try {
    const store = await LevelStore.open(storePath(folder));
    try {
      const { head } = await proveChain(store, await openNodeFolder(folder));
      return { provedHead: encodeHex(head.hash) };
    } finally {
      await store.close();
    }
  } catch (error) {
    return { disproved: complaintOf(error) };
  }
}

async function examine(question: Question): Promise<Finding> {
  const seen = await serveAndAsk(question).catch((error): Finding => ({ refused: complaintOf(error) }));
  return { ...seen, ...(await prove(question.folder)) };
}

process.once('disconnect', () => process.exit(0));
process.on('message', async (question: Question) => {
  process.send?.(await examine(question));
});
