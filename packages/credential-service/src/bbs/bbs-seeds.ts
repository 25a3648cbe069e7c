/**
 * What a caller may give as seed of a BBS+ key: a BIP-39 mnemonic whose checksum holds, or bytes in hex or base64.
 * Decoding is strict: a text that could be read in two ways, or in none, is refused instead of guessed. The same seed
 * gives the same key, always.
 */

import { mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { encodeUtf8, parseBase64, parseHex } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { bbsLimits } from '@symbolon/core/limits/documents';
import { generateSecretKey } from '@symbolon/core/proofs/scalars';

/** Separates these keys from any other use of the same seed. */
const keyInfo = encodeUtf8('symbolon/bbs/issuer/0');
const seedCharsMax = 2_048;

/** The secret key of a seed; erase it after use. Nothing of the seed is repeated in a fault. */
export async function secretKeyOfSeed(seed: string): Promise<Uint8Array> {
  const text = seed.trim();
  if (text === '' || text.length > seedCharsMax) throw invalid('is empty or too long');
  const material = /\s/.test(text) ? await readMnemonic(text) : readBytes(text);
  const secretKey = generateSecretKey(material, keyInfo);
  material.fill(0);
  if (!secretKey) throw invalid(`must hold ${bbsLimits.keyMaterialBytesMin} bytes or more`);
  return secretKey;
}

async function readMnemonic(text: string): Promise<Uint8Array> {
  const words = text.normalize('NFKD').toLowerCase().split(/\s+/).join(' ');
  if (!validateMnemonic(words, wordlist)) {
    throw invalid('has a word that is not in the list, a wrong number of words or a wrong checksum');
  }
  return mnemonicToSeed(words);
}

/** Hex that is also base64 of another length is still hex: 64 digits or more of nothing else are no accident. */
function readBytes(text: string): Uint8Array {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (/^[0-9a-f]+$/i.test(digits)) {
    const bytes = parseHex(digits);
    if (!bytes) throw invalid('has an odd number of hex digits');
    return bytes;
  }
  const bytes = parseBase64(text);
  if (!bytes) throw invalid('is neither a mnemonic, nor hex, nor base64');
  return bytes;
}

const invalid = (what: string) =>
  new Fault('seedInvalid', {
    detail: `The seed ${what}`,
    errors: [{ pointer: '/seed', detail: what }],
  });
