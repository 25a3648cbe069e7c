/**
 * Keys behind identifiers that are keys themselves: `did:jwk`, `did:key` of Ed25519 and P-256, and the ledger's own DIDs.
 * Nothing is fetched: a wallet that names a key by an address elsewhere is refused.
 */
import { p256PointOf } from '@symbolon/core/did/p256-key';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, parseBase58, parseExactBase64Url, parseHex } from '@symbolon/core/basics/bytes';
import { type PublicJwk, readPublicJwk } from '../jose/public-keys.ts';
import { parseStrictObject, parseUtf8 } from '../jose/strict-json.ts';
import { oid4vciLimits } from '../limits/oid4vci-limits.ts';
import type { ProvenKey } from './key-proofs.ts';

/** A DID URL of a key, or undefined for every other text. */
export function holderKeyOf(kid: string, didMethod: string): ProvenKey | undefined {
  const [did, fragment, ...more] = kid.split('#');
  if (fragment === undefined || more.length > 0) return undefined;
  const [scheme, method, identifier = '', ...rest] = did.split(':');
  if (scheme !== 'did' || rest.length > 0) return undefined;
  const key = keyOf(method, identifier, fragment, didMethod);
  return key && { key, did };
}

function keyOf(
  method: string | undefined,
  identifier: string,
  fragment: string,
  didMethod: string,
): PublicJwk | undefined {
  if (method === 'jwk') return fragment === '0' ? keyOfJwkText(identifier) : undefined;
  if (method === 'key') return fragment === identifier ? keyOfMultikey(identifier) : undefined;
  if (method !== didMethod || fragment !== 'controllerKey') return undefined;
  const bytes = /^[0-9a-f]{64}$/.test(identifier) ? parseHex(identifier) : undefined;
  return bytes && ed25519(bytes);
}

const ed25519 = (bytes: Uint8Array): PublicJwk => ({
  crv: 'Ed25519',
  kty: 'OKP',
  x: encodeBase64Url(bytes),
});

function keyOfJwkText(text: string): PublicJwk | undefined {
  const bytes = parseExactBase64Url(text);
  const read = bytes && parseUtf8(bytes);
  const key = readPublicJwk(read === undefined ? undefined : parseStrictObject(read));
  return isComplaint(key) ? undefined : key;
}

function keyOfMultikey(text: string): PublicJwk | undefined {
  if (!text.startsWith('z')) return undefined;
  const bytes = parseBase58(text.slice(1), oid4vciLimits.identifierCharsMax);
  if (!bytes) return undefined;
  const [first, second] = bytes;
  const raw = bytes.subarray(2);
  if (first === 0xed && second === 0x01 && raw.length === 32) return ed25519(raw);
  if (first !== 0x80 || second !== 0x24 || raw.length !== 33) return undefined;
  const point = p256PointOf(raw);
  return point && { crv: 'P-256', kty: 'EC', x: encodeBase64Url(point.x), y: encodeBase64Url(point.y) };
}
