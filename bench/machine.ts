/** The machine a measurement was taken on, as far as its numbers depend on it. Never its name. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { oneDigit, print, whole } from './print.ts';
import { median, nowMs, percentile } from './statistics.ts';

const syncs = 200;
const blockBytes = 4_096;

/** How long a write of 4 KiB takes to reach the disk that holds `folder`. */
function measureSync(folder: string): { medianUs: number; p99Us: number } {
  const file = join(folder, 'sync-probe');
  const descriptor = openSync(file, 'w');
  const block = new Uint8Array(blockBytes).fill(7);
  const times: number[] = [];
  try {
    for (let index = 0; index < syncs; index++) {
      const began = nowMs();
      writeSync(descriptor, block, 0, blockBytes, index * blockBytes);
      fdatasyncSync(descriptor);
      times.push((nowMs() - began) * 1_000);
    }
  } finally {
    closeSync(descriptor);
    rmSync(file, { force: true });
  }
  return { medianUs: median(times), p99Us: percentile(times, 0.99) };
}

export function printMachine(folder: string): void {
  const processors = cpus();
  const { medianUs, p99Us } = measureSync(folder);
  const memory = oneDigit(totalmem() / 2 ** 30);
  print(
    `CPU      ${processors[0]?.model.trim() ?? process.arch}, ${processors.length} cores (${process.arch})`,
  );
  print(`Memory   ${memory} GiB     Node ${process.versions.node}     load before ${oneDigit(loadavg()[0])}`);
  print(`Disk     4 KiB write + fdatasync: median ${whole(medianUs)} us, p99 ${whole(p99Us)} us`);
}

const busyMs = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);

/** Starts watching the processors; the answer tells which share of them others took meanwhile. */
export function watchOthers(): (ownCpuMs: number) => number {
  const [busyBefore, began] = [busyMs(), nowMs()];
  return (ownCpuMs) => {
    const capacityMs = (nowMs() - began) * cpus().length;
    return Math.max(0, (busyMs() - busyBefore - ownCpuMs) / capacityMs);
  };
}
