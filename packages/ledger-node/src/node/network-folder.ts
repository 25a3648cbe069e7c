/**
 * The chain of a network as it begins: one `genesis.json` for all its nodes, and the folder of a node in it. The node of a
 * network has no key of its own: who votes is CometBFT's business (`comet-home.ts`).
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { profiles } from '@symbolon/core/keys/profile';
import type { ValidatorEntry } from '@symbolon/core/ledger/terms/validators';
import { stringifyJson } from '@symbolon/wire/json/json';
import { prepareGenesis } from '../chain/genesis-block.ts';
import { genesisSchema } from '../chain/genesis-document.ts';
import { hashPairs } from '../chain/hash-pairs.ts';
import { cometChainId } from '../drivers/comet/handshake.ts';
import { folderFiles, readGenesis } from './node-folder.ts';

export interface NetworkPlan {
  readonly genesisAddress: string;
  /** Whose account says who validates. */
  readonly council: string;
  readonly validators: readonly ValidatorEntry[];
}

/** The text of `genesis.json`. */
export const networkGenesis = ({ genesisAddress, council, validators }: NetworkPlan): string => {
  const network = {
    council,
    validators: validators.map(({ publicKey, power, payTo }) => ({ publicKey, power, payTo })),
  };
  const document = { profile: profiles.zetrix.name, genesisAddress, network };
  return `${stringifyJson(genesisSchema.parse(document), 2)}\n`;
};

/** Makes the folder, which must not be there. */
export async function writeMemberFolder(
  folder: string,
  { genesis, settings }: { readonly genesis: string; readonly settings: object },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const put = (file: string, text: string): Promise<void> =>
    writeFile(join(folder, file), text, { flag: 'wx', flush: true });
  await put(folderFiles.settings, `${JSON.stringify(settings, null, 2)}\n`);
  await put(folderFiles.genesis, genesis);
}

/** The chain id that CometBFT's genesis document has to have for the chain of a folder. */
export async function cometChainIdOf(folder: string): Promise<string> {
  const { closed } = await prepareGenesis(await readGenesis(folder), hashPairs);
  return cometChainId(closed.header);
}
