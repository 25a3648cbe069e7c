/**
 * Where keys of accounts in custody are: the seam, and the default behind it, seeds sealed by the vault. A key of
 * hardware stands behind the same seam (`token-custody-keys.ts`). Nothing here gives a private key away, and whoever
 * asks for a signature has been let in elsewhere (`password-gate.ts`).
 */
import { createPrivateKey, generateKeyPair, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { assert } from '@symbolon/core/basics/assert';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import type { CustodyBackend, Sealed } from '../database/schema.ts';
import { places } from '../vault/places.ts';
import type { KeyVault } from '../vault/vault.ts';

/** What is kept with an account to find its key again. */
export interface CustodyKey {
  readonly address: string;
  readonly backend: CustodyBackend;
  readonly keyId: string;
  readonly secret: Sealed | null;
}

export interface NewCustodyKey extends CustodyKey {
  /** Raw. */
  readonly publicKey: Uint8Array;
}

export interface CustodyKeys {
  readonly backend: CustodyBackend;
  create(): Promise<NewCustodyKey>;
  /** The Ed25519 signature over the bytes themselves. */
  sign(key: CustodyKey, bytes: Uint8Array): Promise<Uint8Array>;
  /** Takes back a key whose account could not be kept. */
  discard(key: CustodyKey): Promise<void>;
  close(): Promise<void>;
}

const generate = promisify(generateKeyPair);

/** What precedes the seed of an Ed25519 key in PKCS#8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const seedBytes = 32;

export function vaultCustodyKeys(vault: KeyVault, keys: Pick<KeyFormat, 'addressOf'>): CustodyKeys {
  return {
    backend: 'vault',
    async create() {
      const { publicKey: half, privateKey } = await generate('ed25519');
      const publicKey = Uint8Array.from(half.export({ format: 'der', type: 'spki' }).subarray(-seedBytes));
      const address = keys.addressOf(publicKey);
      const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
      try {
        assert(pkcs8.length === pkcs8Prefix.length + seedBytes, 'an Ed25519 key has one form');
        const secret = await vault.seal(pkcs8.subarray(-seedBytes), places.custodySecret(address));
        return { address, backend: 'vault', keyId: address, secret, publicKey };
      } finally {
        pkcs8.fill(0);
      }
    },
    async sign({ address, secret }, bytes) {
      assert(secret, 'a key in the vault is kept with its account');
      const seed = await vault.open(secret, places.custodySecret(address));
      const pkcs8 = Buffer.concat([pkcs8Prefix, seed]);
      seed.fill(0);
      try {
        return Uint8Array.from(
          sign(null, bytes, createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })),
        );
      } finally {
        pkcs8.fill(0);
      }
    },
    // It exists in the account's row only.
    discard: async () => {},
    close: async () => {},
  };
}
