/**
 * The credentials of a wallet, encrypted at rest. The key is made of a signature by the holder's own key over one fixed
 * text, so whoever copies the wallet's folder without that key has nothing, and there is no second key to lose or to
 * leave lying about. Against somebody who reads the holder's key this defends nothing.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { equalBytes } from '@symbolon/core/basics/bytes';
import { type ParsedCredential, parseCredential } from '@symbolon/core/credential/credential-parsing';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { didOfSigner, type Signer } from '@symbolon/sdk/keys/signer';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { inTransaction } from './wallet-database.ts';

export interface KeptCredential {
  /** As it was issued. */
  readonly document: JsonObject;
  readonly parsed: ParsedCredential;
}

export interface KeptCredentials {
  /** Whether this very credential is there. */
  readonly has: (document: JsonObject) => boolean;
  /**
   * In the place of another one with the same id; false if this very one is there already. Throws what is no credential
   * of this holder. Whether it is genuine was found out before (`keeping.ts`).
   */
  readonly keep: (document: JsonObject) => boolean;
  readonly all: () => readonly KeptCredential[];
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export async function openKeptCredentials(database: DatabaseSync, signer: Signer): Promise<KeptCredentials> {
  const { encryptionKey, naming } = await keysOf(signer);
  const holder = didOfSigner(signer);
  const nameOf = (id: string): string => createHmac('sha256', naming).update(id).digest('hex');

  const has = (document: JsonObject): boolean => {
    const name = nameOf(String(document.id));
    const stored = database.prepare('select sealed from credential where name = ?').get(name);
    return (
      stored !== undefined &&
      decrypt(encryptionKey, name, stored.sealed as Uint8Array) === stringifyJson(document)
    );
  };
  const keep = (document: JsonObject): boolean => {
    const { credential } = parseCredential(document, zetrixProfile);
    if (credential.credentialSubject.id !== holder) throw ofAnother();
    const name = nameOf(credential.id);
    return inTransaction(database, () => {
      if (has(document)) return false;
      const { count } = database
        .prepare('select count(*) as count from credential where name <> ?')
        .get(name) as { count: number };
      if (count >= walletLimits.credentialsMax) throw isFull();
      database
        .prepare(
          'insert into credential (name, sealed) values (?, ?) on conflict (name) do update set sealed = excluded.sealed',
        )
        .run(name, encrypt(encryptionKey, name, stringifyJson(document)));
      return true;
    });
  };
  const all = (): KeptCredential[] => {
    const rows = database.prepare('select name, sealed from credential order by rowid').all();
    return (rows as unknown as { name: string; sealed: Uint8Array }[]).map(({ name, sealed }) => {
      const document = parseJson(decrypt(encryptionKey, name, sealed)) as JsonObject;
      return { document, parsed: parseCredential(document, zetrixProfile) };
    });
  };
  return { has, keep, all };
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

const ofAnother = () =>
  new CommandFailure('The credential is not kept.\nIt is of another holder.\nTell whoever runs the service.');
const isFull = () =>
  new CommandFailure(
    `The credential is not kept.\nThe wallet holds ${walletLimits.credentialsMax}, which is all it can.\nUse another wallet folder.`,
  );
