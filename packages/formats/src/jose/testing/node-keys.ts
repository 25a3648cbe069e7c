/** Keys of tests, and their signatures by Node: another implementation than the one that browsers have. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import type { JwsSigner, VerifyJws } from '../compact-jws.ts';
import { readPublicJwk, type SignatureAlgorithm, type SigningJwk } from '../public-keys.ts';

export interface TestKey {
  readonly publicKey: SigningJwk;
  readonly privateKey: KeyObject;
  readonly signer: JwsSigner;
}

export function makeKey(alg: SignatureAlgorithm = 'ES256', header?: JwsSigner['header']): TestKey {
  const pair =
    alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const { privateKey } = pair;
  const publicKey = readPublicJwk(pair.publicKey.export({ format: 'jwk' })) as SigningJwk;
  const key = alg === 'ES256' ? { key: privateKey, dsaEncoding: 'ieee-p1363' as const } : privateKey;
  const hash = alg === 'ES256' ? 'sha256' : null;
  return {
    publicKey,
    privateKey,
    signer: { alg, ...(header && { header }), sign: (data) => sign(hash, data, key) },
  };
}

export const nodeVerifySignature: VerifyJws = ({ alg, key, data, signature }) => {
  // A point that is not on the curve is refused here.
  const imported = decodeOrNothing(() => createPublicKey({ key: { ...key }, format: 'jwk' }));
  if (!imported) return false;
  return alg === 'ES256'
    ? verify('sha256', data, { key: imported, dsaEncoding: 'ieee-p1363' }, signature)
    : verify(null, data, imported, signature);
};
