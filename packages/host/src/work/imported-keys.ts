/** Ed25519 public keys in the form that `node:crypto` verifies with, kept: importing costs as much as verifying. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { RecentMap } from '@symbolon/core/basics/recent-map';

/** Any 32 bytes can be imported; whether they are a point is asked when verifying. */
export function createKeyImporter(keysMax: number): (publicKey: Uint8Array) => KeyObject {
  const imported = new RecentMap<string, KeyObject>(keysMax);
  return (publicKey) => {
    const x = Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.length).toString('base64url');
    const known = imported.get(x);
    if (known) return known;
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    imported.set(x, key);
    return key;
  };
}
