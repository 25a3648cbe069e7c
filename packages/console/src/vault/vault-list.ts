/** Which vaults this browser has, without opening any: light enough for the frame of every page. */
import type { ProtectionKind } from './protection.ts';
import { isWholeVault, type KeptVault, keptVaults } from './vault-store.ts';

/** What may be known of a vault that is locked. */
export interface VaultFacts {
  readonly did: string;
  readonly address: string;
  readonly publicKey: string;
  /** As its owner called it; not bound to anything. */
  readonly name: string;
  readonly createdAt: string;
  /** `unreadable`: somebody or something has changed what is kept, so that it opens with nothing. */
  readonly protection: ProtectionKind | 'unreadable';
}

export function vaultFactsOf(kept: KeptVault): VaultFacts {
  const { did, address, publicKey, name, createdAt, protection } = kept;
  if (!isWholeVault(kept))
    return { did, address: '', publicKey: '', name: '', createdAt: '', protection: 'unreadable' };
  return { did, address, publicKey, name, createdAt, protection: protection.kind };
}

export const listVaults = async (): Promise<VaultFacts[]> => (await keptVaults()).map(vaultFactsOf);
