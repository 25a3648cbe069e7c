/**
 * The text of a private key that its owner gives to the service. Everything else signs with a signer and never sees
 * the text; here it is read, handed on and repeated nowhere.
 */

import { readSmallText } from '../../machine/files.ts';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import { type CommandFailure, usageFailure } from '../../terminal/failure.ts';

const keyTextBytesMax = 1_024;

export async function readPrivateKeyText(
  { person, keyFile: keyFileOf }: Pick<Connection, 'person' | 'keyFile'>,
  { key }: Pick<PartyWords, 'key'>,
): Promise<string> {
  if (key !== undefined) return readKeyText(key);
  const keyFile = await keyFileOf();
  if (keyFile !== undefined) return readKeyText(keyFile);
  if (person?.privateKey !== undefined) return person.privateKey;
  throw unusable('There is no key to leave.');
}

async function readKeyText(file: string): Promise<string> {
  const text = await readSmallText(file, keyTextBytesMax).catch((error: NodeJS.ErrnoException) => {
    throw unusable(`The key file ${file} cannot be read (${error.code}).`);
  });
  const key = text?.trim() ?? '';
  if (/^\w{40,}$/.test(key)) return key;
  throw unusable(`${file} does not hold a bare private key; an encrypted one cannot be left with a service.`);
}

const unusable = (what: string): CommandFailure =>
  usageFailure(`${what}\nGive --key FILE with an encoded private key in it.`);
