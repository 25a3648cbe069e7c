/**
 * Signatures by the cryptography that every browser and Node bring along (Web Crypto), its keys read and made by `jose`.
 * Where many are made and checked, a service gives functions of its own instead.
 */
import { exportJWK, generateKeyPair, importJWK } from 'jose';
import type { JwsSigner, VerifyJws } from './compact-jws.ts';
import type { SignatureAlgorithm, SigningJwk } from './public-keys.ts';

/** A key that can be kept, by whoever seals it. */
export type SecretSigningJwk = SigningJwk & { readonly d: string };

const parametersOf = (alg: SignatureAlgorithm) =>
  alg === 'ES256' ? { name: 'ECDSA', hash: 'SHA-256' } : { name: 'Ed25519' };

/** Web Crypto wants bytes of their own memory. */
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);

export const webVerifySignature: VerifyJws = async ({ alg, key, data, signature }) => {
  // A point that is not on the curve is refused here.
  const imported = await importJWK({ ...key }, alg).catch(() => undefined);
  if (!imported || imported instanceof Uint8Array) return false;
  return crypto.subtle.verify(parametersOf(alg), imported, own(signature), own(data));
};

/** A key made here, which cannot be taken out again. */
export async function makeWebSigner(
  alg: SignatureAlgorithm,
): Promise<{ readonly signer: JwsSigner; readonly publicKey: SigningJwk }> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: false });
  const { x = '', y = '' } = await exportJWK(publicKey);
  const sign = async (data: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign(parametersOf(alg), privateKey, own(data)));
  return {
    signer: { alg, sign },
    publicKey: alg === 'ES256' ? { crv: 'P-256', kty: 'EC', x, y } : { crv: 'Ed25519', kty: 'OKP', x },
  };
}

/** A key of P-256 that can be kept. */
export async function makeSecretKey(): Promise<SecretSigningJwk> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const { x = '', y = '', d = '' } = await exportJWK(privateKey);
  return { crv: 'P-256', kty: 'EC', x, y, d };
}

/** The half of a kept key that everybody may see. */
export const publicHalf = (key: SecretSigningJwk): SigningJwk =>
  key.kty === 'EC'
    ? { crv: key.crv, kty: key.kty, x: key.x, y: key.y }
    : { crv: key.crv, kty: key.kty, x: key.x };

/** Whoever signs with a kept key. Rejects for what is no key. */
export async function signerOfSecretKey(
  key: SecretSigningJwk,
  header?: JwsSigner['header'],
): Promise<JwsSigner> {
  const alg = key.kty === 'EC' ? 'ES256' : 'EdDSA';
  const imported = await importJWK({ ...key }, alg);
  if (imported instanceof Uint8Array) throw new TypeError('the key is none of a pair');
  const sign = async (data: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign(parametersOf(alg), imported, own(data)));
  return { alg, sign, ...(header && { header }) };
}
