/** A peer's own process: started, called, its CPU time and memory read from outside, ended. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithUs } from '../child.ts';
import { nowMs } from '../statistics.ts';
import { type Call, type Peer, peerFolder } from './peer.ts';

const startTimeoutMs = 60_000;

/** Linux counts CPU time of processes in hundredths of a second wherever programs can see it. */
const msPerTick = 10;

export interface Usage {
  /** Of all its threads. */
  readonly cpuMs: number;
  readonly rssBytes: number;
}

export interface PeerProcess {
  readonly port: number;
  readonly call: Call;
  usage(): Usage;
  /** Stops it where it is, until `resume`. */
  pause(): void;
  resume(): void;
  end(): Promise<void>;
}

export async function startPeer({ name, file, argumentsFor, env }: Peer): Promise<PeerProcess> {
  const port = await freePort();
  const child = spawn(file, argumentsFor(port), {
    cwd: peerFolder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = endWithUs(child);
  const call = callerOf(port);
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const pause = (): unknown => child.kill('SIGSTOP');
  const resume = (): unknown => child.kill('SIGCONT');
  const began = nowMs();
  for (;;) {
    try {
      await call('eth_chainId');
      return { port, call, usage: () => usageOf(child.pid), pause, resume, end };
    } catch (error) {
      if (nowMs() - began > startTimeoutMs) {
        await end();
        throw new Error(`${name} does not start`, { cause: error });
      }
      await sleep(200);
    }
  }
}

function callerOf(port: number): Call {
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers });
    const { error, result } = (await reply.json()) as { error?: { message: string }; result: never };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

/** Of another process; only Linux tells. */
export function usageOf(pid: number | undefined): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in brackets, may hold anything; counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [, rssKib] = /VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * msPerTick, rssBytes: Number(rssKib) * 1_024 };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
