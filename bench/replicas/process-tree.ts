/** The CPU time of another program with all processes that it has started; only Linux tells. */
import { readFileSync } from 'node:fs';

/** Linux counts CPU time of processes in hundredths of a second wherever programs can see it. */
const msPerTick = 10;

/** Of the process, of its children that run, and of those that it has waited for. */
export function treeCpuMs(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return (
    ownCpuMs(pid, [11, 12, 13, 14]) + children.reduce((sum, child) => sum + runningCpuMs(Number(child)), 0)
  );
}

/** One that ends meanwhile is counted by whoever waits for it. */
function runningCpuMs(pid: number): number {
  try {
    return ownCpuMs(pid, [11, 12]);
  } catch {
    return 0;
  }
}

function ownCpuMs(pid: number, columns: readonly number[]): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in brackets, may hold anything; counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return columns.reduce((sum, column) => sum + Number(fields[column]), 0) * msPerTick;
}
