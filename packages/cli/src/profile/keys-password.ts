/**
 * The password of a key file: from the environment for programs, asked for on the terminal for people, without showing
 * it. Never an argument: those stand in the history and in every process list.
 */
import { askHidden, interruptKey, type SecretInput } from '../terminal/ask-hidden.ts';
import { CommandFailure, usageFailure } from '../terminal/failure.ts';

export const passwordVariable = 'SYMBOLON_KEY_PASSWORD';
/** Of a file that is made from another one: the password of that one is not put on a second file unasked. */
export const newPasswordVariable = 'SYMBOLON_NEW_KEY_PASSWORD';
const passwordCharactersMin = 8;
const passwordCharactersMax = 1_024;

export interface PasswordSources {
  /** Where programs give it. */
  readonly variable?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: SecretInput;
  readonly write?: (text: string) => void;
}

export async function askPassword(what: string, sources: PasswordSources = {}): Promise<string> {
  const { env = process.env, input = process.stdin, write, variable = passwordVariable } = sources;
  const given = env[variable];
  if (given !== undefined && given !== '') return given;
  if (input.isTTY !== true) {
    throw usageFailure(
      `A password is needed, and nobody is there to be asked.\nStandard input is not a terminal.\nPut it into the environment as ${variable}.`,
    );
  }
  const stopped = () => new CommandFailure('Stopped; nothing was written.');
  return askHidden({
    question: `${what}: `,
    charactersMax: passwordCharactersMax,
    stopKeys: [interruptKey],
    stopped,
    input,
    write,
  });
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
