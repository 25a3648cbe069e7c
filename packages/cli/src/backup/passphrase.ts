/**
 * The passphrase of a backup: from the environment, or from a person at the terminal, who does not see it on the screen
 * and types it twice when it is new. Never from the command line, where every user of the machine could read it.
 */
import { backupLimits } from '@symbolon/host/limits/server-limits';
import { askHidden, endOfInputKey, interruptKey } from '../terminal/ask-hidden.ts';
import { usageFailure } from '../terminal/failure.ts';

export const passphraseVariable = 'SYMBOLON_BACKUP_PASSPHRASE';

/** The environment without what is meant for this command alone, for those who know every name in theirs. */
export function environmentOfServices(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [passphraseVariable]: _, ...others } = env;
  return others;
}

/** How hidden words are asked for; undefined where nobody is there. */
export type AskHidden = ((question: string) => Promise<string>) | undefined;

export interface PassphraseOrder {
  readonly env: NodeJS.ProcessEnv;
  readonly ask: AskHidden;
  readonly isNew: boolean;
}

export async function readPassphrase({ env, ask, isNew }: PassphraseOrder): Promise<string> {
  const given = env[passphraseVariable];
  if (given !== undefined && given !== '') return checked(given, isNew);
  if (!ask)
    throw usageFailure(
      `A passphrase for the secrets of the backup is missing.\nSet ${passphraseVariable}, or run this at a terminal.`,
    );
  const typed = checked(await ask('Passphrase of the backup: '), isNew);
  if (isNew && (await ask('Once more: ')) !== typed) throw usageFailure('The two passphrases differ.');
  return typed;
}

function checked(passphrase: string, isNew: boolean): string {
  const { passphraseCharsMin, passphraseCharsMax } = backupLimits;
  if (passphrase.length > passphraseCharsMax || (isNew && passphrase.length < passphraseCharsMin))
    throw usageFailure(
      `The passphrase must have ${passphraseCharsMin} to ${passphraseCharsMax} characters: ` +
        'whoever guesses it has every key of the backup.',
    );
  return passphrase;
}

/** Asks at the terminal of this process, if it has one. */
export const askAtTerminal = (): AskHidden =>
  process.stdin.isTTY === true && process.stderr.isTTY === true ? askPassphrase : undefined;

const askPassphrase = (question: string): Promise<string> =>
  askHidden({
    question,
    // One too many is enough to be refused.
    charactersMax: backupLimits.passphraseCharsMax + 1,
    stopKeys: [interruptKey, endOfInputKey],
    stopped: () => usageFailure('No passphrase was given.'),
  });
