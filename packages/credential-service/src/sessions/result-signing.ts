/**
 * Signatures over results, so that a relying service knows who says them: an HMAC with the secret it shares with this
 * service, where it has one, and a detached JWS (RFC 7797) by the service's own Ed25519 key, whose public half
 * everybody can fetch. Both cover the time and the very text that is sent.
 */
import { createHmac, type KeyObject, sign } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { encodeBase64Url, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { remembered } from '@symbolon/host/work/remembered';
import { sha256 } from '@symbolon/host/work/sha256';
import { type ResultSignatures, signedPayload } from '@symbolon/wire/sessions/replies';
import { settingOnce } from '../database/settings.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { ed25519PrivateKey, makeEd25519 } from '../vault/service-keys.ts';
import { findCallbackSecret } from './session-rows.ts';

const settingName = 'results.signingKey';
const keyContext = contexts.setting(settingName);

export interface ResultSigner {
  /** Public keys, as RFC 7517 writes them. */
  publicKeys(): Promise<{ keys: PublicJwk[] }>;
  /**
   * Signs a text for whoever has this API key. A verdict is signed as of when it was made, however late it is read: with
   * a newer time it would seem to be about now.
   */
  sign(text: string, keyId: string, atMs?: number): Promise<ResultSignatures>;
}

export type PublicJwk = {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  use: 'sig';
  alg: 'EdDSA';
};

type ResultSignerParts = Pick<ServiceParts, 'database' | 'vault' | 'clock'>;

interface SigningKey {
  readonly key: KeyObject;
  readonly jwk: PublicJwk;
}

export function createResultSigner(parts: ResultSignerParts): ResultSigner {
  const { database, vault, clock } = parts;
  const signingKey = remembered(() => openKey(parts));
  return {
    publicKeys: async () => ({ keys: [(await signingKey()).jwk] }),
    async sign(text, keyId, atMs = clock.nowMs()) {
      const timestamp = instantTextOfUnixMs(atMs);
      const payload = signedPayload(timestamp, text);
      const row = await findCallbackSecret(database.kysely, keyId);
      const secret = row && (await vault.decryptText(row.secret, contexts.callbackSecret(keyId)));
      return {
        timestamp,
        shared: secret && createHmac('sha256', secret).update(payload).digest('base64'),
        own: detachedSignature(await signingKey(), payload),
      };
    },
  };
}

/** Made when it is first needed; of two replicas that make one, both use the one that was stored. */
async function openKey({ database, vault, clock }: ResultSignerParts): Promise<SigningKey> {
  const { secret } = await settingOnce(database.kysely, {
    name: settingName,
    now: clock.nowMs(),
    make: async () => ({ secret: await vault.encryptText(await makeKey(), keyContext) }),
  });
  assert(secret, 'a signing key that was stored is there');
  const [d, x] = JSON.parse(await vault.decryptText(secret, keyContext)) as [string, string];
  const key = ed25519PrivateKey(Buffer.from(d, 'base64url'));
  return { key, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(x), use: 'sig', alg: 'EdDSA' } };
}

async function makeKey(): Promise<string> {
  const { seed, publicKey } = await makeEd25519();
  return JSON.stringify([seed, publicKey].map(encodeBase64Url));
}

/** RFC 7638. */
const thumbprint = (x: string): string =>
  encodeBase64Url(sha256(encodeUtf8(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))));

function detachedSignature({ key, jwk }: SigningKey, payload: string): string {
  const header = JSON.stringify({ alg: 'EdDSA', kid: jwk.kid, b64: false, crit: ['b64'] });
  const head = Buffer.from(header).toString('base64url');
  const signature = sign(null, Buffer.from(`${head}.${payload}`, 'utf8'), key);
  return `${head}..${signature.toString('base64url')}`;
}
