/**
 * What an API key looks like: `sym_`, 8 characters of base32 that name it, `_`, 43 characters of base64url that prove
 * it. Only a hash of the secret is ever stored; 256 random bits need no slow hash. Anything else is no key, and that is
 * decided without asking the database.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { sha256Hex } from '@symbolon/host/work/sha256';

export interface ApiKeyToken {
  readonly id: string;
  readonly secret: string;
}

const form = /^sym_([a-z2-7]{8})_([A-Za-z0-9_-]{43})$/;

export const makeApiKeyId = (): string => base32nopad.encode(randomBytes(5)).toLowerCase();
export const makeApiKeySecret = (): string => randomBytes(32).toString('base64url');
export const formatApiKey = ({ id, secret }: ApiKeyToken): string => `sym_${id}_${secret}`;

export function parseApiKey(token: string): ApiKeyToken | undefined {
  const [, id, secret] = form.exec(token) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

/** Of no secret that anybody has: what an unknown id is compared with, so that it takes as long as a known one. */
const hashOfNothing = sha256Hex(randomBytes(32));

export function isSecretOf(secret: string, storedHash: string | undefined): boolean {
  const given = Buffer.from(sha256Hex(secret), 'hex');
  const stored = Buffer.from(storedHash ?? hashOfNothing, 'hex');
  const isEqual = given.length === stored.length && timingSafeEqual(given, stored);
  return isEqual && storedHash !== undefined;
}
