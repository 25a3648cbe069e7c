/**
 * The text forms of keys and addresses (docs/ledger.md, "Keys and addresses"): prefix, key type, payload
 * and the first four bytes of a double SHA-256. Pure encoding: making and using keys is the caller's work.
 */
import {
  concatBytes,
  encodeBase58,
  encodeHex,
  encodeUtf8,
  equalBytes,
  parseBase58,
  parseHex,
  type Sha256,
} from '../basics/bytes.ts';
import { RecentMap } from '../basics/recent-map.ts';
import type { NetworkProfile } from './profile.ts';

const ed25519Type = 0x01;
const privateKeyPrefix = Uint8Array.of(0xda, 0x37, 0x9f, ed25519Type);
const publicKeyPrefix = Uint8Array.of(0xb0, ed25519Type);
const checksumBytes = 4;
const keyBytes = 32;
const addressBytes = 20;
const textLengthMax = 64;
const usualAlphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const knownAddressesMax = 200_000;
const knownSignersMax = 50_000;
const reservedTexts = ['1', '2', '3', '4', '5', '6', '7', '8'];

export interface KeySigner {
  readonly publicKey: Uint8Array;
  readonly address: string;
}

/** The key and address forms of one network. */
export interface KeyFormat {
  readonly profile: NetworkProfile;
  /** The address of a raw 32-byte public key. */
  addressOf(publicKey: Uint8Array): string;
  /** The address derived from a text: contracts (`source-nonce-index`) and the reserved ones ("1" to "8"). */
  addressOfText(text: string): string;
  isAddress(text: string): boolean;
  /** Addresses that no key can own, kept for contracts of the system itself. */
  isReservedAddress(text: string): boolean;
  encodePublicKey(publicKey: Uint8Array): string;
  parsePublicKey(text: string): Uint8Array | undefined;
  /** The raw key of an encoded one, and the address it signs for. */
  signerOf(text: string): KeySigner | undefined;
  encodePrivateKey(seed: Uint8Array): string;
  parsePrivateKey(text: string): Uint8Array | undefined;
}

export function createKeyFormat(profile: NetworkProfile, sha256: Sha256): KeyFormat {
  // The networks' alphabets are permutations of the usual one.
  const toText = (bytes: Uint8Array): string =>
    translate(encodeBase58(bytes), usualAlphabet, profile.base58Alphabet);
  const addressPrefix = Uint8Array.of(...profile.addressPrefix, ed25519Type);
  // Checking an address or a key costs hashes and a base conversion; the same ones come again and again.
  const knownAddresses = new RecentMap<string, true>(knownAddressesMax);
  const knownSigners = new RecentMap<string, KeySigner>(knownSignersMax);

  const checksumOf = (body: Uint8Array): Uint8Array => sha256(sha256(body)).subarray(0, checksumBytes);
  const withChecksum = (body: Uint8Array): Uint8Array => concatBytes(body, checksumOf(body));

  const payloadOf = (
    checked: Uint8Array,
    prefix: Uint8Array,
    payloadBytes: number,
  ): Uint8Array | undefined => {
    if (checked.length !== prefix.length + payloadBytes + checksumBytes) return undefined;
    const body = checked.subarray(0, -checksumBytes);
    if (!equalBytes(body.subarray(0, prefix.length), prefix)) return undefined;
    const isWhole = equalBytes(checksumOf(body), checked.subarray(-checksumBytes));
    return isWhole ? body.subarray(prefix.length) : undefined;
  };

  const fromText = (text: string): Uint8Array | undefined =>
    text.length > textLengthMax
      ? undefined
      : parseBase58(translate(text, profile.base58Alphabet, usualAlphabet), textLengthMax);

  const addressOfBytes = (identity: Uint8Array): string =>
    toText(withChecksum(concatBytes(addressPrefix, sha256(identity).subarray(-addressBytes))));

  const addressOfText = (text: string): string => addressOfBytes(encodeUtf8(text));
  const reservedAddresses = new Set(reservedTexts.map(addressOfText));

  const signerOf = (text: string): KeySigner | undefined => {
    const known = knownSigners.get(text);
    if (known) return known;
    const checked = text.length <= 2 * textLengthMax ? parseHex(text) : undefined;
    const publicKey = checked && payloadOf(checked, publicKeyPrefix, keyBytes);
    if (!publicKey) return undefined;
    const signer = { publicKey, address: addressOfBytes(publicKey) };
    knownSigners.set(text, signer);
    return signer;
  };

  return {
    profile,
    addressOf: addressOfBytes,
    addressOfText,
    isReservedAddress: (text) => reservedAddresses.has(text),

    isAddress(text) {
      if (knownAddresses.get(text)) return true;
      const checked = fromText(text);
      if (!checked || !payloadOf(checked, addressPrefix, addressBytes)) return false;
      knownAddresses.set(text, true);
      return true;
    },

    encodePublicKey: (publicKey) => encodeHex(withChecksum(concatBytes(publicKeyPrefix, publicKey))),

    parsePublicKey: (text) => signerOf(text)?.publicKey,
    signerOf,

    encodePrivateKey: (seed) => toText(withChecksum(concatBytes(privateKeyPrefix, seed, Uint8Array.of(0)))),

    parsePrivateKey(text) {
      const checked = fromText(text);
      const payload = checked && payloadOf(checked, privateKeyPrefix, keyBytes + 1);
      return payload && payload[keyBytes] === 0 ? payload.subarray(0, keyBytes) : undefined;
    },
  };
}

function translate(text: string, from: string, to: string): string {
  if (from === to) return text;
  // What stands in neither alphabet stays as it is, and no decoder takes it.
  return Array.from(text, (character) => to[from.indexOf(character)] ?? character).join('');
}
