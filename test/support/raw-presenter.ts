/**
 * A wallet of the field that presents SD-JWT VCs, over HTTP alone and with the platform's own cryptography: reads a
 * verifier's request, shows chosen claims, signs and answers. Every step is a function, so that a test can spoil it.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { JsonObject } from '@symbolon/wire/json/json';
import { CompactEncrypt, importJWK } from 'jose';
import {
  getDocument,
  postForm,
  type Reach,
  seconds,
  signToken,
  type WalletAnswer,
  type WalletKey,
} from './raw-wallet.ts';

export interface ReadRequest {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

const part = (text: string): JsonObject =>
  JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as JsonObject;

export function readRequestObject(text: string): ReadRequest {
  const [header, claims] = text.split('.').slice(0, 2).map(part);
  return { header, claims };
}

/** The request that a link names, or is. */
export async function openRequest(link: string, reach: Reach = (address) => address): Promise<ReadRequest> {
  const parameters = Object.fromEntries(new URL(link).searchParams);
  if (parameters.request_uri === undefined) {
    const members = Object.entries(parameters).map(([name, value]) => [
      name,
      /^[{[]/.test(value) ? JSON.parse(value) : value,
    ]);
    return { header: {}, claims: Object.fromEntries(members) as JsonObject };
  }
  const { status, body, headers } = await getDocument(reach(parameters.request_uri));
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(headers['content-type'], 'application/oauth-authz-req+jwt');
  const request = readRequestObject(body.text as string);
  assert.equal(request.claims.client_id, parameters.client_id);
  return request;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

export interface ShowOrder {
  readonly claims: readonly string[];
  readonly request: JsonObject;
  readonly key: WalletKey;
  /** What is otherwise in the holder's token. */
  readonly header?: object;
  readonly payload?: object;
  /** The token and its disclosures, before the holder signs. */
  readonly spoil?: (presented: string) => string;
}

/** A credential with some of its claims, signed for a request. */
export function showCard(
  credential: string,
  { claims, request, key, header, payload, spoil }: ShowOrder,
): string {
  const [token, ...rest] = credential.split('~');
  const shown = rest.filter((one) => {
    if (one === '') return false;
    const [, name] = JSON.parse(Buffer.from(one, 'base64url').toString()) as [string, string];
    return claims.includes(name);
  });
  const given = `${[token, ...shown].join('~')}~`;
  const presented = spoil?.(given) ?? given;
  const asked = (request.transaction_data as string[] | undefined)?.map(hash);
  const bound = {
    iat: seconds(),
    aud: request.client_id,
    nonce: request.nonce,
    sd_hash: hash(presented),
    ...(asked && { transaction_data_hashes: asked, transaction_data_hashes_alg: 'sha-256' }),
    ...payload,
  };
  return `${presented}${signToken({ typ: 'kb+jwt', ...header }, bound, key.key)}`;
}

/** As the request asks for it: in clear, or for the key that it names. */
export async function answerWith(
  { claims }: Pick<ReadRequest, 'claims'>,
  token: object,
  { reach = (address: string) => address, state = claims.state }: { reach?: Reach; state?: unknown } = {},
): Promise<WalletAnswer> {
  const uri = reach(claims.response_uri as string);
  if (claims.response_mode === 'direct_post')
    return postForm(uri, { vp_token: JSON.stringify(token), state: String(state) });
  return postForm(uri, { response: await encryptFor(claims, { vp_token: token, state }) });
}

export async function encryptFor(claims: JsonObject, payload: object): Promise<string> {
  const { jwks } = claims.client_metadata as { jwks: { keys: [JsonObject & { kid: string }] } };
  const [{ kid, use: _use, alg, ...bare }] = jwks.keys;
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: alg as string, enc: 'A256GCM', kid })
    .encrypt(await importJWK(bare, alg as string));
}
