/**
 * The password of a key file: from the environment for programs, asked for on the terminal for people, without showing
 * it. Never an argument: those stand in the history and in every process list.
 */
import { CommandFailure, usageFailure } from '../terminal/failure.ts';
import { draw } from '../terminal/terminal.ts';

export const passwordVariable = 'SYMBOLON_KEY_PASSWORD';
/** Of a file that is made from another one: the password of that one is not put on a second file unasked. */
export const newPasswordVariable = 'SYMBOLON_NEW_KEY_PASSWORD';
const passwordCharactersMin = 8;
const passwordCharactersMax = 1_024;

/** The parts of a terminal that reading without showing takes. */
export interface SecretInput {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export interface PasswordSources {
  /** Where programs give it. */
  readonly variable?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: SecretInput;
  readonly write?: (text: string) => void;
}

export async function askPassword(what: string, sources: PasswordSources = {}): Promise<string> {
  const { env = process.env, input = process.stdin, write = draw, variable = passwordVariable } = sources;
  const given = env[variable];
  if (given !== undefined && given !== '') return given;
  if (input.isTTY !== true) {
    throw usageFailure(
      `A password is needed, and nobody is there to be asked.\nStandard input is not a terminal.\nPut it into the environment as ${variable}.`,
    );
  }
  write(`${what}: `);
  try {
    return await readHidden(input);
  } finally {
    write('\n');
  }
}

/** A new password, which a person types twice. */
export async function askNewPassword(sources: PasswordSources = {}): Promise<string> {
  const { env = process.env, variable = passwordVariable } = sources;
  const password = await askPassword('Password for the new key', sources);
  if (Array.from(password).length < passwordCharactersMin)
    throw usageFailure(
      `The password is too short.\nWhoever gets the file can try all short ones.\nTake at least ${passwordCharactersMin} characters.`,
    );
  const isTyped = (env[variable] ?? '') === '';
  if (isTyped && (await askPassword('The same again', sources)) !== password)
    throw usageFailure('The two passwords differ; nothing was written.');
  return password;
}

const keys = { enter: ['\r', '\n'], endOfInput: '\u0004', interrupt: '\u0003', erase: ['\u007f', '\b'] };

function readHidden(input: SecretInput): Promise<string> {
  return new Promise((resolve, reject) => {
    const typed: string[] = [];
    const end = (settle: () => void): void => {
      input.off('data', read);
      input.setRawMode?.(false);
      input.pause();
      settle();
    };
    const read = (chunk: Buffer): void => {
      for (const character of chunk.toString('utf8')) {
        if (character === keys.interrupt) return end(() => reject(interrupted()));
        if (keys.enter.includes(character) || character === keys.endOfInput)
          return end(() => resolve(typed.join('')));
        if (keys.erase.includes(character)) typed.pop();
        else if (typed.length < passwordCharactersMax) typed.push(character);
      }
    };
    input.setRawMode?.(true);
    input.on('data', read);
    input.resume();
  });
}

const interrupted = (): CommandFailure => new CommandFailure('Stopped; nothing was written.');
