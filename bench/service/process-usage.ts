/** What this process and its children take, by the part they play: as far as the platform can tell them apart. */
import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { cpuMs } from '../statistics.ts';

export interface ProcessUsage {
  readonly mainMs: number;
  /** Threads that compute proofs, and child processes, which compute nothing else. */
  readonly proofsMs: number;
  /** The database's thread, V8's helpers and libuv's. */
  readonly restMs: number;
  /** Of the process and its children. */
  readonly rssBytes: number;
}

const ticksPerSecond = 100;
const pageBytes = 4_096;

interface ChildUsage {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** Of processes that this one has started and that still run; only Linux tells. */
function childrenUsage(): ChildUsage[] {
  if (process.platform !== 'linux') return [];
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
  return pids.flatMap((pid): ChildUsage[] => {
    try {
      // What stands in brackets may hold spaces; everything after it is counted from there.
      const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) /);
      const columns = fields.split(' ').map(Number);
      const ticks = columns[11] + columns[12];
      return [{ cpuMs: (ticks * 1_000) / ticksPerSecond, rssBytes: columns[21] * pageBytes }];
    } catch {
      return [];
    }
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** To be called before any thread is started. */
export function watchUsage(): () => Promise<ProcessUsage> {
  const proofThreads = new Set<Worker>();
  process.on('worker', (worker) => {
    if (worker.threadName !== 'proofs') return;
    proofThreads.add(worker);
    worker.once('exit', () => proofThreads.delete(worker));
  });
  const threadMs = async (worker: Worker): Promise<number> => {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  };
  return async () => {
    const main = process.threadCpuUsage();
    const mainMs = (main.user + main.system) / 1_000;
    const ofThreads = sum(await Promise.all([...proofThreads].map(threadMs)));
    const children = childrenUsage();
    return {
      mainMs,
      proofsMs: ofThreads + sum(children.map((child) => child.cpuMs)),
      restMs: cpuMs() - mainMs - ofThreads,
      rssBytes: process.memoryUsage.rss() + sum(children.map((child) => child.rssBytes)),
    };
  };
}
