/**
 * Version 2 of the JSON key files that the family's tools write, so that either side reads the other's. What those
 * files are is not to be improved here, only bounded: the key comes out of scrypt over the low byte of each word of the
 * salt; its hex is the password of OpenSSL's older container, AES-256 in counter mode. A wrong password is noticed by
 * the checksum in the encoded key. Keys of one's own belong into `own-key-file.ts`.
 */
import { md5 } from '@noble/hashes/legacy.js';
import {
  concatBytes,
  decodeUtf8,
  encodeBase64,
  encodeHex,
  encodeUtf8,
  parseBase64,
  parseHex,
} from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { keyFileLimits as limits } from '@symbolon/core/limits/documents';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { deriveKey, notAKeyFile, readCost, type ScryptCost, subtleCrypto } from './key-derivation.ts';

/** What the family's tools compute with, whatever a file says. */
const usualCost = { n: 16_384, r: 8, p: 1 } as const;
const keyBytes = 32;
const saltWords = 32;
export const familyVersion = 2;

/** The file of an encoded private key. */
export async function encryptFamilyKey(
  privateKey: string,
  password: string,
  address: string,
): Promise<JsonObject> {
  const { crypto } = globalThis;
  const salt = crypto.getRandomValues(new Uint8Array(4 * saltWords));
  const innerSalt = crypto.getRandomValues(new Uint8Array(innerSaltBytes));
  const passphrase = await passphraseOf(password, salt, usualCost);
  const encrypted = await applyCipher(encodeUtf8(privateKey), passphrase, innerSalt);
  const container = encodeBase64(concatBytes(containerMark, innerSalt, encrypted));
  return {
    // The other tools pass over members that they do not know.
    address,
    cypher_text: encodeBase64(encodeUtf8(container)),
    // Written because they are expected; the counter really starts at what comes out of the inner password.
    aesctr_iv: encodeHex(crypto.getRandomValues(new Uint8Array(4 * 16))),
    scrypt_params: { ...usualCost, salt: encodeHex(salt) },
    version: familyVersion,
  };
}

interface FamilyKeyFile {
  readonly address: string | undefined;
  /** The encoded private key; any other text where the password is wrong. */
  readonly openKey: (password: string) => Promise<string>;
}

/** `Salted__`, as OpenSSL writes it. */
const containerMark = encodeUtf8('Salted__');
const innerSaltBytes = 8;

export function readFamilyKeyFile(file: JsonObject): FamilyKeyFile {
  const { scrypt_params: parameters, cypher_text: cipherText, address } = file;
  if (!isJsonObject(parameters) || typeof cipherText !== 'string') throw notAKeyFile('members are missing');
  const salt = typeof parameters.salt === 'string' ? parseHex(parameters.salt) : undefined;
  if (!salt || salt.length % 4 !== 0 || salt.length > limits.saltBytesMax) {
    throw notAKeyFile('its salt is malformed');
  }
  const outer = parseBase64(cipherText);
  const container = outer && parseBase64(textOrNothing(outer));
  const begin = containerMark.length + innerSaltBytes;
  if (!container || container.length <= begin || !containerMark.every((byte, at) => container[at] === byte)) {
    throw notAKeyFile('its ciphertext is malformed');
  }
  const cost = readCost(parameters);
  const innerSalt = container.subarray(containerMark.length, begin);
  return {
    address: typeof address === 'string' ? address : undefined,
    openKey: async (password) => {
      const passphrase = await passphraseOf(password, salt, cost);
      const opened = await applyCipher(container.subarray(begin), passphrase, innerSalt);
      try {
        return textOrNothing(opened);
      } finally {
        opened.fill(0);
      }
    },
  };
}

/** The hex of what scrypt makes. Of each word of the salt the low byte counts. */
async function passphraseOf(password: string, salt: Uint8Array, cost: ScryptCost): Promise<Uint8Array> {
  const counted = salt.filter((_byte, at) => at % 4 === 3);
  return encodeUtf8(encodeHex(await deriveKey(password, counted, cost)));
}

/** Counter mode: what encrypts also decrypts. */
async function applyCipher(
  bytes: Uint8Array,
  passphrase: Uint8Array,
  innerSalt: Uint8Array,
): Promise<Uint8Array> {
  const subtle = subtleCrypto();
  const blocks: Uint8Array[] = [];
  for (let made = 0; made < keyBytes + 16; made += 16) {
    blocks.push(md5(concatBytes(blocks.at(-1) ?? new Uint8Array(0), passphrase, innerSalt)));
  }
  const derived = concatBytes(...blocks);
  const raw = Uint8Array.from(derived.subarray(0, keyBytes));
  const key = await subtle.importKey('raw', raw, 'AES-CTR', false, ['encrypt']);
  // Only the last word counts up.
  const algorithm = { name: 'AES-CTR', counter: Uint8Array.from(derived.subarray(keyBytes)), length: 32 };
  return new Uint8Array(await subtle.encrypt(algorithm, key, Uint8Array.from(bytes)));
}

/** A wrong password makes bytes that are no text. */
const textOrNothing = (bytes: Uint8Array): string => decodeOrNothing(() => decodeUtf8(bytes)) ?? '';
