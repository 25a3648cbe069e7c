/**
 * The secrets of this plane, all made of one key of the vault: whoever reads the database finds only hashes, and cannot
 * make one of the secrets from what else is there. Codes and tokens follow from random names, so that the same request
 * again gets the same one without any being kept.
 */
import { createECDH, createHmac, createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import { equalTexts } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import { createMarkKey, type MarkKeyParts } from '../../vault/mark-key.ts';

/** By which a wallet's link names an offer. */
export const makeReference = (): string => randomBytes(limits.secretBytes).toString('base64url');
export const makeStandardsOfferId = (): string => `vci_${randomBytes(limits.idBytes).toString('hex')}`;
export const makeSecretId = (): string => randomBytes(limits.secretBytes).toString('base64url');

/** Enough random bits, so that a plain hash can be kept. */
export const secretHash = (secret: string): string => sha256Hex(secret);

/** Of P-256, for ECDH-ES. */
export interface RequestKey {
  readonly kid: string;
  readonly publicKey: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };
  readonly key: KeyObject;
}

export interface OpenidSecrets {
  /** The pre-authorized code of the offer that a link names so. */
  code(reference: string): Promise<string>;
  /** By which an offer is named in an authorization request. */
  issuerState(reference: string): Promise<string>;
  txCodeMark(offerId: string, txCode: string): Promise<string>;
  accessToken(grantId: string): Promise<string>;
  /** By which wallets encrypt what they ask of this issuer; the same as long as the key of the vault is. */
  requestKey(issuer: string): Promise<RequestKey>;
  /** One that is good for a while, for any wallet that asks this issuer. */
  nonce(issuer: string, nowMs: number): Promise<string>;
  /** Says of a nonce whether it is one of this issuer and young. */
  nonceJudge(issuer: string, nowMs: number): Promise<(nonce: string) => boolean>;
}

const nonceRandomBytes = 12;
const timeBytes = 6;
const macBytes = 16;
const kidDigits = 32;

export function createOpenidSecrets(parts: MarkKeyParts): OpenidSecrets {
  const key = createMarkKey(parts, 'openid.issuanceKey');
  const mac = (secret: Uint8Array, texts: readonly string[]): Buffer =>
    createHmac('sha256', secret).update(JSON.stringify(texts)).digest();
  const marked = async (...texts: readonly string[]): Promise<Buffer> => mac(await key(), texts);
  const nonceMac = (secret: Uint8Array, issuer: string, head: Buffer): string =>
    mac(secret, ['nonce', issuer, head.toString('base64url')])
      .subarray(0, macBytes)
      .toString('base64url');
  const requestKeys = new RecentMap<string, Promise<RequestKey>>(limits.requestKeysMax);
  const makeRequestKey = async (issuer: string): Promise<RequestKey> => {
    const secret = await key();
    for (let attempt = 0; ; attempt += 1) {
      // One number in four thousand million is none of the curve.
      const made = requestKeyOf(mac(secret, ['requestKey', issuer, String(attempt)]));
      if (made) return made;
    }
  };
  return {
    requestKey(issuer) {
      const known = requestKeys.get(issuer) ?? makeRequestKey(issuer);
      requestKeys.set(issuer, known);
      return known;
    },
    code: async (reference) => (await marked('code', reference)).toString('base64url'),
    issuerState: async (reference) => (await marked('issuerState', reference)).toString('base64url'),
    txCodeMark: async (offerId, txCode) => (await marked('txCode', offerId, txCode)).toString('hex'),
    accessToken: async (grantId) => (await marked('token', grantId)).toString('base64url'),
    async nonce(issuer, nowMs) {
      const head = Buffer.alloc(timeBytes + nonceRandomBytes);
      head.writeUIntBE(nowMs, 0, timeBytes);
      randomBytes(nonceRandomBytes).copy(head, timeBytes);
      return `${head.toString('base64url')}.${nonceMac(await key(), issuer, head)}`;
    },
    async nonceJudge(issuer, nowMs) {
      const secret = await key();
      return (nonce) => {
        const [text, given = ''] = nonce.split('.', 2);
        const head = Buffer.from(text, 'base64url');
        if (
          head.length !== timeBytes + nonceRandomBytes ||
          `${head.toString('base64url')}.${given}` !== nonce
        )
          return false;
        if (!equalTexts(given, nonceMac(secret, issuer, head))) return false;
        const age = nowMs - head.readUIntBE(0, timeBytes);
        return age >= 0 && age <= limits.nonceSeconds * 1_000;
      };
    },
  };
}

/** Undefined where the bytes are no scalar of the curve. */
function requestKeyOf(scalar: Buffer): RequestKey | undefined {
  const pair = createECDH('prime256v1');
  const isScalar = decodeOrNothing(() => {
    pair.setPrivateKey(scalar);
    return true;
  });
  if (!isScalar) return undefined;
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = { kty: 'EC', crv: 'P-256', x, y } as const;
  const jwk = { ...publicKey, d: scalar.toString('base64url') };
  return {
    kid: sha256Hex(point).slice(0, kidDigits),
    publicKey,
    key: createPrivateKey({ key: jwk, format: 'jwk' }),
  };
}
