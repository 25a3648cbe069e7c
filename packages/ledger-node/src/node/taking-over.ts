/**
 * A validator's key taken out of the home of the CometBFT that has signed with it, for a signer. From then on the key is in
 * one place: while it is taken the lock of CometBFT's store is held, without which no CometBFT signs, and what is left in
 * the home names the signer and has no key.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@symbolon/core/faults/operator-errors';
import { lockFile } from '@symbolon/host/work/file-lock';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import { signerLimits } from '../limits/node-limits.ts';
import {
  ballotFacts,
  CometFilesUnusable,
  type CometSigning,
  cometKeyPath,
  cometStatePath,
  readCometSigning,
} from '../signer/comet-key-files.ts';
import { chainIdOfGenesis } from '../signer/signer-folder.ts';
import { cometSettingsPath, setSignerAddress } from './comet-home.ts';

/** A CometBFT runs on the home, and signs with the key. */
export class CometRuns extends OperatorError {
  override name = 'CometRuns';
}

export interface TakenSigning extends CometSigning {
  readonly chainId: string;
}

/**
 * Takes key, memory and chain out of a home. `keep` has them on the disk when it resolves; where it fails, the home is as it
 * was. From then on CometBFT listens at `address` for its signer.
 */
export async function takeCometSigning<Kept>(
  home: string,
  address: string,
  keep: (taken: TakenSigning) => Promise<Kept>,
): Promise<Kept> {
  assertNotCutShort(home);
  await assertUsualPlaces(home);
  const letGo = await lockStore(home);
  try {
    const taken = await readTaken(home);
    const putBack = await disable(home, address);
    let kept: Kept;
    try {
      // Who read the key just before comes to the store meanwhile, finds it locked, and ends without having signed.
      await delay(signerLimits.takeOverMs);
      kept = await keep(taken);
    } catch (error) {
      await putBack();
      throw error;
    }
    for (const file of filesOf(home)) await rm(takenName(file));
    await syncFiles(home);
    return kept;
  } finally {
    await letGo();
  }
}

const filesOf = (home: string): readonly string[] => [cometKeyPath(home), cometStatePath(home)];
const takenName = (file: string): string => `${file}.taken`;

async function syncFiles(home: string): Promise<void> {
  for (const file of filesOf(home)) await syncFolder(path.dirname(file));
}

function assertNotCutShort(home: string): void {
  const left = filesOf(home).map(takenName).filter(existsSync);
  if (left.length > 0)
    throw new CometFilesUnusable(
      `${left.join(' and ')}: the key was being taken into a signer when that was cut short.\nIf the folder of that signer is there, it has the key: remove what is named here.\nIf it is not, remove ".taken" from the names and priv_validator_laddr from ${cometSettingsPath(home)}, and give the command again.`,
    );
}

/** Settings that lead elsewhere would have another store locked than the one that is used. */
async function assertUsualPlaces(home: string): Promise<void> {
  const file = cometSettingsPath(home);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CometFilesUnusable(`${file} cannot be read (${error.code}).`);
  });
  const signer = settingOf(text, 'priv_validator_laddr');
  if (signer)
    throw new CometFilesUnusable(
      `The CometBFT of ${home} has a signer already, which calls ${signer} (priv_validator_laddr).\nA key that is in the home signs nothing there.`,
    );
  for (const [name, usual] of [
    ['db_backend', 'goleveldb'],
    ['db_dir', 'data'],
    ['priv_validator_key_file', 'config/priv_validator_key.json'],
    ['priv_validator_state_file', 'data/priv_validator_state.json'],
  ] as const) {
    const found = settingOf(text, name);
    if (found !== undefined && found !== usual)
      throw new CometFilesUnusable(
        `${file} has ${name} = "${found}", and a key is taken only where that is "${usual}".`,
      );
  }
}

const settingOf = (text: string, name: string): string | undefined =>
  new RegExp(`^\\s*${name}\\s*=\\s*["'](.*)["']`, 'm').exec(text)?.[1];

/** No CometBFT opens the home while this is held. */
async function lockStore(home: string): Promise<() => Promise<void>> {
  const store = path.join(home, 'data/blockstore.db');
  await mkdir(store, { recursive: true, mode: 0o700 });
  const letGo = await lockFile(path.join(store, 'LOCK'));
  if (letGo) return letGo;
  throw new CometRuns(
    `A CometBFT runs on ${home}, and signs with the key; nothing was changed.\nStop it first, and see to it that nothing starts it again: who signs in two places is jailed.`,
  );
}

async function readTaken(home: string): Promise<TakenSigning> {
  const signing = await readCometSigning(home);
  const genesis = path.join(home, 'config/genesis.json');
  const chainId = await chainIdOfGenesis(genesis);
  const { said } = signing.last;
  const signedFor = said && ballotFacts(said.bytes).chainId;
  if (signedFor !== undefined && signedFor !== chainId)
    throw new CometFilesUnusable(`${genesis} is of ${chainId}, and the key has signed for ${signedFor}.`);
  return { ...signing, chainId };
}

/** CometBFT finds neither key nor memory any more, and waits for a signer. Answers what undoes it. */
async function disable(home: string, address: string): Promise<() => Promise<void>> {
  const settings = cometSettingsPath(home);
  const before = await readFile(settings, 'utf8');
  const renamed: string[] = [];
  const putBack = async (): Promise<void> => {
    for (const file of renamed) await rename(takenName(file), file);
    await writeFile(settings, before, { flush: true });
    await syncFiles(home);
  };
  try {
    await setSignerAddress(home, address);
    for (const file of filesOf(home)) {
      await rename(file, takenName(file));
      renamed.push(file);
    }
    await syncFiles(home);
    return putBack;
  } catch (error) {
    await putBack();
    throw error;
  }
}
