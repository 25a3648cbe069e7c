/** hardhat from npm: mines a block for each transaction before it answers. */
import { join } from 'node:path';
import { versionIn } from '../peer-packages.ts';
import { type Peer, peerFolder } from './peer.ts';

const nothing = async (): Promise<void> => {};

/** As it comes, and without its log of every call, which takes a third of its time. */
export function hardhatPeers(): Peer[] {
  const common = {
    version: versionIn(peerFolder, 'hardhat'),
    file: process.execPath,
    argumentsFor: (port: number) => [
      join(peerFolder, 'node_modules/hardhat/internal/cli/bootstrap.js'),
      ...['node', '--hostname', '127.0.0.1', '--port', String(port)],
    ],
    // Neither questions nor messages to its makers.
    env: { CI: 'true', HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
    perRound: 1_024,
    minesBehind: false,
    untilMined: nothing,
  };
  return [
    { ...common, name: 'hardhat', setUp: nothing },
    {
      ...common,
      name: 'hardhat without its log',
      setUp: (call) => call('hardhat_setLoggingEnabled', false),
    },
  ];
}
