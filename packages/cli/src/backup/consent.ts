/**
 * What must be settled before a backup becomes a folder that somebody starts: who made it, and what it would load. A
 * person is shown both and asked; a program says beforehand whom it expects and that it knows the contents. The
 * passphrase that opened the secrets of a backup names its maker as well as a signature does.
 */
import type { AskYes } from '../terminal/ask-yes.ts';
import { CommandFailure, usageFailure } from '../terminal/failure.ts';
import { fieldLines } from '../terminal/layout.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { assertMadeBy, makerWords } from './maker.ts';
import type { BackupManifest } from './manifest.ts';

export interface ConsentWords {
  /** The address or DID of whoever must have made it. */
  readonly madeBy?: string | undefined;
  /** Whoever has made it will do. */
  readonly anyMaker?: boolean | undefined;
  /** It may be one that nobody has signed. */
  readonly isUnsigned?: boolean | undefined;
  /** What it would load is known. */
  readonly isConfirmed?: boolean | undefined;
}

/** Whether words contradict each other or the backup; throws what is wrong. Nothing else of the backup is needed. */
export function assertMaker(folder: string, { maker }: BackupManifest, words: ConsentWords): void {
  const { madeBy, anyMaker = false, isUnsigned = false } = words;
  if (madeBy !== undefined && (anyMaker || isUnsigned))
    throw usage(
      `--made-by expects somebody, and ${anyMaker ? '--any-maker' : '--unsigned'} nobody.`,
      'Say one.',
    );
  if (madeBy !== undefined) assertMadeBy(folder, maker, madeBy);
  if (maker !== undefined && isUnsigned)
    throw usage(
      `The backup ${folder} is signed, by ${makerWords(maker)}.`,
      'Say --made-by and an address, and not --unsigned.',
    );
  if (maker === undefined && !isUnsigned)
    throw usage(
      `The backup ${folder} is of an older program, and nobody has signed it: whoever could write there could change it.`,
      'If you know that nobody has, say --unsigned.',
    );
}

export interface ConsentOrder extends ConsentWords {
  readonly from: string;
  readonly terminal: Terminal;
  readonly ask?: AskYes;
}

export interface ConsentFacts {
  readonly manifest: BackupManifest;
  /** Whether its secrets have opened. */
  readonly isOpened: boolean;
  /** What it would load, in lines. */
  readonly contents: readonly string[];
}

/** Shows who made a backup and what it would load, and returns when that is as it should be. */
export async function assertConsent(
  { from, terminal, ask, madeBy, anyMaker, isUnsigned, isConfirmed }: ConsentOrder,
  { manifest, isOpened, contents }: ConsentFacts,
): Promise<void> {
  const { maker, createdAt } = manifest;
  const isMakerKnown = madeBy !== undefined || anyMaker === true || isUnsigned === true || isOpened;
  const facts = fieldLines(terminal, { 'made by': makerWords(maker), made: createdAt });
  terminal.remark([`The backup ${from}`, ...facts, ...contents]);
  if (isMakerKnown && isConfirmed) return;
  if (ask) {
    const question = isMakerKnown
      ? 'Restore it, with what is named above?'
      : 'Is that who must have made it, and shall it be restored with what is named above?';
    if (await ask(question)) return;
    throw new CommandFailure('Nothing was restored.');
  }
  if (!isMakerKnown)
    throw usage(
      `Nobody is there to be asked who must have made the backup; ${makerWords(maker)} has.`,
      'Say --made-by and the address of whoever must have, or --any-maker.',
    );
  throw usage(
    'Nobody is there to be asked whether it shall be restored with what is named above.',
    'Say --yes if that is what you want.',
  );
}

const usage = (what: string, advice: string): CommandFailure =>
  usageFailure(`${what}\nNothing was restored.\n${advice}`);
