/**
 * Checks a backup without changing it: the manifest and who signed it, the checksum of every file, and then what the
 * copies say of themselves against what the manifest says of them: rows of every table, the chain of the audit log,
 * head and state root of the ledger. In full, the ledger is executed again from its first block. No key is needed for
 * it.
 */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DamageError } from '@symbolon/core/faults/operator-errors';
import { examineServiceCopy, ServiceCopyError } from '@symbolon/credential-service/backup/service-copy';
import { BackupRowsError } from '@symbolon/host/database/common/backup-rows';
import {
  DatabaseError,
  DatabaseInUse,
  DatabaseSetBack,
  DatabaseUnreachable,
} from '@symbolon/host/database/common/database-error';
import { NodeFolderError, readGenesis } from '@symbolon/ledger-node/node/node-folder';
import { examineLedger } from '@symbolon/ledger-node/operation/backup-ledger';
import { StoreCorrupt } from '@symbolon/ledger-node/store/store-errors';
import { type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { hashFile } from '../machine/durable-files.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { damagedBackup, fileProblem } from './backup-damage.ts';
import { withProgress } from './backup-parts.ts';
import { assertMadeBy, type Maker, makerAddress } from './maker.ts';
import { type BackupManifest, readManifest } from './manifest.ts';
import { treeProblems } from './plain-tree.ts';
import { readOpenSettings } from './settings-shown.ts';

export interface VerifyBackupOptions {
  /** Whether every block is executed again. */
  readonly isFull?: boolean;
  /** The address or DID of whoever must have made it. */
  readonly madeBy?: string;
  readonly terminal?: Terminal;
}

/** The manifest of a backup in which everything holds; throws a `CommandFailure` that names what does not. */
export async function verifyBackup(
  folder: string,
  { isFull = false, madeBy, terminal = processTerminal }: VerifyBackupOptions = {},
): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  if (madeBy !== undefined) assertMadeBy(folder, manifest.maker, madeBy);
  const inTree = await treeProblems(folder, manifest);
  const problems = inTree.length > 0 ? inTree : await checkFiles(folder, manifest, terminal);
  if (problems.length > 0) throw damagedBackup(folder, problems);
  await readOpenSettings(folder, manifest);
  await checkPart(folder, manifest, {
    part: 'service',
    examine: () => examineServiceCopy(path.join(folder, 'service')),
  });
  await checkPart(folder, manifest, {
    part: 'ledger',
    examine: () =>
      withProgress(terminal, 'blocks executed again', (onProgress) =>
        examineLedger(path.join(folder, 'ledger'), { isFull, onProgress }),
      ),
  });
  return manifest;
}

/**
 * Whether whoever says it is a validator's key is one by the genesis document of a ledger that was checked. Of other
 * keys a backup knows nothing that is not their maker's word.
 */
export async function isNamedByChain(maker: Maker | undefined, ledger: string | undefined): Promise<boolean> {
  if (maker?.as !== 'validator' || ledger === undefined) return false;
  const { validators } = (await readGenesis(ledger)).parameters.validators;
  return validators.some(({ address }) => address === makerAddress(maker));
}

/** Every file of the manifest, read through. */
const checkFiles = (folder: string, { files }: BackupManifest, terminal: Terminal): Promise<string[]> =>
  withProgress(terminal, 'files checked', async (advance) => {
    const problems: string[] = [];
    for (const [index, file] of files.entries()) {
      const problem = await fileProblem(file, () =>
        hashFile(path.join(folder, file.path), { bytes: file.bytes }),
      );
      if (problem !== undefined) problems.push(problem);
      advance(index + 1, files.length);
    }
    return problems;
  });

/** One part of a backup as whoever keeps its data knows it: the node its ledger, the service its database. */
export interface ExaminedPart {
  readonly part: 'ledger' | 'service';
  /** What a copy says of itself; throws what is wrong with it. How it is opened is the caller's choice. */
  readonly examine: () => Promise<object>;
}

/** Holds a copied part, if the backup has it, against what the manifest says of it. */
export async function checkPart(
  folder: string,
  manifest: BackupManifest,
  { part, examine }: ExaminedPart,
): Promise<void> {
  const said = manifest[part];
  if (!said) return;
  const found = await examine().catch((error: unknown) => {
    // Files that are what they were and still do not hold together: the backup was made of damage, or made up.
    throw isDamage(error) ? damagedBackup(folder, [`${part}: ${error.message}`]) : error;
  });
  const differing = differences(part, { ...said }, { ...found });
  if (differing.length > 0) throw damagedBackup(folder, differing);
}

/** Errors that tell of what was read, not of this program. */
const isDamage = (error: unknown): error is Error =>
  damages.some((type) => error instanceof type) && !othersHave.some((type) => error instanceof type);

/** A file that somebody else works with is not damaged. */
const othersHave = [DatabaseInUse, DatabaseSetBack];

const damages = [
  StoreCorrupt,
  DamageError,
  NodeFolderError,
  ServiceCopyError,
  BackupRowsError,
  DatabaseError,
  DatabaseUnreachable,
];

function differences(
  part: string,
  expected: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
): string[] {
  const text = (value: unknown) => stringifyJson(value as JsonValue);
  return Object.keys(expected)
    .filter((name) => !isDeepStrictEqual(expected[name], found[name]))
    .map(
      (name) =>
        `${part}: ${name} is ${shown(text(found[name]))}, the manifest says ${shown(text(expected[name]))}`,
    );
}

const shownCharsMax = 120;
const shown = (text: string): string =>
  text.length <= shownCharsMax ? text : `${text.slice(0, shownCharsMax)}…`;
