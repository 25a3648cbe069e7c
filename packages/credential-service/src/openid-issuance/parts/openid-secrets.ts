/**
 * The secrets of this plane, all made of one key of the vault: whoever reads the database finds only hashes, and cannot
 * make one of the secrets from what else is there. Codes and tokens follow from random names, so that the same request
 * again gets the same one without any being kept.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { equalTexts } from '@symbolon/core/basics/bytes';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import { createMarkKey, type MarkKeyParts } from '../../vault/mark-key.ts';

/** By which a wallet's link names an offer. */
export const makeReference = (): string => randomBytes(limits.secretBytes).toString('base64url');
export const makeStandardsOfferId = (): string => `vci_${randomBytes(limits.idBytes).toString('hex')}`;
export const makeSecretId = (): string => randomBytes(limits.secretBytes).toString('base64url');

/** Enough random bits, so that a plain hash can be kept. */
export const secretHash = (secret: string): string => sha256Hex(secret);

export interface OpenidSecrets {
  /** The pre-authorized code of the offer that a link names so. */
  code(reference: string): Promise<string>;
  txCodeMark(offerId: string, txCode: string): Promise<string>;
  accessToken(grantId: string): Promise<string>;
  /** One that is good for a while, for any wallet that asks this issuer. */
  nonce(issuer: string, nowMs: number): Promise<string>;
  /** Says of a nonce whether it is one of this issuer and young. */
  nonceJudge(issuer: string, nowMs: number): Promise<(nonce: string) => boolean>;
}

const nonceRandomBytes = 12;
const timeBytes = 6;
const macBytes = 16;

export function createOpenidSecrets(parts: MarkKeyParts): OpenidSecrets {
  const key = createMarkKey(parts, 'openid.issuanceKey');
  const mac = (secret: Uint8Array, texts: readonly string[]): Buffer =>
    createHmac('sha256', secret).update(JSON.stringify(texts)).digest();
  const marked = async (...texts: readonly string[]): Promise<Buffer> => mac(await key(), texts);
  const nonceMac = (secret: Uint8Array, issuer: string, head: Buffer): string =>
    mac(secret, ['nonce', issuer, head.toString('base64url')])
      .subarray(0, macBytes)
      .toString('base64url');
  return {
    code: async (reference) => (await marked('code', reference)).toString('base64url'),
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
