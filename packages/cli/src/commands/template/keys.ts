/**
 * The text of a private key that its owner gives to the service. Everything else signs with a signer and never sees
 * the text; here it is read, handed on and repeated nowhere.
 */

import path from 'node:path';
import { readSmallText } from '../../machine/files.ts';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import { readProfile } from '../../profile/profile.ts';
import { type CommandFailure, usageFailure } from '../../terminal/failure.ts';

const keyTextBytesMax = 1_024;

export async function readPrivateKeyText(
  { person }: Pick<Connection, 'person'>,
  { key, profile }: Pick<PartyWords, 'key' | 'profile'>,
): Promise<string> {
  if (key !== undefined) return readKeyText(key);
  if (person?.keyFile !== undefined) {
    const { file = '' } = await readProfile(profile);
    return readKeyText(path.resolve(path.dirname(file), person.keyFile));
  }
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
