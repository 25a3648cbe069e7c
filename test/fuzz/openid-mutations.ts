/**
 * Requests of OpenID4VCI, OpenID4VP and the VC-API, spoiled where their readers look: in JSON, in forms, in JSON inside of
 * forms, inside of tokens that are signed again, and inside of what is encrypted for the service.
 */
import { randomUUID } from 'node:crypto';
import { type JsonValue, parseJson } from '@symbolon/wire/json/json';
import { CompactEncrypt, importJWK } from 'jose';
import type { Random } from '../crash/seeded-random.ts';
import { dpopProof, signToken } from '../support/raw-wallet.ts';
import { spoilBytes, spoilJson } from './json-mutations.ts';
import { fuzzHolder, type OpenidRequest, type SealedFor } from './openid-corpus.ts';
import { oddParameters, spoilQuery, type WireRequest } from './request-mutations.ts';

const tokenShape = /eyJ[\w-]+\.[\w-]*\.[\w-]*/g;
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Header or claims spoiled, and signed again by the holder, so that what follows the signature is reached. */
function spoilToken(token: string, random: Random): string {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const open = (part: string): JsonValue => parseJson(Buffer.from(part, 'base64url').toString());
  const how = random.below(5);
  if (how === 0) return `${header}.${claims}.${signature.slice(0, -4)}AAAA`;
  if (how === 1) return Buffer.from(spoilBytes(Buffer.from(token), random)).toString('latin1');
  try {
    const spoiled = how < 4 ? spoilJson(open(claims), random) : Buffer.from(claims, 'base64url').toString();
    const head = how === 4 ? spoilJson(open(header), random) : Buffer.from(header, 'base64url').toString();
    const input = `${base64url(head)}.${base64url(spoiled)}`;
    return `${input}.${signToken({}, {}, fuzzHolder.key).split('.')[2]}`;
  } catch {
    return oddParameters[random.below(oddParameters.length)] as string;
  }
}

