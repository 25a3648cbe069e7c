/**
 * Keys that are their own identifiers (`did:key`): the key types of the cryptosuites here, and the documents that other
 * implementations ask a loader for. Everything follows from the identifier; nothing is looked up.
 */
import { base58 } from '@scure/base';
import { concatBytes, equalBytes } from '@symbolon/core/basics/bytes';
import { contextUrls } from './contexts.ts';

/** Key types that sign credentials. */
export type SigningKeyType = 'ed25519' | 'p256' | 'bls12381g2';

/** Multicodec prefix, and length of the raw public key. */
const keyForms: Readonly<Record<SigningKeyType, { readonly prefix: Uint8Array; readonly bytes: number }>> = {
  ed25519: { prefix: Uint8Array.of(0xed, 0x01), bytes: 32 },
  p256: { prefix: Uint8Array.of(0x80, 0x24), bytes: 33 },
  bls12381g2: { prefix: Uint8Array.of(0xeb, 0x01), bytes: 96 },
};

export interface SigningKey {
  readonly keyType: SigningKeyType;
  /** Raw; points compressed. */
  readonly publicKey: Uint8Array;
}

/** Enough for the longest key. Base conversion is quadratic, so it is checked before. */
const multikeyCharsMax = 160;

export const multikeyText = ({ keyType, publicKey }: SigningKey): string =>
  `z${base58.encode(concatBytes(keyForms[keyType].prefix, publicKey))}`;

/** The key of a `publicKeyMultibase`; undefined for what is none, or of another type. */
export function parseMultikeyText(text: unknown): SigningKey | undefined {
  if (typeof text !== 'string' || text.length > multikeyCharsMax) return undefined;
  if (!/^z[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return undefined;
  const bytes = base58.decode(text.slice(1));
  for (const [keyType, { prefix, bytes: length }] of Object.entries(keyForms)) {
    const publicKey = bytes.slice(prefix.length);
    if (equalBytes(bytes.subarray(0, prefix.length), prefix) && publicKey.length === length)
      return { keyType: keyType as SigningKeyType, publicKey };
  }
  return undefined;
}

const didPrefix = 'did:key:';

export const didOfKey = (key: SigningKey): string => `${didPrefix}${multikeyText(key)}`;

/** The one verification method of a `did:key`. */
export const methodOfKey = (key: SigningKey): string => `${didOfKey(key)}#${multikeyText(key)}`;

/** The key of a `did:key` or of its verification method; the method's fragment must be the key again. */
export function parseDidKey(url: string): SigningKey | undefined {
  if (!url.startsWith(didPrefix)) return undefined;
  const [text = '', ...fragments] = url.slice(didPrefix.length).split('#');
  if (fragments.length > 1 || (fragments.length === 1 && fragments[0] !== text)) return undefined;
  return parseMultikeyText(text);
}

/** The document of a `did:key`, or its verification method alone, as loaders of other implementations return it. */
export function didKeyDocument(url: string): object | undefined {
  const key = parseDidKey(url);
  if (key === undefined) return undefined;
  const controller = didOfKey(key);
  const id = methodOfKey(key);
  const method = { id, type: 'Multikey', controller, publicKeyMultibase: multikeyText(key) };
  if (url.includes('#')) return { '@context': contextUrls.multikeyV1, ...method };
  return {
    '@context': ['https://www.w3.org/ns/did/v1', contextUrls.multikeyV1],
    id: controller,
    verificationMethod: [method],
    assertionMethod: [id],
    authentication: [id],
  };
}
