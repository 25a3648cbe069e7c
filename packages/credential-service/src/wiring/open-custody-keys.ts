/**
 * The keys of custody as the settings have them: new ones go into the hardware module if there is one, else into the
 * vault. What an account's key was made in, it stays in: accounts of the vault go on signing beside a module that came
 * later.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { type CustodyKeys, vaultCustodyKeys } from '../custody/custody-keys.ts';
import type { CustodyBackend } from '../database/schema.ts';
import type { ServiceConfig } from '../parts/service-config.ts';
import type { KeyVault } from '../vault/vault.ts';

export interface CustodyKeysOrder {
  readonly settings: ServiceConfig['custody'];
  readonly vault: KeyVault;
  readonly keys: Pick<KeyFormat, 'addressOf'>;
}

export async function openCustodyKeys({ settings, vault, keys }: CustodyKeysOrder): Promise<CustodyKeys> {
  const inVault = vaultCustodyKeys(vault, keys);
  const { hsm, enabled } = settings;
  if (!hsm || !enabled) return inVault;
  // Only who has a hardware module needs what it takes to call one.
  const { openTokenCustodyKeys } = await import('../custody/token-custody-keys.ts');
  return severalKeys(await openTokenCustodyKeys(hsm, keys), inVault);
}

/** The first makes new keys; each signs with its own. */
export function severalKeys(first: CustodyKeys, ...others: readonly CustodyKeys[]): CustodyKeys {
  const all = [first, ...others];
  const backendOf = (wanted: CustodyBackend): CustodyKeys => {
    const found = all.find(({ backend }) => backend === wanted);
    if (found) return found;
    throw new Fault('overloaded', { detail: 'What holds the key of this account is not at hand' });
  };
  return {
    backend: first.backend,
    create: () => first.create(),
    sign: async (key, bytes) => backendOf(key.backend).sign(key, bytes),
    discard: async (key) => backendOf(key.backend).discard(key),
    async close() {
      for (const keys of all) await keys.close();
    },
  };
}
