/**
 * Private keys come from files alone: an argument would stand in the shell's history and in every process list. What
 * is in the file is never repeated, not even when it is no key.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { keyFileLimits } from '@symbolon/core/limits/documents';
import { readSecretFile, SecretFileError } from '@symbolon/host/config/secret-file';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { writeKeyFile as encryptKey, openKeyFile, writeFamilyKeyFile } from '@symbolon/sdk/keys/key-file';
import { type Signer, signerFromPrivateKey, signerFromSeed } from '@symbolon/sdk/keys/signer';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { keyFormat } from './key-format.ts';
import { askPassword, type PasswordSources } from './keys-password.ts';

/** The signer of a key file, for which a password is asked if it has one. A file that others can reach is refused. */
export async function readKeyFile(file: string): Promise<Signer> {
  return (await openKey(file)).signer;
}

/** `bare`: without a password. */
export type KeyForm = 'own' | 'family' | 'bare';

export interface OpenedKey {
  readonly form: KeyForm;
  readonly signer: Signer;
  /** Encoded; for another file alone. */
  readonly privateKey: string;
}

export async function openKey(file: string, sources: PasswordSources = {}): Promise<OpenedKey> {
  const text = await readSmallFile(file);
  const isEncrypted = text.trimStart().startsWith('{');
  try {
    if (isEncrypted) return await openKeyFile(text, () => askPassword(`Password of ${file}`, sources));
    const privateKey = text.trim();
    return { form: 'bare', signer: await signerFromPrivateKey(privateKey), privateKey };
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    if (error.code === 'passwordWrong') throw wrongPassword(file);
    if (error.code !== 'invalidArgument') throw error;
    const why = isEncrypted ? `: ${error.message}` : '';
    throw unusable(`${file} does not hold a private key of this network${why}.`);
  }
}

export type NewKeyFile =
  | { readonly form: 'bare' }
  | { readonly form: 'own' | 'family'; readonly password: string };

/** Into a new file for its owner alone. An old file is never touched. */
export async function saveKeyFile(file: string, privateKey: string, order: NewKeyFile): Promise<void> {
  const text = await textOf(privateKey, order);
  try {
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST'
        ? `${file} is there already, and a key that is overwritten is lost.`
        : `${file} cannot be written (${code}).`;
    throw usageFailure(`${why}\nNothing was written. Name another file.`);
  }
}

/** A new key in a new file, and its signer. */
export async function makeKeyFile(file: string, order: NewKeyFile = { form: 'bare' }): Promise<Signer> {
  const seed = randomBytes(32);
  try {
    await saveKeyFile(file, keyFormat.encodePrivateKey(seed), order);
    return await signerFromSeed(seed);
  } finally {
    seed.fill(0);
  }
}

function textOf(privateKey: string, order: NewKeyFile): string | Promise<string> {
  if (order.form === 'bare') return privateKey;
  const encrypt = order.form === 'own' ? encryptKey : writeFamilyKeyFile;
  return encrypt(privateKey, order.password);
}

const wrongPassword = (file: string): CommandFailure =>
  new CommandFailure(
    `The password does not open ${file}.\nIt is another one, or somebody has changed the file.\nTry again.`,
  );

async function readSmallFile(file: string): Promise<string> {
  try {
    return await readSecretFile(file, { holds: 'a private key', bytesMax: keyFileLimits.fileCharsMax });
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    if (error.problem === 'open') throw new CommandFailure(error.message, exitCodes.config);
    if (error.code === undefined) throw unusable(`${file} is not a key file.`);
    // Whoever gives the key itself has it in the shell's history now, but not in logs of this command.
    if (/^priv\w{40,}$/.test(file.trim()))
      throw unusable('What was given is a key, and not a file with a key.');
    throw unusable(`The key file ${file} cannot be read (${error.code}).`);
  }
}

const unusable = (what: string): CommandFailure =>
  usageFailure(
    `${what}\nGive a file that "symbolon keys new" or "symbolon node init" wrote, or one with an encoded private key in it.`,
  );
