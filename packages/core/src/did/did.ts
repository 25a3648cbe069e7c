/**
 * Decentralized identifiers as text: the ledger's own method, whose identifier is a raw Ed25519 key, and `did:key`.
 * Strict parsing, and the way between identifier, key and account address. Documents are in `did-document.ts`; whether
 * an identifier that looks like a key is one (templates and credentials have identifiers of the same form that are
 * hashes) cannot be seen from its text.
 */
import { base58 } from '@scure/base';
import { assert } from '../basics/assert.ts';
import { concatBytes, encodeHex, equalBytes, parseHex } from '../basics/bytes.ts';
import { given } from '../basics/plain-values.ts';
import type { KeyFormat } from '../keys/keys.ts';
import type { NetworkProfile } from '../keys/profile.ts';
import { didLimits } from '../limits/documents.ts';

export type DidKeyType = 'ed25519' | 'x25519' | 'bls12381g2' | 'p256';

/** The multicodec prefix of each key type, and the length of its raw form. */
const keyForms: Readonly<Record<DidKeyType, { readonly prefix: Uint8Array; readonly bytes: number }>> = {
  ed25519: { prefix: Uint8Array.of(0xed, 0x01), bytes: 32 },
  x25519: { prefix: Uint8Array.of(0xec, 0x01), bytes: 32 },
  bls12381g2: { prefix: Uint8Array.of(0xeb, 0x01), bytes: 96 },
  /** A compressed point. */
  p256: { prefix: Uint8Array.of(0x80, 0x24), bytes: 33 },
};
const keyTypes = Object.keys(keyForms) as DidKeyType[];

export interface LedgerDid {
  readonly method: 'ledger';
  readonly did: string;
  /** The raw Ed25519 key. */
  readonly publicKey: Uint8Array;
}
export interface KeyDid {
  readonly method: 'key';
  readonly did: string;
  readonly keyType: DidKeyType;
  readonly publicKey: Uint8Array;
}
export type ParsedDid = LedgerDid | KeyDid;
export type DidRefusal = 'invalidDid' | 'methodNotSupported';

const didSyntax =
  /^did:([a-z0-9]+):(?:(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})*:)*(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$/;

export function parseDid(text: string, profile: NetworkProfile): ParsedDid | DidRefusal {
  if (text.length > didLimits.didCharsMax) return 'invalidDid';
  const method = didSyntax.exec(text)?.[1];
  if (method === undefined) return 'invalidDid';
  const identifier = text.slice(`did:${method}:`.length);
  if (method === profile.didMethod) {
    const publicKey = /^[0-9a-f]{64}$/.test(identifier) ? parseHex(identifier) : undefined;
    return publicKey ? { method: 'ledger', did: text, publicKey } : 'invalidDid';
  }
  if (method !== 'key') return 'methodNotSupported';
  const key = parseMultikey(identifier);
  return key ? { method: 'key', did: text, ...key } : 'invalidDid';
}

/** The raw key of one of the ledger's own identifiers; undefined for every other text. */
export function parseLedgerDid(text: string, profile: NetworkProfile): Uint8Array | undefined {
  const parsed = parseDid(text, profile);
  return typeof parsed === 'object' && parsed.method === 'ledger' ? parsed.publicKey : undefined;
}

export const didOfPublicKey = (publicKey: Uint8Array, profile: NetworkProfile): string =>
  `did:${profile.didMethod}:${encodeHex(publicKey)}`;

/** The account that an identifier of the ledger's own method controls. */
export function addressOfDid(did: string, keys: KeyFormat): string | undefined {
  const publicKey = parseLedgerDid(did, keys.profile);
  return publicKey && keys.addressOf(publicKey);
}

export interface DidUrl {
  readonly did: string;
  readonly path: string;
  /** Without the question mark; undefined when there is none. */
  readonly query?: string;
  readonly fragment?: string;
}

/** Splits a DID URL; whether its DID is one is for `parseDid` to say. */
export function splitDidUrl(text: string): DidUrl | undefined {
  if (text.length > didLimits.didUrlCharsMax) return undefined;
  const parts = /^(did:[^/?#]*)((?:\/[^?#]*)?)(?:\?([^#]*))?(?:#(.*))?$/.exec(text);
  if (!parts) return undefined;
  const [, did, path, query, fragment] = parts;
  return { did, path, ...given({ query, fragment }) };
}

/** The self-describing form: multibase base58btc over a multicodec prefix and the raw key. */
export const encodeMultikey = (keyType: DidKeyType, publicKey: Uint8Array): string =>
  `z${base58.encode(concatBytes(keyForms[keyType].prefix, publicKey))}`;

export function parseMultikey(text: string): { keyType: DidKeyType; publicKey: Uint8Array } | undefined {
  const bytes = parseMultibase(text);
  if (!bytes) return undefined;
  for (const keyType of keyTypes) {
    const publicKey = withoutPrefix(bytes, keyType);
    if (publicKey) return hasForm(keyType, publicKey) ? { keyType, publicKey } : undefined;
  }
  return undefined;
}

/** As clients of the family read it: the raw bytes, without a multicodec prefix. */
export function encodeBbsPublicKey(publicKey: Uint8Array): string {
  assert(publicKey.length === keyForms.bls12381g2.bytes, 'a BBS public key');
  return `z${base58.encode(publicKey)}`;
}

export function encodeBbsSecretKey(secretKey: Uint8Array): string {
  assert(secretKey.length === 32, 'a BBS secret key');
  return `z${base58.encode(secretKey)}`;
}

/** Both forms of a BBS public key. That the bytes are a point of the right group is for the proof engine to check. */
export const parseBbsPublicKey = (text: string): Uint8Array | undefined =>
  parsePublicKeyMultibase('bls12381g2', text);

/** A key of a known type, with or without its multicodec prefix. */
export function parsePublicKeyMultibase(keyType: DidKeyType, text: string): Uint8Array | undefined {
  const bytes = parseMultibase(text);
  if (!bytes) return undefined;
  const publicKey = bytes.length === keyForms[keyType].bytes ? bytes : withoutPrefix(bytes, keyType);
  return publicKey && hasForm(keyType, publicKey) ? publicKey : undefined;
}

function withoutPrefix(bytes: Uint8Array, keyType: DidKeyType): Uint8Array | undefined {
  const { prefix, bytes: length } = keyForms[keyType];
  if (bytes.length !== prefix.length + length) return undefined;
  return equalBytes(bytes.subarray(0, prefix.length), prefix) ? bytes.subarray(prefix.length) : undefined;
}

/**
 * A compressed point of G2 says so in its first bit; the second would make it the point at infinity, which is no key.
 * One of P-256 begins with 2 or 3. Whether it is on the curve is for who computes with it to check.
 */
function hasForm(keyType: DidKeyType, publicKey: Uint8Array): boolean {
  if (keyType === 'bls12381g2') return (publicKey[0] & 0xc0) === 0x80;
  if (keyType === 'p256') return publicKey[0] === 2 || publicKey[0] === 3;
  return publicKey.some((byte) => byte !== 0);
}

function parseMultibase(text: string): Uint8Array | undefined {
  // Base conversion is quadratic, so the length is checked before.
  if (text.length > didLimits.multibaseCharsMax || !/^z[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return undefined;
  return base58.decode(text.slice(1));
}
