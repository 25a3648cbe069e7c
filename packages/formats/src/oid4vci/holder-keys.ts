/**
 * Keys behind identifiers that are keys themselves: `did:jwk`, `did:key` of Ed25519 and P-256, and the ledger's own DIDs.
 * Nothing is fetched: a wallet that names a key by an address elsewhere is refused.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, parseExactBase64Url, parseHex } from '@symbolon/core/basics/bytes';
import { parseMultikey } from '@symbolon/core/did/did';
import { publicJwk } from '@symbolon/core/did/public-jwk';
import { readPublicJwk, type SigningJwk } from '../jose/public-keys.ts';
import { parseSignedObject, parseUtf8 } from '../jose/strict-json.ts';
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
): SigningJwk | undefined {
  if (method === 'jwk') return fragment === '0' ? keyOfJwkText(identifier) : undefined;
  if (method === 'key') return fragment === identifier ? keyOfMultikey(identifier) : undefined;
  if (method !== didMethod || fragment !== 'controllerKey') return undefined;
  const bytes = /^[0-9a-f]{64}$/.test(identifier) ? parseHex(identifier) : undefined;
  return bytes && { crv: 'Ed25519', kty: 'OKP', x: encodeBase64Url(bytes) };
}

function keyOfJwkText(text: string): SigningJwk | undefined {
  const bytes = parseExactBase64Url(text);
  const read = bytes && parseUtf8(bytes);
  const key = readPublicJwk(read === undefined ? undefined : parseSignedObject(read));
  return isComplaint(key) ? undefined : key;
}

/** Only keys that sign: what is for agreement, or of BBS, proves nothing here. */
function keyOfMultikey(text: string): SigningJwk | undefined {
  const parsed = parseMultikey(text);
  const key = readPublicJwk(parsed && publicJwk(parsed.keyType, parsed.publicKey));
  return isComplaint(key) ? undefined : key;
}
