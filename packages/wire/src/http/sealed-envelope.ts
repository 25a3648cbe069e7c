/**
 * The layout of sealed requests and answers (`docs/sealed.md`, "Layout"): header names, lengths, labels and framing. No
 * cryptography happens here, so that the service and a browser build on the same facts.
 *
 * The caller makes an X25519 pair for one request. Both sides know the exchange of it with the service's X25519 key;
 * HKDF-SHA256 of that, without salt and info, is the AES-256-GCM key of the request, and with `answerLabel` as info the
 * key of the answer. The request's key also travels in `secretKey`, encrypted to the service's RSA key (OAEP with
 * SHA-256): the service opens a request only when both ways lead to the same key.
 */
import {
  concatBytes,
  encodeBase58,
  encodeBase64Url,
  encodeUtf8,
  parseBase58,
  parseBase64,
  parseHex,
} from '@symbolon/core/basics/bytes';
import { sealedLimits } from '@symbolon/core/limits/requests';

export const sealHeaders = { secretKey: 'secretKey', x25519PublicKey: 'x25519PubKey', keyId: 'kid' } as const;

export const sealBytes = { key: 32, x25519Key: 32, iv: 12, tag: 16 } as const;

/** HKDF info of the answer's key; the request's key has none. */
export const answerLabel = 'symbolon sealed answer v1';

/** Sealed bodies are base64url text. */
export const sealedContentType = 'text/plain; charset=utf-8';

/** A sealed text belongs to one path: it cannot be replayed to another route. */
export const associatedData = (path: string): Uint8Array => encodeUtf8(path);

export interface SealedFrame {
  readonly iv: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly tag: Uint8Array;
}

export const encodeFrame = ({ iv, ciphertext, tag }: SealedFrame): string =>
  encodeBase64Url(concatBytes(iv, ciphertext, tag));

/** The parts of a sealed text; clients may put it in quotes, because they name it JSON. */
export function parseSealedFrame(text: string): SealedFrame | undefined {
  const bytes = parseBase64(unquoted(text));
  if (!bytes || bytes.length < sealBytes.iv + sealBytes.tag) return undefined;
  return {
    iv: bytes.subarray(0, sealBytes.iv),
    ciphertext: bytes.subarray(sealBytes.iv, -sealBytes.tag),
    tag: bytes.subarray(-sealBytes.tag),
  };
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : trimmed;
}

export interface SealHeaders {
  /** Encrypted to the service's RSA key. */
  readonly wrappedKey: Uint8Array;
  /** What the caller's public key may be: one text in a hundred is both base58 and base64url. */
  readonly x25519PublicKeys: readonly Uint8Array[];
  readonly keyId: string | undefined;
}

/** A header without which nothing can be opened, and which is not there. */
export const missingSealHeader = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string | undefined =>
  [sealHeaders.secretKey, sealHeaders.x25519PublicKey].find((name) => !headers[name.toLowerCase()]);

/** Names in lower case, as servers give them. */
export function parseSealHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): SealHeaders | undefined {
  const [secret, point, keyId] = Object.values(sealHeaders).map((name) => headers[name.toLowerCase()]);
  if (!isHeader(secret) || !isHeader(point)) return undefined;
  if (keyId !== undefined && (!isHeader(keyId) || keyId.length > sealedLimits.keyIdCharsMax))
    return undefined;
  const wrappedKey = parseBase64(secret);
  const x25519PublicKeys = readX25519Key(point);
  return wrappedKey && x25519PublicKeys.length > 0 ? { wrappedKey, x25519PublicKeys, keyId } : undefined;
}

const isHeader = (value: string | readonly string[] | undefined): value is string =>
  typeof value === 'string' && value !== '' && value.length <= sealedLimits.headerCharsMax;

/** Every reading of 32 bytes: base58, base64 of either alphabet, hex. */
export function readX25519Key(text: string): readonly Uint8Array[] {
  const readings = [parseBase58(text, sealBytes.x25519Key * 2), parseBase64(text), parseHex(text)];
  return readings.filter((bytes) => bytes?.length === sealBytes.x25519Key) as Uint8Array[];
}

export interface SealedRequestKeys {
  readonly wrappedKey: Uint8Array;
  readonly x25519PublicKey: Uint8Array;
  readonly keyId?: string;
}

export const renderSealHeaders = (keys: SealedRequestKeys): Record<string, string> => ({
  [sealHeaders.secretKey]: encodeBase64Url(keys.wrappedKey),
  [sealHeaders.x25519PublicKey]: encodeBase58(keys.x25519PublicKey),
  ...(keys.keyId !== undefined && { [sealHeaders.keyId]: keys.keyId }),
});

/** The longest sealed text of a body of so many bytes, with room for quotes and padding. */
export const sealedTextCharsMax = (bodyBytesMax: number): number =>
  Math.ceil(((bodyBytesMax + sealBytes.iv + sealBytes.tag) * 4) / 3) + 8;
