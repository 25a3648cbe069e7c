/**
 * `npm run bench -- credentials`: credentials of twelve attributes are issued, three attributes of them derived and
 * verified, by both engines of ours with and without a range and by two libraries from npm. Every library has a process
 * of its own; their rounds alternate, so that whatever else the machine does meets all of them.
 */
import { fileURLToPath } from 'node:url';
import { type EngineName, engineNames } from '@symbolon/credential-service/proofs/proof-engines';
import { type Child, startChild } from '../child.ts';
import { install, versionIn } from '../peer-packages.ts';
import { note } from '../print.ts';
import { median, mediansOf } from '../statistics.ts';
import { type Measured, printCredentials } from './report.ts';
import type { RoundTimes } from './rounds.ts';
import type { Variant } from './symbolon-process.ts';

export interface CredentialsPlan {
  readonly isQuick: boolean;
  readonly withPeer: boolean;
}

/** Machine code gets better for a while, so the first rounds do not count. */
const warmUpRounds = 3;

interface Contestant {
  readonly name: string;
  readonly kind: Measured['kind'];
  readonly process: Child;
  readonly input?: Variant;
}

function startOurs(engine: EngineName): Contestant[] {
  const process = startChild(new URL('./symbolon-process.ts', import.meta.url), { args: [engine] });
  const variants: readonly Variant[] = ['no range', 'unbound', 'bulletproofs', 'set-membership'];
  return variants.map((input) => ({
    name: `Symbolon ${engine}, ${input}`,
    kind: `${engine}, ${input}`,
    process,
    input,
  }));
}

/** The same document in the same form as the library's, by us. */
const startOurFormat = (): Contestant => ({
  name: 'Symbolon bbs-2023',
  kind: 'our bbs-2023',
  process: startChild(new URL('./bbs-2023-process.ts', import.meta.url)),
});

const peerFolder = fileURLToPath(new URL('./peer/', import.meta.url));

function startPeers(): Contestant[] {
  install(peerFolder, 'the libraries to compare with into bench/credentials/peer/node_modules');
  const peers = [
    ['@digitalbazaar/bbs-2023-cryptosuite', 'bbs-2023', './peer/bbs-2023.mjs'],
    ['@mattrglobal/jsonld-signatures-bbs', 'bbs-2020', './peer/bbs-2020.mjs'],
  ] as const;
  return peers.map(([name, kind, script]) => ({
    name: `${name} ${versionIn(peerFolder, name)}`,
    kind,
    process: startChild(new URL(script, import.meta.url)),
  }));
}

export async function measureCredentials({ isQuick, withPeer }: CredentialsPlan): Promise<void> {
  const rounds = isQuick ? 3 : 15;
  const contestants = [
    ...engineNames.flatMap(startOurs),
    startOurFormat(),
    ...(withPeer ? startPeers() : []),
  ];
  const times = contestants.map((): RoundTimes[] => []);
  try {
    for (let round = -warmUpRounds; round < rounds; round++) {
      if (round === -warmUpRounds) note('credentials: warming up');
      if (round === 0) note(`credentials: ${rounds} rounds`);
      for (const [index, { process, input }] of contestants.entries()) {
        const measured = await process.call<RoundTimes>('round', input);
        if (round >= 0) times[index]?.push(measured);
      }
    }
  } finally {
    await Promise.all(contestants.map(({ process }) => process.end()));
  }
  const measured = contestants.map(({ name, kind }, index) => {
    const all = times[index] as RoundTimes[];
    const fullMs = median(all.map(({ issueMs, deriveMs, verifyMs }) => issueMs + deriveMs + verifyMs));
    return { name, kind, ...mediansOf(all, 'issueMs', 'deriveMs', 'verifyMs'), fullMs };
  });
  printCredentials(measured, rounds);
}
