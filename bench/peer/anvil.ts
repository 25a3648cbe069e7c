/** anvil from npm, prebuilt for x64 alone: answers what has come into its pool, and mines it later. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { versionIn } from '../peer-packages.ts';
import { type Call, type Peer, peerFolder, peerSenders } from './peer.ts';

const packageName = '@foundry-rs/anvil-linux-amd64';

/** Seldom enough that being asked costs it next to nothing. */
const pollMs = 50;

/**
 * What keeps a load like this one from being refused, or would cost it more than transfers do: a block takes whatever
 * waits, nothing is written to the terminal, and states before the last are not kept.
 */
const options = [
  ...['--accounts', String(peerSenders), '--balance', '1000000'],
  ...['--gas-limit', '1000000000000', '--order', 'fifo', '--prune-history', '--quiet'],
];

export function anvilPeers(): Peer[] {
  const file = join(peerFolder, 'node_modules', packageName, 'bin/anvil');
  if (!existsSync(file)) return [];
  const common = {
    version: versionIn(peerFolder, packageName),
    file,
    env: {},
    setUp: async () => {},
  };
  const argumentsFor = (port: number): string[] => ['--port', String(port), ...options];
  return [
    {
      ...common,
      name: 'anvil, mining each',
      perRound: 2_048,
      minesBehind: true,
      argumentsFor,
      // It mines far slower than it answers and takes the longer the more waits: what it costs until it has answered is
      // counted, which is less than it owes.
      untilMined: async () => {},
    },
    {
      ...common,
      name: 'anvil, mining every second',
      perRound: 8_192,
      minesBehind: false,
      untilMined,
      argumentsFor: (port) => [...argumentsFor(port), '--block-time', '1'],
    },
  ];
}

async function untilMined(call: Call): Promise<void> {
  for (;;) {
    const { pending, queued } = await call<{ pending: string; queued: string }>('txpool_status');
    if (Number(pending) + Number(queued) === 0) return;
    await sleep(pollMs);
  }
}
