/**
 * Where keys of accounts in custody are: the seam, and the default behind it, seeds encrypted by the vault. A key of
 * hardware stands behind the same seam (`token-custody-keys.ts`). Nothing here gives a private key away, and whoever
 * asks for a signature has been let in elsewhere (`password-gate.ts`).
 */
import { sign } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import type { CustodyBackend } from '../database/schema.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { ed25519PrivateKey, makeEd25519 } from '../vault/service-keys.ts';
import type { KeyVault } from '../vault/vault.ts';
import type { CustodyAccountRow } from './custody-rows.ts';

/** What is kept with an account to find its key again. */
export type CustodyKey = Pick<CustodyAccountRow, 'address' | 'backend' | 'keyId' | 'secret'>;

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

export function vaultCustodyKeys(vault: KeyVault, keys: Pick<KeyFormat, 'addressOf'>): CustodyKeys {
  return {
    backend: 'vault',
    async create() {
      const { seed, publicKey } = await makeEd25519();
      const address = keys.addressOf(publicKey);
      try {
        const secret = await vault.encrypt(seed, contexts.custodySecret(address));
        return { address, backend: 'vault', keyId: address, secret, publicKey };
      } finally {
        seed.fill(0);
      }
    },
    async sign({ address, secret }, bytes) {
      assert(secret, 'a key in the vault is kept with its account');
      const seed = await vault.decrypt(secret, contexts.custodySecret(address));
      try {
        return Uint8Array.from(sign(null, bytes, ed25519PrivateKey(seed)));
      } finally {
        seed.fill(0);
      }
    },
    // It exists in the account's row only.
    discard: async () => {},
    close: async () => {},
  };
}
