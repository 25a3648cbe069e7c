/**
 * HTTP as clients of the credential service speak it, plain and sealed. Sealing is done here with the platform's own
 * cryptography, from the layout alone: what the SDK and the service agree on by sharing code would not show otherwise.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { parseBase58 } from '@symbolon/core/basics/bytes';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { type Answer, json, send } from './http.ts';

export interface ServiceAnswer extends Answer {
  /** The parsed body; of a sealed answer what was in it. */
  readonly body: JsonObject;
  /** Whether the body arrived sealed. */
  readonly isSealed: boolean;
}

/** An answer in short: its status, and the code of its refusal. */
export const outcomeOf = ({ status, body }: Pick<ServiceAnswer, 'status' | 'body'>): string =>
  `${status} ${body.code ?? 'ok'}`;

export interface Posting {
  readonly apiKey?: string;
  readonly headers?: Record<string, string>;
  readonly sealed?: SealTarget;
}

/** POST of a JSON value, or of a text that is sent as it is. */
export async function postService(
  url: string,
  path: string,
  body: JsonValue | string,
  { apiKey, headers: given, sealed }: Posting = {},
): Promise<ServiceAnswer> {
  const headers = { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...given };
  const text = typeof body === 'string' ? body : stringifyJson(body);
  if (sealed) return postSealed(url, path, { text, headers, target: sealed });
  const sent = { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } };
  return opened(await send(`${url}${path}`, sent));
}

/** A request without a body. */
export async function getService(
  url: string,
  path: string,
  { apiKey, headers, method = 'GET' }: Posting & { readonly method?: 'GET' | 'DELETE' } = {},
): Promise<ServiceAnswer> {
  const authorization = apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` };
  return opened(await send(`${url}${path}`, { method, headers: { ...authorization, ...headers } }));
}

const opened = (answer: Answer): ServiceAnswer => ({ ...answer, body: json(answer), isSealed: false });

/** What a client has to know of the service to seal for it. */
export interface SealTarget {
  readonly kid: string;
  readonly rsaPublicKeyPem: string;
  readonly x25519PublicKey: string;
}

export async function sealTargetOf(url: string): Promise<SealTarget> {
  const { kid, rsaPublicKeyPem, x25519PublicKey } = json(await send(`${url}/cred/v1/keys`));
  return { kid, rsaPublicKeyPem, x25519PublicKey } as unknown as SealTarget;
}

/** One sealed request: what travels, and the key that opens its answer. */
export interface SealedParts {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly answerKey: Uint8Array;
}

const ivBytes = 12;
const tagBytes = 16;
/** What stands in front of the 32 raw bytes of a public X25519 key in DER. */
const x25519Prefix = Buffer.from('302a300506032b656e032100', 'hex');

export function seal(text: string | Uint8Array, path: string, target: SealTarget): SealedParts {
  const own = generateKeyPairSync('x25519');
  const point = Buffer.from(parseBase58(target.x25519PublicKey, 64) as Uint8Array);
  const theirs = createPublicKey({ key: Buffer.concat([x25519Prefix, point]), format: 'der', type: 'spki' });
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: theirs });
  const derive = (info: string) => new Uint8Array(hkdfSync('sha256', shared, '', info, 32));
  const requestKey = derive('');
  const wrapped = publicEncrypt({ key: target.rsaPublicKeyPem, oaepHash: 'sha256' }, requestKey);
  const ownPoint = own.publicKey.export({ format: 'der', type: 'spki' }).subarray(x25519Prefix.length);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', requestKey, iv).setAAD(Buffer.from(path));
  const frame = Buffer.concat([
    iv,
    cipher.update(Buffer.from(text as string)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return {
    headers: {
      secretKey: wrapped.toString('base64url'),
      x25519PubKey: ownPoint.toString('base64url'),
      kid: target.kid,
    },
    body: frame.toString('base64url'),
    answerKey: derive('symbolon sealed answer v1'),
  };
}

/** Throws when the text was not sealed with this key for this path. */
export function openSealed(text: string, path: string, key: Uint8Array): string {
  const frame = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, frame.subarray(0, ivBytes))
    .setAAD(Buffer.from(path))
    .setAuthTag(frame.subarray(-tagBytes));
  const clear = [decipher.update(frame.subarray(ivBytes, -tagBytes)), decipher.final()];
  return Buffer.concat(clear).toString();
}

interface SealedPosting {
  readonly text: string;
  readonly headers: Record<string, string>;
  readonly target: SealTarget;
}

async function postSealed(
  url: string,
  path: string,
  { text, headers, target }: SealedPosting,
): Promise<ServiceAnswer> {
  const sealed = seal(text, path, target);
  const sent = { method: 'POST', body: sealed.body, headers: { ...headers, ...sealed.headers } };
  const answer = await send(`${url}${path}`, sent);
  const isSealed = answer.headers['content-type']?.startsWith('text/plain') === true;
  if (!isSealed) return opened(answer);
  const body = parseJson(openSealed(answer.text, path, sealed.answerKey)) as JsonObject;
  return { ...answer, body, isSealed };
}
