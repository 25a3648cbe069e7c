/**
 * AES-256-GCM over the platform's own keys, which no script can read back. What a ciphertext is for is bound to it as
 * additional data: one that was moved to another place, or to another vault, does not open.
 */
import { canonicalJsonBytes } from '@symbolon/core/basics/jcs';
import type { JsonObject } from '@symbolon/wire/json/json';
import { VaultFailure, type VaultFailureName } from './vault-failure.ts';

export interface SealedBytes {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

export const secretBytes = 32;
const ivBytes = 12;
const algorithm = 'AES-GCM';

export const randomBytes = (count: number): Uint8Array<ArrayBuffer> =>
  crypto.getRandomValues(new Uint8Array(count));

const parameters = (iv: Uint8Array<ArrayBuffer>, purpose: JsonObject) => ({
  name: algorithm,
  iv,
  additionalData: Uint8Array.from(canonicalJsonBytes(purpose)),
  tagLength: 128,
});

export async function sealUnder(
  key: CryptoKey,
  purpose: JsonObject,
  plain: Uint8Array<ArrayBuffer>,
): Promise<SealedBytes> {
  const iv = randomBytes(ivBytes);
  const ciphertext = await crypto.subtle.encrypt(parameters(iv, purpose), key, plain);
  return { iv, ciphertext: new Uint8Array(ciphertext) };
}

/** Rejects as it is told: the platform says no more than that the tag does not fit. */
export async function openUnder(
  key: CryptoKey,
  { purpose, orElse }: { readonly purpose: JsonObject; readonly orElse: VaultFailureName },
  { iv, ciphertext }: SealedBytes,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parameters(iv, purpose), key, ciphertext));
  } catch (cause) {
    throw new VaultFailure(orElse, { cause });
  }
}

/** Takes the bytes and wipes them: whoever calls has no use for them any more. */
export async function sealingKeyFromBytes(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('raw', raw, algorithm, false, ['encrypt', 'decrypt']);
  } finally {
    raw.fill(0);
  }
}

const hkdf = (info: string) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: new Uint8Array(0),
  info: new TextEncoder().encode(info),
});

const hkdfInput = (secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);

/** A key for one purpose out of a uniform secret. */
export async function derivedSealingKey(secret: Uint8Array<ArrayBuffer>, info: string): Promise<CryptoKey> {
  const form = { name: algorithm, length: 256 };
  return crypto.subtle.deriveKey(hkdf(info), await hkdfInput(secret), form, false, ['encrypt', 'decrypt']);
}

/** The same for names of records, which are kept as marks under this key. */
export async function derivedMarkKey(secret: Uint8Array<ArrayBuffer>, info: string): Promise<CryptoKey> {
  const form = { name: 'HMAC', hash: 'SHA-256', length: 256 };
  return crypto.subtle.deriveKey(hkdf(info), await hkdfInput(secret), form, false, ['sign']);
}
