/**
 * Answers that only their verifier can read (`direct_post.jwt`): a key of its own for every request, and the one form of
 * encryption that it was offered for. The cryptography is `jose`'s.
 */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { parseExactBase64Url } from '@symbolon/core/basics/bytes';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { compactDecrypt, exportJWK, generateKeyPair, importJWK } from 'jose';
import { parseSignedObject, parseUtf8 } from '../jose/strict-json.ts';
import { joseLimits } from '../limits/format-limits.ts';
import { oid4vpLimits } from '../limits/oid4vp-limits.ts';

const agreement = 'ECDH-ES';
export const responseEncryptions = ['A128GCM', 'A256GCM'] as const;

export interface ResponseJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly use: 'enc';
  readonly alg: typeof agreement;
}

/** For one request. The secret half is kept where secrets are. */
export interface ResponseKey {
  readonly publicJwk: ResponseJwk;
  readonly secret: string;
}

export async function makeResponseKey(kid: string): Promise<ResponseKey> {
  const { privateKey } = await generateKeyPair(agreement, { crv: 'P-256', extractable: true });
  const { x = '', y = '', d = '' } = await exportJWK(privateKey);
  return { publicJwk: { kty: 'EC', crv: 'P-256', x, y, kid, use: 'enc', alg: agreement }, secret: d };
}

/** The object in an encrypted answer, or what is wrong: the same for every text that this key does not open. */
export async function openResponse(text: string, key: ResponseKey): Promise<Fields | Complaint> {
  if (text.length > oid4vpLimits.responseCharsMax) return { complaint: 'the answer is too long' };
  const problem = headerProblem(text, key.publicJwk);
  if (problem !== undefined) return { complaint: problem };
  const plain = await decrypted(text, key);
  const json = plain && parseUtf8(plain);
  const read = json === undefined ? undefined : parseSignedObject(json);
  return read ?? { complaint: 'the answer cannot be decrypted to a plain JSON object' };
}

function headerProblem(text: string, { kid }: ResponseJwk): string | undefined {
  const parts = text.split('.', 6);
  if (parts.length !== 5) return 'the answer has not the five parts of an encrypted token';
  const bytes = parts[0].length <= joseLimits.headerCharsMax ? parseExactBase64Url(parts[0]) : undefined;
  const json = bytes && parseUtf8(bytes);
  const header = json === undefined ? undefined : parseSignedObject(json);
  if (!header) return 'the answer has a header that is no plain JSON object';
  if (header.kid !== kid) return 'the answer is encrypted for another key';
  const isOffered = responseEncryptions.some((name) => name === header.enc);
  if (header.alg !== agreement || !isOffered) return 'the answer is encrypted in a way that was not offered';
  if (header.crit !== undefined || header.zip !== undefined)
    return 'the answer has an extension that is not understood';
  const { kty, crv, d } = asObject(header.epk) ?? {};
  return kty === 'EC' && crv === 'P-256' && d === undefined
    ? undefined
    : 'the answer has no key of its sender that fits';
}

async function decrypted(text: string, { publicJwk, secret }: ResponseKey): Promise<Uint8Array | undefined> {
  const { kty, crv, x, y } = publicJwk;
  try {
    const opened = await compactDecrypt(text, await importJWK({ kty, crv, x, y, d: secret }, agreement), {
      keyManagementAlgorithms: [agreement],
      contentEncryptionAlgorithms: [...responseEncryptions],
    });
    return opened.plaintext;
  } catch {
    // Why it does not open is nobody's business but its sender's.
    return undefined;
  }
}
