/**
 * How the credentials of a wallet are sealed at rest. The key is made of a signature by the holder's own key over one fixed
 * text, so whoever copies the wallet's folder without that key has nothing, and there is no second key to lose or to
 * leave lying about. Against somebody who reads the holder's key this defends nothing.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { equalBytes } from '@symbolon/core/basics/bytes';
import type { Signer } from '@symbolon/sdk/keys/signer';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export interface Seal {
  /** A row's name, which tells nobody whose it is. */
  readonly nameOf: (id: string) => string;
  readonly seal: (name: string, text: string) => Uint8Array;
  /** Throws `CommandFailure` for what was changed, or is another wallet's. */
  readonly open: (name: string, sealed: Uint8Array) => string;
}

export async function createSeal(signer: Signer): Promise<Seal> {
  const { encryptionKey, naming } = await keysOf(signer);
  return {
    nameOf: (id) => createHmac('sha256', naming).update(id).digest('hex'),
    seal: (name, text) => encrypt(encryptionKey, name, text),
    open: (name, sealed) => decrypt(encryptionKey, name, sealed),
  };
}

/** Nothing else that a wallet signs begins like this. */
const keyText = (address: string): string =>
  `Symbolon wallet: the key that seals the credentials kept for ${address}. Sign this text nowhere else.`;

async function keysOf(signer: Signer): Promise<{ encryptionKey: Uint8Array; naming: Uint8Array }> {
  const text = new TextEncoder().encode(keyText(signer.address));
  const signature = await signer.sign(text);
  // Ed25519 gives the same signature each time; a signer that adds randomness would lock its own credentials away.
  if (!equalBytes(signature, await signer.sign(text)))
    throw new CommandFailure(
      'This key cannot seal a wallet.\nIts signer gives another signature each time.\nUse a key file.',
      exitCodes.config,
    );
  const derived = (use: string) =>
    new Uint8Array(hkdfSync('sha256', signature, '', `symbolon-wallet-1 ${use}`, 32));
  return { encryptionKey: derived('sealing'), naming: derived('naming') };
}

/** Random bytes, text, tag. The name of the row is bound, so rows cannot be exchanged. */
function encrypt(key: Uint8Array, name: string, text: string): Uint8Array {
  const iv = randomBytes(ivBytes);
  const encrypting = createCipheriv(cipher, key, iv).setAAD(Buffer.from(name));
  return Buffer.concat([iv, encrypting.update(text, 'utf8'), encrypting.final(), encrypting.getAuthTag()]);
}

function decrypt(key: Uint8Array, name: string, encrypted: Uint8Array): string {
  try {
    const opening = createDecipheriv(cipher, key, encrypted.subarray(0, ivBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(name))
      .setAuthTag(encrypted.subarray(-tagBytes));
    return opening.update(encrypted.subarray(ivBytes, -tagBytes), undefined, 'utf8') + opening.final('utf8');
  } catch {
    // Which byte is wrong tells nobody anything.
    throw new CommandFailure(
      'A credential in the wallet is damaged.\nMove wallet.db away; credentials can be downloaded again.',
      exitCodes.damaged,
    );
  }
}
