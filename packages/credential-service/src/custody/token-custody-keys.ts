/**
 * Keys of custody that never leave a hardware module (PKCS#11): made in the token, not extractable, named by a random
 * id that is kept with the account. A key that could be taken out, or whose signature its own public key does not
 * confirm, is destroyed again before anybody gets an account of it.
 */
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { HardwareToken, type TokenSettings } from '@symbolon/host/pkcs11/hardware-token';
import type { KeyReference } from '@symbolon/host/pkcs11/key-templates';
import { Pkcs11Error } from '@symbolon/host/pkcs11/pkcs11-error';
import { VaultError } from '../vault/vault-error.ts';
import type { CustodyKeys } from './custody-keys.ts';

const keyLabel = 'symbolon custody';

export async function openTokenCustodyKeys(
  settings: TokenSettings,
  keys: Pick<KeyFormat, 'addressOf'>,
): Promise<CustodyKeys> {
  const token = await HardwareToken.open(settings).catch((error: unknown) => {
    if (!(error instanceof Pkcs11Error)) throw error;
    throw new VaultError('custodyUnreachable', `The keys of custody cannot be reached. ${error.message}`, {
      cause: error,
    });
  });
  return {
    backend: 'token',
    create: () =>
      hardwareFaults(async () => {
        const key = await token.generateEd25519Key({ label: keyLabel });
        try {
          const publicKey = await checkedPublicKey(token, key);
          const address = keys.addressOf(publicKey);
          return { address, backend: 'token', keyId: key.id, secret: null, publicKey };
        } catch (error) {
          await token.destroyKey(key);
          throw error;
        }
      }),
    sign: ({ keyId: id }, bytes) => hardwareFaults(() => token.sign({ kind: 'ed25519', id }, bytes)),
    discard: ({ keyId: id }) => hardwareFaults(() => token.destroyKey({ kind: 'ed25519', id })),
    close: () => token.close(),
  };
}

async function checkedPublicKey(token: HardwareToken, key: KeyReference): Promise<Uint8Array> {
  const { isSensitive, isExtractable } = await token.protectionOf(key);
  if (isSensitive !== true || isExtractable !== false)
    throw new Pkcs11Error('answerMalformed', 'The hardware module makes keys that can be taken out of it.');
  const publicKey = await token.publicKey(key);
  const trial = randomBytes(32);
  const signature = await token.sign(key, trial);
  const x = Buffer.from(publicKey).toString('base64url');
  const half = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (!verify(null, trial, half, signature))
    throw new Pkcs11Error('answerMalformed', 'The hardware module does not sign with the key that it shows.');
  return publicKey;
}

/** Runs calls of the module; what it fails at comes out as a fault. */
async function hardwareFaults<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Pkcs11Error)) throw cause;
    throw new Fault('overloaded', {
      detail: 'The hardware module that holds the keys does not do its work',
      reason: 'hardwareFailed',
      cause,
    });
  }
}
