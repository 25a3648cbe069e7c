/**
 * The form of key files that is this house's own (docs/key-files.md): a seed under AES-256-GCM, with a key that scrypt
 * makes of the password in 128 MiB of memory, and everything else in the file as associated data. Scrypt and not
 * Argon2id, because browsers have neither, and its portable code fills nearly twice the memory in the same time.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, encodeUtf8, parseHex } from '@symbolon/core/basics/bytes';
import { canonicalJsonBytes } from '@symbolon/core/basics/jcs';
import { keyFileLimits as limits } from '@symbolon/core/limits/documents';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import {
  deriveKey,
  notAKeyFile,
  passwordWrong,
  readCost,
  type ScryptCost,
  subtleCrypto,
} from './key-derivation.ts';
import type { Signer } from './signer.ts';

export const ownFormat = 'symbolon-key';
const version = 1;
const kdfName = 'scrypt';
const cipherName = 'AES-256-GCM';
const cost: ScryptCost = { n: 131_072, r: 8, p: 1 };
const bytes = { salt: 32, iv: 12, seed: 32, tag: 16 } as const;

/** The members of a file, and nothing else may stand in one. */
const members = {
  file: ['format', 'version', 'address', 'publicKey', 'kdf', 'cipher', 'ciphertext', 'checksum'],
  kdf: ['name', 'n', 'r', 'p', 'salt'],
  cipher: ['name', 'iv'],
} as const;

/** The file of a seed and the account that it signs for. */
export async function encryptSeed(
  seed: Uint8Array,
  password: string,
  { address, publicKey }: Pick<Signer, 'address' | 'publicKey'>,
): Promise<JsonObject> {
  const [salt, iv] = [bytes.salt, bytes.iv].map((count) =>
    globalThis.crypto.getRandomValues(new Uint8Array(count)),
  );
  const header: JsonObject = {
    format: ownFormat,
    version,
    address,
    publicKey,
    kdf: { name: kdfName, ...cost, salt: encodeHex(salt) },
    cipher: { name: cipherName, iv: encodeHex(iv) },
  };
  const key = await cipherKey(password, salt, cost);
  const encrypted = await subtleCrypto().encrypt(gcm(iv, header), key, Uint8Array.from(seed));
  const closed: JsonObject = { ...header, ciphertext: encodeHex(new Uint8Array(encrypted)) };
  return { ...closed, checksum: checksumOf(closed) };
}

interface OwnKeyFile {
  readonly address: string;
  readonly publicKey: string;
  /** Rejects with `passwordWrong`, also where something of the file was changed on purpose. */
  readonly openSeed: (password: string) => Promise<Uint8Array>;
}

export function readOwnKeyFile(file: JsonObject): OwnKeyFile {
  const { ciphertext, checksum, ...header } = exactly(file, members.file);
  const { address, publicKey } = header;
  if (header.version !== version) throw notAKeyFile('it is of another version');
  if (typeof address !== 'string' || typeof publicKey !== 'string') throw notAKeyFile('it names no account');
  const kdf = exactly(header.kdf, members.kdf);
  const cipher = exactly(header.cipher, members.cipher);
  if (kdf.name !== kdfName || cipher.name !== cipherName)
    throw notAKeyFile('it is encrypted in an unknown way');
  const given = readCost(kdf);
  const salt = readBytes(kdf.salt, bytes.salt);
  const iv = readBytes(cipher.iv, bytes.iv);
  const encrypted = readBytes(ciphertext, bytes.seed + bytes.tag);
  // Of no use against whoever changes a file on purpose: the tag is. Damage is told from a wrong password by it.
  if (checksum !== checksumOf({ ...header, ciphertext })) throw notAKeyFile('it is damaged');
  const openSeed = async (password: string): Promise<Uint8Array> => {
    const key = await cipherKey(password, salt, given);
    try {
      return new Uint8Array(await subtleCrypto().decrypt(gcm(iv, header), key, Uint8Array.from(encrypted)));
    } catch {
      // The platform says no more than that the tag does not fit.
      throw passwordWrong();
    }
  };
  return { address, publicKey, openSeed };
}

const checksumOf = (closed: JsonObject): string => encodeHex(sha256(canonicalJsonBytes(closed)));

const gcm = (iv: Uint8Array, header: JsonObject) => ({
  name: 'AES-GCM',
  iv: Uint8Array.from(iv),
  additionalData: Uint8Array.from(canonicalJsonBytes(header)),
  tagLength: 8 * bytes.tag,
});

/** One password has one spelling, however a keyboard composes its letters. */
async function cipherKey(password: string, salt: Uint8Array, given: ScryptCost) {
  const raw = await deriveKey(password.normalize('NFC'), salt, given);
  try {
    return await subtleCrypto().importKey('raw', Uint8Array.from(raw), 'AES-GCM', false, [
      'encrypt',
      'decrypt',
    ]);
  } finally {
    raw.fill(0);
  }
}

function exactly(value: JsonValue | undefined, known: readonly string[]): JsonObject {
  const isWhole =
    isJsonObject(value) &&
    Object.keys(value).length === known.length &&
    known.every((name) => Object.hasOwn(value, name));
  if (isWhole) return value;
  throw notAKeyFile(`where ${known.join(', ')} must stand, something is missing or too much`);
}

function readBytes(value: JsonValue | undefined, count: number): Uint8Array {
  const isShort = typeof value === 'string' && encodeUtf8(value).length <= limits.fileCharsMax;
  const read = isShort ? parseHex(value) : undefined;
  // One spelling: what is bound as text must not have two.
  if (read?.length === count && encodeHex(read) === value) return read;
  throw notAKeyFile(`where ${count} bytes in lower-case hex must stand, something else does`);
}
