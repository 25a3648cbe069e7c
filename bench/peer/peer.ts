/**
 * The seam to a node that is measured beside ours: how it starts, how one knows that it has mined, and what was seen of
 * it. Not equal work: peers run the EVM and secp256k1 and keep everything in memory; ours has its blocks on disk.
 */
import { fileURLToPath } from 'node:url';
import type { Turns } from '@symbolon/host/work/turns';
import { targetRow, twoDigits } from '../print.ts';

/** Where peers are installed and their files are. */
export const peerFolder = fileURLToPath(new URL('.', import.meta.url));

/**
 * As many accounts as connections, so that every account's nonces arrive in order. They are those of the test phrase
 * that both peers begin with; hardhat.config.cjs and sign-calls.mjs say the same number.
 */
export const peerSenders = 64;

export type Call = <Result>(method: string, ...params: unknown[]) => Promise<Result>;

export interface Peer {
  readonly name: PeerName;
  readonly version: string;
  readonly file: string;
  argumentsFor(port: number): string[];
  readonly env: Readonly<Record<string, string>>;
  /** How many transfers a round has, where rounds are long. */
  readonly perRound: number;
  /** Goes on mining after a round, so that it is stopped while others have their turn. */
  readonly minesBehind: boolean;
  /** What there is to set once it listens. */
  setUp(call: Call): Promise<void>;
  /** Resolves when what it has answered is mined, as far as its CPU time is to be counted. */
  untilMined(call: Call): Promise<void>;
}

export type PeerName =
  | 'hardhat'
  | 'hardhat without its log'
  | 'anvil, mining each'
  | 'anvil, mining every second';

export interface PeerRound {
  readonly rate: number;
  /** Until a transfer was answered, which is before anvil mines it. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUsPerTransfer: number;
}

export interface PeerResult extends PeerRound {
  readonly name: PeerName;
  readonly version: string;
  readonly rounds: readonly PeerRound[];
  readonly transfersPerBlock: number;
  /** Which share of the transfers was mined when the last round ended. */
  readonly minedShare: number;
  readonly rssBytes: number;
}

/** Measures peers over HTTP beside us, a round of each in turn, so that the machine's minutes are everybody's. */
export type MeasureBeside = (turns: Turns) => Promise<PeerResult[]>;

/** What was seen of a peer, if it is there: anvil is prebuilt for x64 alone. */
export const findPeer = (peers: readonly PeerResult[], name: PeerName): PeerResult | undefined =>
  peers.find((peer) => peer.name === name);

/** What one transfer costs us in CPU time for each that it costs a peer; no row where the peer is not there. */
export function peerTargets(
  cpuUsPerTransfer: number,
  peers: readonly PeerResult[],
  targets: readonly (readonly [PeerName, number])[],
): string[][] {
  return targets.flatMap(([name, most]) => {
    const peer = findPeer(peers, name);
    if (!peer) return [];
    const ratio = cpuUsPerTransfer / peer.cpuUsPerTransfer;
    return [targetRow(`HTTP: CPU of a transfer ÷ that of ${name}`, ratio, ['<=', most], twoDigits)];
  });
}
