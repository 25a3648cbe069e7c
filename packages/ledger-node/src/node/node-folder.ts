/**
 * The folder of a node: `genesis.json` (the chain), `node.json` (this node's own settings), `validator.key` (the
 * key that signs the blocks of a chain of one node; a network has none here), `genesis-account.key`, `chain/` (the store), the mark that it has begun (`chain-mark.ts`) and
 * `explorer/` (an index that is made from the chain, and anew where it is missing).
 * Key files are readable by their owner alone and hold nothing but the key's text.
 */

import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '@symbolon/core/faults/operator-errors';
import { createKeyFormat, type KeyFormat } from '@symbolon/core/keys/keys';
import { profiles } from '@symbolon/core/keys/profile';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { keyFileLimits } from '@symbolon/core/limits/documents';
import { readSecretFile, SecretFileError } from '@symbolon/host/config/secret-file';
import { sha256 } from '@symbolon/host/work/sha256';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import { parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { z } from 'zod';
import { type GenesisDocument, genesisSchema } from '../chain/genesis-document.ts';
import { ledgerRulesOf } from '../chain/ledger-rules.ts';
import type { Validator } from '../drivers/solo-driver.ts';
import { publicKeyOf, signEd25519 } from '../signatures/ed25519.ts';

/** Something in the folder is missing, unreadable or wrong; the message says what and what to do. */
export class NodeFolderError extends SetupError {
  override name = 'NodeFolderError';
}

export interface NodeFolder {
  readonly path: string;
  readonly rules: LedgerRules;
  /** Who signs the blocks of a chain of one node; in a network CometBFT has its own key. */
  readonly validator: Validator | undefined;
}

/** What stands where in the folder. */
export const folderFiles = {
  genesis: 'genesis.json',
  /** The genesis document while the folder is being made. */
  unfinished: 'genesis.json.new',
  genesisKey: 'genesis-account.key',
  validatorKey: 'validator.key',
  settings: 'node.json',
};

const isMadeHere = (name: string): boolean =>
  name !== folderFiles.genesis && Object.values(folderFiles).includes(name);

export const storePath = (folder: string): string => join(folder, 'chain');
/** The plan of an upgrade of a network; usually there is none. */
export const upgradePath = (folder: string): string => join(folder, 'upgrade.json');
/** Snapshots of a network's state, for nodes that join: no backup needs them. */
export const snapshotsPath = (folder: string): string => join(folder, 'state-sync');
/** The index of the explorer: no backup needs it. */
export const explorerPath = (folder: string): string => join(folder, 'explorer');
export const settingsPath = (folder: string): string => join(folder, folderFiles.settings);

export interface InitOptions {
  readonly chainId?: bigint;
  readonly slogan?: string;
  readonly gasPrice?: bigint;
  readonly baseReserve?: bigint;
  /** What the node's own settings begin with. */
  readonly settings?: object;
  /** Seeds to use instead of fresh random ones. */
  readonly genesisSeed?: Uint8Array;
  readonly validatorSeed?: Uint8Array;
}

export interface InitializedFolder {
  readonly genesisAddress: string;
  readonly validatorAddress: string;
  readonly genesisKeyFile: string;
}

/**
 * Makes the folder of a chain of its own. Refuses to touch one that has anything in it, unless that is what an
 * attempt left behind that was cut short. The genesis document comes first under another name and gets its own
 * last: a folder that has it is complete, one with the other name is not.
 */
export async function initNodeFolder(path: string, options: InitOptions = {}): Promise<InitializedFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const leftovers = await readdir(path);
  const wasCutShort =
    leftovers.includes(folderFiles.unfinished) && leftovers.every((name) => isMadeHere(name));
  if (leftovers.length > 0 && !wasCutShort) {
    throw new NodeFolderError(
      `${path} is not empty. Choose another folder, or start the node that is in it.`,
    );
  }
  const profile = profiles.zetrix;
  const keys = createKeyFormat(profile, sha256);
  const genesisSeed = options.genesisSeed ?? randomBytes(32);
  const validatorSeed = options.validatorSeed ?? randomBytes(32);
  const genesisAddress = keys.addressOf(publicKeyOf(genesisSeed));
  const validatorAddress = keys.addressOf(publicKeyOf(validatorSeed));
  const document = genesisSchema.parse({
    profile: profile.name,
    chainId: options.chainId,
    slogan: options.slogan,
    genesisAddress,
    fees: { gasPrice: options.gasPrice, baseReserve: options.baseReserve },
    validators: [validatorAddress],
  });
  const unfinished = join(path, folderFiles.unfinished);
  await writeFile(unfinished, `${stringifyJson(document, 2)}\n`, { flush: true });
  for (const name of leftovers) if (name !== folderFiles.unfinished) await rm(join(path, name));
  const genesisKeyFile = join(path, folderFiles.genesisKey);
  await writeKey(genesisKeyFile, keys.encodePrivateKey(genesisSeed));
  await writeKey(join(path, folderFiles.validatorKey), keys.encodePrivateKey(validatorSeed));
  await writeFile(settingsPath(path), `${JSON.stringify(options.settings ?? {}, null, 2)}\n`, {
    flush: true,
  });
  await rename(unfinished, join(path, folderFiles.genesis));
  await syncFolder(path);
  return { genesisAddress, validatorAddress, genesisKeyFile };
}

