/**
 * Encryption of requests for credentials and of their answers (OpenID4VCI 1.0, sections 8 to 10): compact JWE by ECDH-ES
 * over P-256. What was encrypted is a text; what it says is read by whoever wanted it.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeUtf8, parseExactBase64Url } from '@symbolon/core/basics/bytes';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import {
  CompactEncrypt,
  type CryptoKey,
  compactDecrypt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type KeyObject,
} from 'jose';
import { readPublicJwk, type SigningJwk } from '../jose/public-keys.ts';
import { parseSignedObject, parseUtf8 } from '../jose/strict-json.ts';
import { oid4vciLimits } from '../limits/oid4vci-limits.ts';

export const messageAlgorithm = 'ECDH-ES';
export const messageCiphers = ['A128GCM', 'A256GCM'] as const;
export type MessageCipher = (typeof messageCiphers)[number];

/** How a wallet wants its answer. */
export interface AnswerEncryption {
  readonly key: SigningJwk;
  readonly enc: MessageCipher;
  readonly kid?: string;
}

const isCipher = (enc: unknown): enc is MessageCipher => messageCiphers.some((one) => one === enc);

/** The wish in a request, or why nobody here encrypts so. */
export function readAnswerEncryption(wish: unknown): AnswerEncryption | Complaint {
  const asked = asObject(wish);
  const jwk = asObject(asked?.jwk);
  if (!asked || !jwk) return { complaint: 'there is no key to encrypt for' };
  if (!isCipher(asked.enc)) return { complaint: `enc is none of ${messageCiphers.join(', ')}` };
  if (asked.zip !== undefined) return { complaint: 'nothing is compressed here' };
  const { alg, use, kid, key_ops: _, ...members } = jwk;
  if (alg !== messageAlgorithm) return { complaint: `alg of the key is not ${messageAlgorithm}` };
  if (use !== undefined && use !== 'enc') return { complaint: 'the key is not for encryption' };
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > oid4vciLimits.identifierCharsMax))
    return { complaint: 'kid of the key is no name' };
  const key = readPublicJwk(members);
  if (isComplaint(key)) return key;
  if (key.crv !== 'P-256') return { complaint: 'the key is not of P-256' };
  return { key, enc: asked.enc, ...(kid !== undefined && { kid }) };
}

/** Undefined for a point that is not on the curve. */
export async function encryptMessage(
  text: string,
  { key, enc, kid }: AnswerEncryption,
): Promise<string | undefined> {
  const imported = await importJWK({ ...key }, messageAlgorithm).catch(() => undefined);
  if (!imported) return undefined;
  return new CompactEncrypt(encodeUtf8(text))
    .setProtectedHeader({ alg: messageAlgorithm, enc, ...(kid !== undefined && { kid }) })
    .encrypt(imported);
}

/** Whoever has the key that the metadata names. */
export interface KeyOfReader {
  readonly kid: string;
  readonly key: CryptoKey | KeyObject;
}

/** A wallet's key for one answer, and the wish for it in its request. */
export async function makeAnswerKey(
  enc: MessageCipher,
): Promise<{ readonly reader: KeyOfReader; readonly wish: object }> {
  const { privateKey, publicKey } = await generateKeyPair(messageAlgorithm, {
    crv: 'P-256',
    extractable: false,
  });
  const { kty, crv, x, y } = await exportJWK(publicKey);
  const kid = crypto.randomUUID();
  return {
    reader: { kid, key: privateKey },
    wish: { jwk: { kty, crv, x, y, kid, use: 'enc', alg: messageAlgorithm }, enc },
  };
}

/** The text in a JWE for this key. */
export async function decryptMessage(
  jwe: string,
  { kid, key }: KeyOfReader,
): Promise<{ readonly text: string } | Complaint> {
  const header = headerOf(jwe);
  if (!header) return { complaint: 'the text is no JWE' };
  if (header.kid !== kid) return { complaint: 'the JWE is for another key' };
  if (header.zip !== undefined) return { complaint: 'the JWE is compressed, which is not taken here' };
  const allowed = {
    keyManagementAlgorithms: [messageAlgorithm],
    contentEncryptionAlgorithms: [...messageCiphers],
  };
  const opened = await compactDecrypt(jwe, key, allowed).catch(() => undefined);
  const text = opened && parseUtf8(opened.plaintext);
  return text === undefined ? { complaint: 'the JWE cannot be opened with the key here' } : { text };
}

function headerOf(jwe: string): Fields | undefined {
  const parts = jwe.split('.');
  const bytes = parts.length === 5 ? parseExactBase64Url(parts[0] as string) : undefined;
  const text = bytes && parseUtf8(bytes);
  return text === undefined ? undefined : parseSignedObject(text);
}
