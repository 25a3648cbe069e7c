/**
 * Envelope encryption for what is personal or secret at rest: every record has a data key of its own, wrapped by the
 * master key, and is bound to its table, row and purpose, so that encrypted bytes that somebody moves to another place
 * do not open there. A new master key takes over by wrapping data keys again; the records themselves stay as they are.
 *
 * Layout: version (1 byte), id of the master key (8), wrapped data key (60), IV (12), ciphertext, tag (16).
 */
import { randomBytes } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import type { Encrypted, ServiceSchema } from '../database/schema.ts';
import { recordLimits } from '../limits/service-limits.ts';
import {
  dataKeyBytes,
  decryptFrame,
  encryptFrame,
  frameBytes,
  type MasterKey,
  wrappedKeyBytes,
} from './master-key.ts';
import { VaultError } from './vault-error.ts';

/** Where encrypted bytes belong, and nowhere else. */
export interface EncryptionContext {
  readonly table: keyof ServiceSchema;
  /** The row's key; several parts are joined by the caller. */
  readonly row: string;
  /** The column. */
  readonly purpose: string;
}

export interface KeyVault {
  /** The master key that new records are encrypted under. */
  readonly masterKeyId: string;
  /** Whether that key is in a hardware module. */
  readonly isInHardware: boolean;
  encrypt(bytes: Uint8Array, context: EncryptionContext): Promise<Encrypted>;
  /** Rejects with `VaultError` when the bytes were not encrypted for this place, or under a key that is not here. */
  decrypt(encrypted: Uint8Array, context: EncryptionContext): Promise<Uint8Array>;
  encryptText(text: string, context: EncryptionContext): Promise<Encrypted>;
  decryptText(encrypted: Uint8Array, context: EncryptionContext): Promise<string>;
  /** As JSON text. The order of members survives, as signatures need. */
  encryptDocument(document: unknown, context: EncryptionContext): Promise<Encrypted>;
  decryptDocument<Document>(encrypted: Uint8Array, context: EncryptionContext): Promise<Document>;
  /** The same record under the current master key; undefined when it is under it already. */
  rewrap(encrypted: Uint8Array): Promise<Encrypted | undefined>;
}

export interface MasterKeys {
  readonly current: MasterKey;
  /** Keys of the past that records may still be encrypted under. */
  readonly previous?: readonly MasterKey[];
}

export interface OpenMasterKeys extends Required<MasterKeys> {
  /** Lets go of the hardware module, where there is one; the keys do not work afterwards. */
  close(): Promise<void>;
}

const layoutVersion = 1;
const idBytes = 8;
const headBytes = 1 + idBytes + wrappedKeyBytes;

export function createVault({ current, previous = [] }: MasterKeys): KeyVault {
  const keys = new Map([...previous, current].map((key) => [key.id, key]));
  const keyOf = (encrypted: Uint8Array): MasterKey => {
    if (encrypted.length < headBytes + frameBytes || encrypted[0] !== layoutVersion) throw damaged();
    const id = Buffer.from(encrypted.subarray(1, 1 + idBytes)).toString('hex');
    const key = keys.get(id);
    if (key) return key;
    throw new VaultError(
      'wrongMasterKey',
      `A record needs master key ${id}, and this service has ${[...keys.keys()].join(', ')}.`,
    );
  };

  const unwrapped = (encrypted: Uint8Array): Promise<Uint8Array> =>
    keyOf(encrypted).unwrap(encrypted.subarray(1 + idBytes, headBytes));
  const underCurrent = (wrapped: Uint8Array, frame: Uint8Array): Encrypted =>
    asEncrypted(
      Buffer.concat([Uint8Array.of(layoutVersion), Buffer.from(current.id, 'hex'), wrapped, frame]),
    );

  const vault: KeyVault = {
    masterKeyId: current.id,
    isInHardware: current.isInHardware === true,
    async encrypt(bytes, context) {
      assert(bytes.length <= recordLimits.encryptedBytesMax, 'what is encrypted is bounded');
      const dataKey = randomBytes(dataKeyBytes);
      const wrapped = await current.wrap(dataKey);
      assert(wrapped.length === wrappedKeyBytes, 'a wrapped data key has its length');
      const frame = encryptFrame(dataKey, bytes, labelOf(context));
      dataKey.fill(0);
      return underCurrent(wrapped, frame);
    },
    async decrypt(encrypted, context) {
      const dataKey = await unwrapped(encrypted);
      try {
        return decryptFrame(dataKey, encrypted.subarray(headBytes), labelOf(context));
      } catch {
        throw damaged();
      } finally {
        dataKey.fill(0);
      }
    },
    encryptText: (text, context) => vault.encrypt(Buffer.from(text, 'utf8'), context),
    decryptText: async (encrypted, context) =>
      Buffer.from(await vault.decrypt(encrypted, context)).toString('utf8'),
    encryptDocument: (document, context) => vault.encryptText(JSON.stringify(document), context),
    decryptDocument: async (encrypted, context) => JSON.parse(await vault.decryptText(encrypted, context)),
    async rewrap(encrypted) {
      if (keyOf(encrypted).id === current.id) return undefined;
      const dataKey = await unwrapped(encrypted);
      const wrapped = await current.wrap(dataKey);
      dataKey.fill(0);
      return underCurrent(wrapped, encrypted.subarray(headBytes));
    },
  };
  return vault;
}

const asEncrypted = (bytes: Uint8Array): Encrypted => new Uint8Array(bytes) as Encrypted;

const damaged = (): VaultError =>
  new VaultError('damaged', 'A sealed record does not open: it was changed, cut or moved.');

/** An array as JSON text: no two places have the same. */
const labelOf = ({ table, row, purpose }: EncryptionContext): Buffer =>
  Buffer.from(JSON.stringify(['symbolon sealed record v1', table, row, purpose]), 'utf8');
