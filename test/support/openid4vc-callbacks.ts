/**
 * What the public packages `@openid4vc/*` leave to whoever uses them: cryptography by `jose` and the platform, addresses
 * that lead here, and keys of issuers and verifiers found by certificate, by did:web or as they stand there.
 */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import {
  type CallbackContext,
  type ClientAuthenticationCallback,
  clientAuthenticationAnonymous,
  fetchJwks,
  type Jwk,
  type JwtSigner,
  type RequestDpopOptions,
} from '@openid4vc/oauth2';
import { CompactEncrypt, compactVerify, importJWK, type JWK } from 'jose';
import { type Reach, signToken, type WalletKey } from './raw-wallet.ts';

export interface ClientPartsOrder {
  readonly reach: Reach;
  /** Every key that signs for this client. */
  readonly keys: readonly WalletKey[];
  /** The root that certificates have to come from. */
  readonly root?: string;
  readonly clientAuthentication?: ClientAuthenticationCallback;
}

/** A key of the wallet as the packages name one. */
export const jwkSigner = ({ jwk }: WalletKey): RequestDpopOptions['signer'] => ({
  method: 'jwk',
  publicJwk: jwk as Jwk,
  alg: 'ES256',
});

export function openid4vcCallbacks({
  reach,
  keys,
  root,
  clientAuthentication = clientAuthenticationAnonymous(),
}: ClientPartsOrder): CallbackContext {
  const get = ((input: string | URL, init?: RequestInit) =>
    fetch(reach(String(input)), init)) as typeof fetch;
  return {
    fetch: get,
    clientAuthentication,
    hash: (data, alg) => new Uint8Array(createHash(alg.replace('-', '')).update(data).digest()),
    generateRandom: (length) => new Uint8Array(randomBytes(length)),
    signJwt(signer, { header, payload }) {
      assert.equal(signer.method, 'jwk');
      const found = keys.find(({ jwk }) => jwk.x === (signer as { publicJwk: Jwk }).publicJwk.x);
      assert.ok(found, 'the wallet has this key');
      return { jwt: signToken(header, payload, found.key), signerJwk: found.jwk as Jwk };
    },
    async verifyJwt(signer, { compact, payload }) {
      const key = await keyOf(signer, { get, root, issuer: payload.sub });
      const isGood = key && (await compactVerify(compact, key).catch(() => undefined));
      if (!isGood) return { verified: false };
      return { verified: true, signerJwk: key.export({ format: 'jwk' }) as Jwk };
    },
    async encryptJwe({ publicJwk, alg, enc }, data) {
      const jwe = await new CompactEncrypt(new TextEncoder().encode(data))
        .setProtectedHeader({ alg, enc, kid: publicJwk.kid as string })
        .encrypt(await importJWK(publicJwk as JWK, alg));
      return { encryptionJwk: publicJwk, jwe };
    },
    decryptJwe: () => ({ decrypted: false }),
    getX509CertificateMetadata(certificate) {
      const names = new X509Certificate(Buffer.from(certificate, 'base64')).subjectAltName ?? '';
      const sanDnsNames = names.split(', ').flatMap((name) => /^DNS:(.*)$/.exec(name)?.[1] ?? []);
      return { sanDnsNames, sanUriNames: [] };
    },
  };
}

interface KeySources {
  readonly get: typeof fetch;
  readonly root: string | undefined;
  /** Whose published keys count where a key has a mere name. */
  readonly issuer: string | undefined;
}

/** The key that a signature has to be of; undefined where nothing vouches for it. */
async function keyOf(signer: JwtSigner, { get, root, issuer }: KeySources): Promise<KeyObject | undefined> {
  if (signer.method === 'jwk') return createPublicKey({ key: signer.publicJwk as never, format: 'jwk' });
  if (signer.method === 'x5c') {
    const [leaf] = signer.x5c.map((one) => new X509Certificate(Buffer.from(one, 'base64')));
    return root && leaf?.verify(new X509Certificate(root).publicKey) ? leaf.publicKey : undefined;
  }
  if (signer.method === 'custom') {
    const { keys } = await fetchJwks(`${issuer}/jwks`, get);
    const named = keys.find(({ kid }) => kid === signer.kid);
    return named && createPublicKey({ key: named as never, format: 'jwk' });
  }
  if (signer.method !== 'did') return undefined;
  const [did = ''] = signer.didUrl.split('#');
  const [, method, host = '', ...path] = did.split(':');
  assert.equal(method, 'web', did);
  const answer = await get(`https://${decodeURIComponent(host)}/${path.join('/')}/did.json`);
  const document = (await answer.json()) as { verificationMethod: { id: string; publicKeyJwk?: Jwk }[] };
  const found = document.verificationMethod.find(({ id }) => id === signer.didUrl)?.publicKeyJwk;
  return found && createPublicKey({ key: found as never, format: 'jwk' });
}