/** A text of a form, by what is in it. */
function spoilText(text: string, random: Random): string {
  const tokens = [...text.matchAll(tokenShape)];
  if (tokens.length > 0 && random.chance(0.5)) return spoilOneToken(text, random);
  return /^[{[]/.test(text) ? spoilJson(parseJson(text), random) : random.pick(oddParameters);
}

function spoilOneToken(text: string, random: Random): string {
  const found = [...text.matchAll(tokenShape)];
  const one = random.pick(found);
  if (!one) return text;
  const before = text.slice(0, one.index);
  return `${before}${spoilToken(one[0], random)}${text.slice(one.index + one[0].length)}`;
}

function spoiledJsonText(value: JsonValue, random: Random): string {
  const text = JSON.stringify(value);
  return random.chance(0.35) && tokenShape.test(text)
    ? spoilOneToken(text, random)
    : spoilJson(value, random);
}

async function sealed(text: string, { jwk }: SealedFor, random: Random): Promise<string> {
  const enc = random.pick(['A128GCM', 'A256GCM', 'A256GCM', 'A128CBC-HS256']);
  const jwe = await new CompactEncrypt(Buffer.from(text))
    .setProtectedHeader({ alg: 'ECDH-ES', enc, kid: jwk.kid as string })
    .encrypt(await importJWK(jwk, 'ECDH-ES'));
  return random.chance(0.2) ? Buffer.from(spoilBytes(Buffer.from(jwe), random)).toString('latin1') : jwe;
}

function formText(form: Readonly<Record<string, string>>, random: Random): string {
  if (random.chance(0.4)) return spoilQuery(form, random);
  const fields = new URLSearchParams(form);
  const name = random.pick(Object.keys(form));
  fields.set(name, spoilText(form[name] ?? '', random));
  return fields.toString();
}

interface SentBody {
  readonly type: string;
  readonly bytes: Uint8Array;
}

const formType = 'application/x-www-form-urlencoded';

async function bodyOf({ json, form, seal }: OpenidRequest, random: Random): Promise<SentBody | undefined> {
  if (seal && random.chance(0.3)) {
    const value = seal.value ?? (json as JsonValue);
    const jwe = await sealed(spoiledJsonText(value, random), seal, random);
    const isForm = seal.member !== undefined;
    const text = isForm ? new URLSearchParams({ [seal.member as string]: jwe }).toString() : jwe;
    return { type: isForm ? formType : 'application/jwt', bytes: Buffer.from(text, 'latin1') };
  }
  if (!json && !form) {
    const text = random.chance(0.7) ? undefined : random.pick(['{}', '[]', 'a=b', '{"a":1}', '\0', '']);
    return text === undefined ? undefined : { type: 'application/json', bytes: Buffer.from(text) };
  }
  const text = form ? formText(form, random) : spoiledJsonText(json as JsonValue, random);
  const bytes = Buffer.from(text);
  const isRough = random.chance(0.15);
  return { type: form ? formType : 'application/json', bytes: isRough ? spoilBytes(bytes, random) : bytes };
}

const oddTypes = [
  'application/json',
  formType,
  'application/jwt',
  'text/plain',
  'multipart/form-data',
  'x;=',
];

function headersOf({ headers }: OpenidRequest, url: string, random: Random): string[] {
  const given = { ...headers };
  if (random.chance(0.04))
    given.authorization = random.pick(['Bearer x', 'DPoP x', 'Basic eDp5', 'Bearer ', 'x']);
  if (random.chance(0.1)) {
    const proof = dpopProof(fuzzHolder, { url, claims: { jti: randomUUID() } });
    given.dpop = random.chance(0.3) ? proof : spoilToken(proof, random);
  }
  if (given.cookie && random.chance(0.3))
    given.cookie = Buffer.from(spoilBytes(Buffer.from(given.cookie), random)).toString('latin1');
  return Object.entries(given).map(
    ([name, value]) => `${name}: ${value.replaceAll(/[^ -~\u0080-\u00ff]/g, '')}`,
  );
}

function pathOf(path: string, random: Random): string {
  if (random.chance(0.93)) return path;
  const segments = path.split('/');
  segments[1 + random.below(segments.length - 1)] = random.pick(oddParameters).replaceAll(/[\s#?]/g, '');
  return segments.join('/');
}

/** As it is, without anything wrong. */
export function goodOpenidRequest(good: OpenidRequest): WireRequest {
  const query = new URLSearchParams(good.query).toString();
  const headers = Object.entries(good.headers).map(([name, value]) => `${name}: ${value}`);
  const text = good.form ? new URLSearchParams(good.form).toString() : good.json && JSON.stringify(good.json);
  const body =
    text === undefined
      ? undefined
      : { type: good.form ? formType : 'application/json', bytes: Buffer.from(text) };
  return wireRequest(good.method, query ? `${good.path}?${query}` : good.path, headers, body);
}

export async function spoiledOpenidRequest(
  good: OpenidRequest,
  origin: string,
  random: Random,
): Promise<WireRequest> {
  const isInQuery = random.chance(good.json || good.form ? 0.05 : 0.5);
  const query = isInQuery ? spoilQuery(good.query, random) : new URLSearchParams(good.query).toString();
  const path = pathOf(good.path, random);
  const method = random.chance(0.98)
    ? good.method
    : random.pick(['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']);
  const body = await bodyOf(good, random);
  const sent = body && random.chance(0.03) ? { ...body, type: random.pick(oddTypes) } : body;
  const headers = headersOf(good, `${origin}${good.path}`, random);
  return wireRequest(method, query === '' ? path : `${path}?${query}`, headers, sent);
}

function wireRequest(
  method: string,
  target: string,
  headers: readonly string[],
  body: SentBody | undefined,
): WireRequest {
  const lines = [`${method} ${target} HTTP/1.1`, 'host: 127.0.0.1', ...headers];
  if (body) lines.push(`content-type: ${body.type}`);
  lines.push(`content-length: ${body?.bytes.length ?? 0}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return { bytes: Buffer.concat([head, body?.bytes ?? new Uint8Array()]), hasBody: method !== 'HEAD' };
}
