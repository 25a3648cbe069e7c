/** Signatures of tokens by Node's own cryptography, several times faster than through Web Crypto; keys are kept imported. */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import type { JwsSigner, VerifyJws } from '@symbolon/formats/jose/compact-jws';
import type { SignatureAlgorithm, SigningJwk } from '@symbolon/formats/jose/public-keys';
import { importedKeysMax } from '../limits/service-limits.ts';

/** JWS wants r and s one behind the other, not as DER. */
const dsaEncoding = 'ieee-p1363';

export function createNodeVerifier(keysMax: number = importedKeysMax): VerifyJws {
  const imported = new RecentMap<string, KeyObject>(keysMax);
  const importKey = (key: SigningJwk): KeyObject | undefined => {
    const name = `${key.crv} ${key.x} ${key.kty === 'EC' ? key.y : ''}`;
    const known = imported.get(name);
    if (known) return known;
    // A point that is not on the curve is refused here.
    const made = decodeOrNothing(() => createPublicKey({ key: { ...key }, format: 'jwk' }));
    if (made) imported.set(name, made);
    return made;
  };
  return ({ alg, key, data, signature }) => {
    const known = importKey(key);
    if (!known) return false;
    return alg === 'ES256'
      ? verify('sha256', data, { key: known, dsaEncoding }, signature)
      : verify(null, data, known, signature);
  };
}

export const nodeSigner = (
  alg: SignatureAlgorithm,
  key: KeyObject,
  header?: JwsSigner['header'],
): JwsSigner => ({
  alg,
  ...(header && { header }),
  sign: (data) => (alg === 'ES256' ? sign('sha256', data, { key, dsaEncoding }) : sign(null, data, key)),
});
