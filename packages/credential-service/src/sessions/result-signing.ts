/**
 * Signatures over results, so that a relying service knows who says them: an HMAC with the secret it shares with this
 * service, where it has one, and a detached JWS (RFC 7797) by the service's own Ed25519 key, whose public half everybody
 * can fetch. Both cover the time and the very text that is sent.
 */
import { createHash, createHmac, createPrivateKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { assert } from '@symbolon/core/basics/assert';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { type ResultSignatures, signedPayload } from '@symbolon/wire/sessions/replies';
import { settingOnce } from '../database/settings.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { places } from '../vault/places.ts';
import type { SealContext } from '../vault/vault.ts';
import { findCallbackSecret } from './session-rows.ts';

const generate = promisify(generateKeyPair);

const settingName = 'results.signingKey';
const keyPlace: SealContext = { table: 'settings', row: settingName, purpose: 'secret' };

export interface ResultSigner {
  /** Public keys, as RFC 7517 writes them. */
  publicKeys(): Promise<{ keys: PublicJwk[] }>;
  /** Signs a text, at this moment, for whoever has this API key. */
  sign(text: string, keyId: string): Promise<ResultSignatures>;
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
  let opened: Promise<SigningKey> | undefined;
  const signingKey = (): Promise<SigningKey> => {
    const key = opened ?? openKey(parts);
    opened = key;
    // A failure is not remembered: the next result tries again.
    key.catch(() => {
      opened = undefined;
    });
    return key;
  };
  return {
    publicKeys: async () => ({ keys: [(await signingKey()).jwk] }),
    async sign(text, keyId) {
      const timestamp = instantTextOfUnixMs(clock.nowMs());
      const payload = signedPayload(timestamp, text);
      const row = await findCallbackSecret(database.kysely, keyId);
      const secret = row && (await vault.openText(row.secret, places.callbackSecret(keyId)));
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
    make: async () => ({ secret: await vault.sealText(await makeKey(), keyPlace) }),
  });
  assert(secret, 'a signing key that was stored is there');
  const [d, x] = JSON.parse(await vault.openText(secret, keyPlace)) as [string, string];
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  return { key, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(x), use: 'sig', alg: 'EdDSA' } };
}

async function makeKey(): Promise<string> {
  const { privateKey } = await generate('ed25519');
  const { d, x } = privateKey.export({ format: 'jwk' });
  return JSON.stringify([d, x]);
}

/** RFC 7638. */
const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');

function detachedSignature({ key, jwk }: SigningKey, payload: string): string {
  const header = JSON.stringify({ alg: 'EdDSA', kid: jwk.kid, b64: false, crit: ['b64'] });
  const head = Buffer.from(header).toString('base64url');
  const signature = sign(null, Buffer.from(`${head}.${payload}`, 'utf8'), key);
  return `${head}..${signature.toString('base64url')}`;
}
