/**
 * The master key: it wraps the data keys of records and nothing else. The seam is small so that a hardware module can
 * stand behind it, where the key never leaves the module; here it is 32 bytes in memory, from a file or the
 * environment. Its id is derived from it, so that a record tells which key it needs without telling the key.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseHex } from '@symbolon/core/basics/bytes';
import { readSecretFile, SecretFileError } from '@symbolon/host/config/secret-file';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import { VaultError } from './vault-error.ts';

export interface MasterKey {
  /** 16 hex digits. */
  readonly id: string;
  /** It never leaves a hardware module. */
  readonly isInHardware?: true;
  /** Wraps a fresh 32-byte data key; 60 bytes come back. */
  wrap(dataKey: Uint8Array): Promise<Uint8Array>;
  /** Rejects with `VaultError` `damaged` when the bytes were not wrapped by this key. */
  unwrap(wrapped: Uint8Array): Promise<Uint8Array>;
}

const masterKeyBytes = 32;
export const dataKeyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
/** What encryption adds to the bytes. */
export const frameBytes = ivBytes + tagBytes;
export const wrappedKeyBytes = dataKeyBytes + frameBytes;

/**
 * The master key is an object, with which encrypting takes half of the work. A data key is bytes, because an object's
 * copy of it cannot be erased.
 */
type FrameKey = KeyObject | Uint8Array;

/** AES-256-GCM: IV, ciphertext, tag. */
export function encryptFrame(key: FrameKey, bytes: Uint8Array, label: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(label);
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Throws where the bytes were not encrypted with this key and label. */
export function decryptFrame(key: FrameKey, frame: Uint8Array, label: Uint8Array): Buffer {
  const iv = frame.subarray(0, ivBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  decipher.setAAD(label).setAuthTag(frame.subarray(-tagBytes));
  return Buffer.concat([decipher.update(frame.subarray(ivBytes, -tagBytes)), decipher.final()]);
}

/** A wrapped key is never taken for anything else that is encrypted. */
const wrapLabel = Buffer.from('symbolon wrapped data key v1');

/** A master key that this process holds. The bytes are copied; the caller may erase its own. */
export function masterKeyFromBytes(bytes: Uint8Array): MasterKey {
  if (bytes.length !== masterKeyBytes) throw malformed('it is not 32 bytes long');
  if (bytes.every((byte) => byte === bytes[0])) throw malformed('all its bytes are the same');
  const key = createSecretKey(bytes);
  const id = createHmac('sha256', key).update('symbolon master key id v1').digest('hex').slice(0, 16);
  return {
    id,
    wrap: async (dataKey) => encryptFrame(key, dataKey, wrapLabel),
    async unwrap(wrapped) {
      if (wrapped.length !== wrappedKeyBytes) throw damagedKey();
      try {
        return decryptFrame(key, wrapped, wrapLabel);
      } catch {
        throw damagedKey();
      }
    },
  };
}

export const damagedKey = (cause?: unknown): VaultError =>
  new VaultError('damaged', 'a wrapped data key does not open', { cause });

const malformed = (why: string): VaultError =>
  new VaultError(
    'masterKeyMalformed',
    `The master key cannot be used: ${why}. It is 32 random bytes, in hex or base64.`,
  );

/** A master key written as 64 hex digits or as base64 (either alphabet, with or without padding). */
export function masterKeyFromText(text: string): MasterKey {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return masterKeyFromBytes(parseHex(trimmed) as Uint8Array);
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return masterKeyFromBytes(Buffer.from(trimmed, 'base64url'));
  throw malformed('its text is neither 64 hex digits nor 44 characters of base64');
}

/** A key has 64 characters; whatever is much larger is another file. */
const keyFileBytesMax = 1_024;

/** The key in a file, made on the first start. A file that others can read is refused: the key may be known. */
export async function masterKeyFromFile(file: string, { make = true } = {}): Promise<MasterKey> {
  const text = (await readOwnFile(file)) ?? (make ? await makeKeyFile(file) : undefined);
  if (text === undefined)
    throw new VaultError(
      'masterKeyUnreachable',
      `There is no master key in ${file}.\nPut it back from its own backup: without it nothing in the database can be read.`,
    );
  return masterKeyFromText(text);
}

async function readOwnFile(file: string): Promise<string | undefined> {
  try {
    return await readSecretFile(file, { holds: 'the master key', bytesMax: keyFileBytesMax });
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    if (error.problem === 'missing') return undefined;
    throw new VaultError('masterKeyUnsafe', error.message, { cause: error });
  }
}

/**
 * Complete on disk before it has its name: a key that is lost in a crash takes everything encrypted under it along. Of
 * two processes that make it at the same moment, one wins and both use that one's.
 */
async function makeKeyFile(file: string): Promise<string> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = randomBytes(masterKeyBytes).toString('hex');
  const unfinished = `${file}.${randomBytes(6).toString('hex')}.new`;
  await writeFile(unfinished, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(unfinished, file);
  } catch (error) {
    const made = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readOwnFile(file) : undefined;
    if (made === undefined) throw error;
    return made;
  } finally {
    await rm(unfinished, { force: true });
  }
  await syncFolder(folder);
  return text;
}
