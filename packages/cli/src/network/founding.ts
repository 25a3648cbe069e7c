/**
 * A network out of what its members tell of themselves: both genesis documents follow from `founding.json`, so everybody
 * makes them for themselves, and needs nobody's word that they fit together.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { cometGenesis } from '@symbolon/ledger-node/node/comet-home';
import { cometChainIdOf, networkGenesis } from '@symbolon/ledger-node/node/network-folder';
import { stringifyJson } from '@symbolon/wire/json/json';
import { usageFailure } from '../terminal/failure.ts';
import type { Founding, Member } from './member.ts';

export interface GenesisTexts {
  readonly ledger: string;
  readonly comet: string;
  readonly chainId: string;
  readonly cometGenesisHash: string;
}

type Agreed = Pick<Founding, 'council' | 'genesisAddress' | 'time' | 'members'>;

export async function genesisTextsOf({
  council,
  genesisAddress,
  time,
  members,
}: Agreed): Promise<GenesisTexts> {
  const ledger = networkGenesis({
    genesisAddress,
    council,
    validators: members.map(({ publicKey, power, payTo }) => ({ publicKey, power, payTo })),
  });
  const chainId = await chainIdOf(ledger);
  const named = members.map(({ publicKey, power, name }) => ({ publicKey, power, name }));
  const comet = `${stringifyJson(cometGenesis(chainId, named, new Date(time)), 2)}\n`;
  return { ledger, comet, chainId, cometGenesisHash: sha256Hex(comet) };
}

/** The first block is made by whoever has the document, and its hash names the chain. */
async function chainIdOf(genesis: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'symbolon-genesis-'));
  try {
    await writeFile(path.join(folder, 'genesis.json'), genesis);
    return await cometChainIdOf(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Nobody stands twice, and nobody's key is another's. */
export function assertDifferent(members: readonly Member[]): void {
  for (const [fact, what] of [
    ['name', 'name'],
    ['publicKey', 'key of a validator'],
    ['peerId', 'key of a peer'],
    ['at', 'address'],
  ] as const) {
    const found = members.map((member) => member[fact]);
    const [twice] = found.filter((value, at) => found.indexOf(value) !== at);
    if (twice !== undefined)
      throw usageFailure(`Two members have the same ${what}: ${twice}.\nNothing was written.`);
  }
}

/** The documents of a network that others have put together, if they are what is said of them. */
export async function checkedGenesis(founding: Founding): Promise<GenesisTexts> {
  assertDifferent(founding.members);
  const texts = await genesisTextsOf(founding);
  if (texts.chainId === founding.chainId && texts.cometGenesisHash === founding.cometGenesisHash)
    return texts;
  throw usageFailure(
    `This founding document says that its chain is ${founding.chainId}, and it makes ${texts.chainId}.\nIt was changed after it was made, or by another version of this program. Nothing was written.`,
  );
}
