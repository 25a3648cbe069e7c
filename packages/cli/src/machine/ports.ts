/**
 * Ports that nobody asked for by number, the usual one or the next that is free; and who has a port that is not. Who
 * that is only Linux tells, and only of processes that we may look at; elsewhere nobody is named.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

/** How many ports after the usual one are tried before the system is asked for any. */
const neighbourPortsMax = 20;

/** The port itself or the next one that is free; 0 (any) where the whole neighbourhood is busy. */
export async function freePortFrom(port: number): Promise<number> {
  for (let candidate = port; candidate <= Math.min(port + neighbourPortsMax, 65_535); candidate++)
    if (await isPortFree(candidate)) return candidate;
  return 0;
}

export async function isPortFree(port: number): Promise<boolean> {
  const probe = createServer();
  probe.listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
    return true;
  } catch {
    // Busy, or not ours to take: either way another port will do.
    return false;
  } finally {
    probe.close();
  }
}

export interface PortOwner {
  readonly pid: number;
  /** The program's own short name, never its arguments: there may be secrets in them. */
  readonly name: string;
}

/** Who listens on a port of this machine, where that can be told. */
export function ownerOfPort(port: number): PortOwner | undefined {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return undefined;
  for (const pid of namesIn('/proc').filter((name) => /^\d+$/.test(name))) {
    if (!namesIn(`/proc/${pid}/fd`).some((number) => sockets.has(targetOf(`/proc/${pid}/fd/${number}`))))
      continue;
    return { pid: Number(pid), name: nameOf(pid) };
  }
  return undefined;
}

/** Programs on Node all call their first thread so; the file that runs says more. */
const namelessThread = 'MainThread';

function nameOf(pid: string): string {
  const name = textOf(`/proc/${pid}/comm`).trim();
  return name === namelessThread ? path.basename(targetOf(`/proc/${pid}/exe`)) || name : name;
}

/** A row of the kernel's table: number, local address and port, remote address, state, …, inode as tenth. */
function listeningSockets(table: string, port: number): string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const listening = '0A';
  return textOf(`/proc/net/${table}`)
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(wanted) && state === listening)
    .map((fields) => `socket:[${fields[9]}]`);
}

// What is gone meanwhile, not ours to see, or not there on this system counts as empty.

/** Of processes that may be gone, or are not ours to look at. */
function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const namesIn = (folder: string): string[] => readOr([], () => readdirSync(folder));
const textOf = (file: string): string => readOr('', () => readFileSync(file, 'utf8'));
const targetOf = (link: string): string => readOr('', () => readlinkSync(link));
