/**
 * Private keys come from files alone: an argument would stand in the shell's history and in every process list. What
 * is in the file is never repeated, not even when it is no key.
 */
import { open } from 'node:fs/promises';
import { SdkError } from '@symbolon/sdk/errors';
import { type Signer, signerFromPrivateKey } from '@symbolon/sdk/signer';
import { CommandFailure, exitCodes } from './failure.ts';

/** A key has some 60 characters; whatever is much larger is another file. */
const keyFileBytesMax = 1_024;
const readableByOthers = 0o077;

/** The signer of a key file; `warn` hears of a file that others can read. */
export async function readKeyFile(file: string, warn: (text: string) => void): Promise<Signer> {
  const { text, mode } = await readSmallFile(file);
  if ((mode & readableByOthers) !== 0) {
    warn(`WARNING: ${file} holds a private key and others can read it.\nClose it with: chmod 600 ${file}`);
  }
  try {
    return await signerFromPrivateKey(text.trim());
  } catch (error) {
    if (!(error instanceof SdkError) || error.code !== 'invalidArgument') throw error;
    throw unusable(`${file} does not hold a private key of this network.`);
  }
}

async function readSmallFile(file: string): Promise<{ text: string; mode: number }> {
  try {
    const handle = await open(file);
    try {
      const facts = await handle.stat();
      if (!facts.isFile() || facts.size > keyFileBytesMax) throw unusable(`${file} is not a key file.`);
      return { text: await handle.readFile('utf8'), mode: facts.mode };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    // Whoever gives the key itself has it in the shell's history now, but not in logs of this command.
    if (/^priv\w{40,}$/.test(file.trim()))
      throw unusable('What was given is a key, and not a file with a key.');
    throw unusable(`The key file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

const unusable = (what: string): CommandFailure =>
  new CommandFailure(
    `${what}\nGive the file that "symbolon node init" wrote, or one with an encoded private key in it.`,
    exitCodes.usage,
  );
