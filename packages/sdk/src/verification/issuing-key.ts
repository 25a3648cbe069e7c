/**
 * Which BBS+ key an issuer signs credentials with: the newest that it has put on the ledger, by the word of the ledger
 * alone. A service that says another one is not believed.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { resolveSubject } from '@symbolon/core/did/did-document';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import type { JsonObject } from '@symbolon/wire/json/json';
import { readSubject } from '../ledger/published-keys.ts';
import type { LedgerSource } from '../ledger/registries.ts';
import { issuerKeysOf } from './issuer-key-times.ts';

/** Undefined where the issuer's document shows no key for assertions. */
export async function readIssuingKey(
  { ledger, pins }: Pick<LedgerSource, 'ledger' | 'pins'>,
  issuer: string,
  nowMs: number,
): Promise<string | undefined> {
  const profile = zetrixProfile;
  const subject = await readSubject({ ledger, pins, profile }, issuer);
  const keys = createKeyFormat(profile, sha256);
  const resolved = subject && resolveSubject(subject, { nowSeconds: Math.floor(nowMs / 1_000) }, keys);
  const document = (resolved?.document ?? {}) as unknown as JsonObject;
  return issuerKeysOf(document).at(-1)?.publicKeyMultibase;
}
