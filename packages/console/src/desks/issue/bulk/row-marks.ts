/**
 * By which a row is known again without keeping what it says: a keyed hash of its meaning. Only the issuer's key can make
 * the key of the hash, so nobody who finds the marks can guess values and compare.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import type { Signer } from '@symbolon/sdk/keys/signer';
import type { FitRow } from './table-check.ts';

const markDigits = 32;

/** Other columns and another order of them change nothing; the line of a row does neither. */
export async function rowMarks(signer: Signer, templateId: string): Promise<(row: FitRow) => string> {
  const text = canonicalJson({ purpose: 'symbolon console bulk', templateId });
  const secret = sha256(await signer.sign(encodeUtf8(text)));
  return ({ holder = '', application = '', values }) => {
    const meaning = canonicalJson({ holder, application, values: { ...values } });
    return encodeHex(hmac(sha256, secret, encodeUtf8(meaning))).slice(0, markDigits);
  };
}
