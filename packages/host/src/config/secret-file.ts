/**
 * Files that hold a secret: private keys, the master key, pins and passwords in settings. One rule for all of them: a
 * file that others than its owner can reach is refused, because what it holds may be known. Nothing of a file's
 * contents is ever repeated.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

export type SecretFileProblem = 'missing' | 'unreadable' | 'notAFile' | 'tooLarge' | 'open';

/** The message names the file and, where it is open to others, says what to do. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
  readonly problem: SecretFileProblem;
  /** The system's own code, where it refused. */
  readonly code: string | undefined;
  /** What closes a file that is open to others. */
  readonly advice: string | undefined;

  constructor(
    problem: SecretFileProblem,
    message: string,
    { code, advice }: { readonly code?: string; readonly advice?: string } = {},
  ) {
    super(message);
    this.problem = problem;
    this.code = code;
    this.advice = advice;
  }
}

const reachableByOthers = 0o077;

export interface SecretFileFacts {
  readonly file: string;
  readonly mode: number;
  /** What it holds, in words: "the master key". */
  readonly holds: string;
}

/** Throws when others than its owner can reach the file. */
export function assertClosed({ file, mode, holds }: SecretFileFacts): void {
  if ((mode & reachableByOthers) === 0) return;
  const advice = `Close it with: chmod 600 ${file}`;
  throw new SecretFileError(
    'open',
    `${file} holds ${holds}, and others than its owner can reach it.\n${advice}\nIf others may have read it, take another one.`,
    { advice },
  );
}

export interface SecretFileOrder {
  readonly holds: string;
  readonly bytesMax: number;
}

/** The text of a file that nobody but its owner can reach. */
export async function readSecretFile(file: string, { holds, bytesMax }: SecretFileOrder): Promise<string> {
  const handle = await openFile(file);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw new SecretFileError('notAFile', `${file} is not a file.`);
    if (facts.size > bytesMax)
      throw new SecretFileError('tooLarge', `${file} is too large to hold ${holds}.`);
    assertClosed({ file, mode: facts.mode, holds });
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, constants.O_RDONLY);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' ? 'missing' : 'unreadable';
    throw new SecretFileError(problem, `${file} cannot be read (${code}).`, { code });
  }
}