export async function isNodeFolder(path: string): Promise<boolean> {
  return stat(join(path, folderFiles.genesis)).then(
    () => true,
    () => false,
  );
}

export async function openNodeFolder(path: string): Promise<NodeFolder> {
  const rules = await readGenesis(path);
  if (rules.parameters.network) return { path, rules, validator: undefined };
  const validator = await readValidator(path, rules.keys);
  if (!rules.parameters.validators.validators.some(({ address }) => address === validator.address)) {
    throw new NodeFolderError(`validator.key is ${validator.address}, which genesis.json does not name`);
  }
  return { path, rules, validator };
}

/** Who signs the blocks of the chain of a folder: of a chain of one node alone. */
export function soloValidator({ path, validator }: NodeFolder): Validator {
  if (validator) return validator;
  throw new NodeFolderError(`${path} is of a network: its blocks come from CometBFT, not from a node alone.`);
}

/** The chain's rules alone: all that verifying and exporting need. */
export async function readGenesis(path: string): Promise<LedgerRules> {
  const file = join(path, folderFiles.genesis);
  const text = await readText(file, 'Make a chain with: symbolon node init --data <folder>');
  const document = parseGenesis(file, text);
  const result = ledgerRulesOf(document);
  if ('problems' in result) throw new NodeFolderError(`${file}: ${result.problems.join('; ')}`);
  return result.rules;
}

function parseGenesis(file: string, text: string): GenesisDocument {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new NodeFolderError(`${file} is not JSON`);
  }
  const result = genesisSchema.safeParse(value);
  if (!result.success) throw new NodeFolderError(`${file}:\n${z.prettifyError(result.error)}`);
  return result.data;
}

async function readValidator(path: string, keys: KeyFormat): Promise<Validator> {
  const file = join(path, folderFiles.validatorKey);
  const order = { holds: 'the key that signs blocks', bytesMax: keyFileLimits.fileCharsMax };
  const text = await readSecretFile(file, order).catch((error: unknown) => {
    if (!(error instanceof SecretFileError)) throw error;
    const hint = error.problem === 'open' ? '' : ' It is written by: symbolon node init';
    throw new NodeFolderError(`${error.message}${hint}`, { cause: error });
  });
  const seed = keys.parsePrivateKey(text.trim());
  if (!seed) throw new NodeFolderError(`${file} does not hold a private key of this network`);
  const publicKey = publicKeyOf(seed);
  return {
    address: keys.addressOf(publicKey),
    publicKey: keys.encodePublicKey(publicKey),
    sign: (message) => signEd25519(seed, message),
  };
}

async function readText(file: string, hint: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new NodeFolderError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}). ${hint}`);
  }
}

async function writeKey(file: string, text: string): Promise<void> {
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await chmod(file, 0o600);
}
