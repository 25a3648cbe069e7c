/**
 * Checks a backup without changing it: the manifest and who signed it, the checksum of every file, and then what the
 * copies say of themselves against what the manifest says of them: rows of every table, the chain of the audit log, head
 * and state root of the ledger. In full, the ledger is executed again from its first block. No key is needed for it.
 */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { examineServiceCopy } from '@symbolon/credential-service/backup/service-copy';
import { readGenesis } from '@symbolon/ledger-node/node/node-folder';
import { examineLedger, type LedgerFacts } from '@symbolon/ledger-node/operation/backup-ledger';
import { type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { hashFile } from '../machine/durable-files.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { damagedBackup, fileProblem } from './backup-damage.ts';
import { progressOf } from './backup-parts.ts';
import { addressOf, assertMadeBy, type Maker } from './maker.ts';
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
  await checkService(path.join(folder, 'service'), manifest, folder);
  await checkLedger(manifest, folder, async () => {
    const progress = progressOf(terminal, 'blocks executed again');
    try {
      return await examineLedger(path.join(folder, 'ledger'), { isFull, onProgress: progress.advance });
    } finally {
      progress.end();
    }
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
  return validators.some(({ address }) => address === addressOf(maker));
}

/** Every file of the manifest, read through. */
async function checkFiles(folder: string, { files }: BackupManifest, terminal: Terminal): Promise<string[]> {
  const progress = progressOf(terminal, 'files checked');
  const problems: string[] = [];
  for (const [index, file] of files.entries()) {
    const problem = await fileProblem(file, () =>
      hashFile(path.join(folder, file.path), { bytes: file.bytes }),
    );
    if (problem !== undefined) problems.push(problem);
    progress.advance(index + 1, files.length);
  }
  progress.end();
  return problems;
}

/** Holds the copied database of a folder against the manifest. */
export async function checkService(
  place: string,
  { service }: BackupManifest,
  folder: string,
): Promise<void> {
  if (!service) return;
  const found = await saidOf(folder, 'service', () => examineServiceCopy(place));
  const differing = differences('service', { ...service }, { ...found });
  if (differing.length > 0) throw damagedBackup(folder, differing);
}

/** Holds the copied chain against the manifest; how it is opened is the caller's choice. */
export async function checkLedger(
  { ledger }: BackupManifest,
  folder: string,
  examine: () => Promise<LedgerFacts>,
): Promise<void> {
  if (!ledger) return;
  const found = await saidOf(folder, 'ledger', examine);
  const differing = differences('ledger', { ...ledger }, { ...found });
  if (differing.length > 0) throw damagedBackup(folder, differing);
}

/** Files that are what they were and still do not hold together: the backup was made of damage, or made up. */
async function saidOf<Facts>(folder: string, part: string, examine: () => Promise<Facts>): Promise<Facts> {
  try {
    return await examine();
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw damagedBackup(folder, [`${part}: ${error.message}`]);
  }
}

/** Errors that tell of what was read, not of this program. */
const isDamage = (error: unknown): error is Error => error instanceof Error && damageNames.has(error.name);

const damageNames: ReadonlySet<string> = new Set([
  'StoreCorrupt',
  'ChainDamaged',
  'NodeFolderError',
  'ServiceCopyError',
  'BackupRowsError',
  'DatabaseError',
  'DatabaseAddressWrong',
  'DatabaseUnreachable',
]);

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
