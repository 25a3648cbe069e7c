/**
 * How API keys are made and their secrets compared. Only a hash of the secret is ever stored; 256 random bits need no
 * slow hash.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { sha256Hex } from '@symbolon/host/work/sha256';

export const makeApiKeyId = (): string => base32nopad.encode(randomBytes(5)).toLowerCase();
export const makeApiKeySecret = (): string => randomBytes(32).toString('base64url');

/** Of no secret that anybody has: what an unknown id is compared with, so that it takes as long as a known one. */
const hashOfNothing = sha256Hex(randomBytes(32));

export function isSecretOf(secret: string, storedHash: string | undefined): boolean {
  const given = Buffer.from(sha256Hex(secret), 'hex');
  const stored = Buffer.from(storedHash ?? hashOfNothing, 'hex');
  const isEqual = given.length === stored.length && timingSafeEqual(given, stored);
  return isEqual && storedHash !== undefined;
}
