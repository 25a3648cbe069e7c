/**
 * The key that a service signs its backups with: its registrar's, sealed in the copied database under the master key.
 * Nothing is made on the way: neither a key file nor a key in a hardware module.
 */
import type { ServiceConfig } from '../parts/service-config.ts';
import { openRegistrarSeed } from '../vault/service-keys.ts';
import { createVault } from '../vault/vault.ts';
import { readMasterKeys } from '../wiring/service-folder.ts';
import { openServiceCopy } from './service-copy.ts';

/** The seed of the key in a copy of the service's database; undefined when it has none. */
export async function readServiceKey(
  folder: string,
  { copy: place, config }: { readonly copy: string; readonly config: ServiceConfig },
): Promise<Uint8Array | undefined> {
  const copy = await openServiceCopy(place);
  try {
    for await (const row of copy.rows('vaultKeys')) {
      if (row.kind !== 'registrar' || !(row.secret instanceof Uint8Array)) continue;
      const masterKeys = await readMasterKeys(folder, config, { isMade: false });
      try {
        return await openRegistrarSeed(createVault(masterKeys), row.secret);
      } finally {
        await masterKeys.close();
      }
    }
    return undefined;
  } finally {
    copy.close();
  }
}
