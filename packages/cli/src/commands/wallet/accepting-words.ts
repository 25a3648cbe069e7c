/** What accepting an offer asks and says whoever made it: the further code, hidden or from a file, and how it ends. */
import { readSmallText } from '../../machine/files.ts';
import { askHidden, endOfInputKey, type HiddenQuestion, interruptKey } from '../../terminal/ask-hidden.ts';
import { CommandFailure, exitCodes, usageFailure } from '../../terminal/failure.ts';

const codeCharsMax = 32;

export const askCode = (parts: Pick<HiddenQuestion, 'input' | 'write'> = {}): Promise<string> =>
  askHidden({
    ...parts,
    question: 'PIN: ',
    charactersMax: codeCharsMax,
    stopKeys: [interruptKey, endOfInputKey],
    stopped: (key) => (key === interruptKey ? interrupted() : notAccepted('open')),
  });

export const readCode = async (file: string): Promise<string> =>
  (await readSmallText(file, codeCharsMax)) ?? '';

export const nobodyAccepts = (): CommandFailure =>
  usageFailure(
    'Nothing was accepted.\nNobody is at a terminal to be asked.\nRun it at a terminal, or agree beforehand with --yes.',
  );

const staysOpen = 'The offer stays open until its time is over.';

export const notAccepted = (state: string): CommandFailure => {
  const then = state === 'open' ? staysOpen : 'If it should be yours, ask the issuer for a new one.';
  return new CommandFailure(`Nothing was accepted.\nYou did not say yes.\n${then}`, exitCodes.failed, {
    code: 'declined',
  });
};

const interrupted = (): CommandFailure =>
  new CommandFailure(`Nothing was accepted.\nYou interrupted.\n${staysOpen}`, exitCodes.interrupted);
