/**
 * A wallet of the field over HTTP alone, with the platform's own cryptography: what service and wallet would agree on by
 * sharing code does not show here. Every step is a function, so that a test can spoil it.
 */
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { JsonObject } from '@symbolon/wire/json/json';
import { send } from './http.ts';

const encode = (value: object | Uint8Array): string =>
  Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString('base64url');

export interface WalletKey {
  readonly key: KeyObject;
  readonly jwk: JsonObject;
}

export function makeWalletKey(): WalletKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { key: privateKey, jwk: publicKey.export({ format: 'jwk' }) as JsonObject };
}

/** A token signed with ES256. */
export function signToken(header: object, payload: object, key: KeyObject): string {
  const input = `${encode({ alg: 'ES256', ...header })}.${encode(payload)}`;
  return `${input}.${encode(sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }))}`;
}

export const seconds = (): number => Math.floor(Date.now() / 1_000);

export interface ProofOrder {
  readonly audience: string;
  readonly nonce: string | undefined;
  readonly header?: object;
  readonly claims?: object;
}

export const keyProof = ({ key, jwk }: WalletKey, { audience, nonce, header, claims }: ProofOrder): string =>
  signToken(
    { typ: 'openid4vci-proof+jwt', jwk, ...header },
    { aud: audience, iat: seconds(), ...(nonce !== undefined && { nonce }), ...claims },
    key,
  );

export interface DpopOrder {
  readonly method?: string;
  readonly url: string;
  readonly token?: string;
  readonly claims?: object;
}

export const dpopProof = (
  { key, jwk }: WalletKey,
  { method = 'POST', url, token, claims }: DpopOrder,
): string =>
  signToken(
    { typ: 'dpop+jwt', jwk },
    {
      ...{ htm: method, htu: url, iat: seconds(), jti: randomUUID() },
      ...(token !== undefined && { ath: encode(createHash('sha256').update(token).digest()) }),
      ...claims,
    },
    key,
  );

export interface WalletAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: JsonObject;
}

async function answered(sent: ReturnType<typeof send>): Promise<WalletAnswer> {
  const { status, headers, text } = await sent;
  const isJson = text !== '' && (headers['content-type'] ?? '').includes('json');
  return { status, headers: headers as never, body: isJson ? (JSON.parse(text) as JsonObject) : { text } };
}

export const getDocument = (url: string, headers: Record<string, string> = {}): Promise<WalletAnswer> =>
  answered(send(url, { headers }));

export const postJson = (
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<WalletAnswer> =>
  answered(
    send(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    }),
  );

export const postForm = (
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<WalletAnswer> =>
  answered(
    send(url, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    }),
  );

/** The address that a link names the offer by. */
export const offerUriOf = (link: string): string =>
  new URL(link).searchParams.get('credential_offer_uri') as string;

const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

export interface ReadOffer {
  readonly issuer: string;
  readonly configurations: readonly string[];
  readonly code: string;
  readonly txCode: JsonObject | undefined;
}

/** From the address that something is named by to the one where it is. */
export type Reach = (address: string) => string;
const asNamed: Reach = (address) => address;

export async function readOffer(link: string, reach = asNamed): Promise<ReadOffer> {
  const { status, body } = await getDocument(reach(offerUriOf(link)));
  assert.equal(status, 200, JSON.stringify(body));
  const grant = (body.grants as JsonObject)[preAuthorized] as JsonObject;
  return {
    issuer: body.credential_issuer as string,
    configurations: body.credential_configuration_ids as string[],
    code: grant['pre-authorized_code'] as string,
    txCode: grant.tx_code as JsonObject | undefined,
  };
}

/** One who has an offer, and goes on from there. */
export function walletFor(
  offer: ReadOffer,
  { dpop = makeWalletKey(), reach = asNamed }: { readonly dpop?: WalletKey; readonly reach?: Reach } = {},
) {
  const { issuer } = offer;
  const at = (endpoint: string): string => `${issuer}/${endpoint}`;
  const to = (endpoint: string): string => reach(at(endpoint));
  const wallet = {
    offer,
    dpop,
    at,
    askToken: (txCode: string | undefined, more: Readonly<Record<string, string>> = {}) =>
      postForm(
        to('token'),
        {
          grant_type: preAuthorized,
          'pre-authorized_code': offer.code,
          ...(txCode !== undefined && { tx_code: txCode }),
          ...more,
        },
        { dpop: dpopProof(dpop, { url: at('token') }) },
      ),
    async token(txCode?: string): Promise<string> {
      const { status, body } = await wallet.askToken(txCode);
      assert.equal(status, 200, JSON.stringify(body));
      return body.access_token as string;
    },
    async nonce(): Promise<string> {
      const { status, body } = await postJson(to('nonce'), {});
      assert.equal(status, 200, JSON.stringify(body));
      return body.c_nonce as string;
    },
    shown: (token: string, endpoint: string): Record<string, string> => ({
      authorization: `DPoP ${token}`,
      dpop: dpopProof(dpop, { url: at(endpoint), token }),
    }),
    /** Keys proved as the standard has it. */
    async proofs(keys: readonly WalletKey[], changes: Partial<ProofOrder> = {}): Promise<readonly string[]> {
      const nonce = await wallet.nonce();
      return keys.map((key) => keyProof(key, { audience: issuer, nonce, ...changes }));
    },
    ask: (token: string, proofs: readonly string[], more: object = {}) =>
      postJson(
        to('credential'),
        { credential_configuration_id: offer.configurations[0], proofs: { jwt: proofs }, ...more },
        wallet.shown(token, 'credential'),
      ),
    askLater: (token: string, transactionId: unknown) =>
      postJson(to('deferred'), { transaction_id: transactionId }, wallet.shown(token, 'deferred')),
    notify: (token: string, id: unknown, event = 'credential_accepted') =>
      postJson(to('notification'), { notification_id: id, event }, wallet.shown(token, 'notification')),
  };
  return wallet;
}
