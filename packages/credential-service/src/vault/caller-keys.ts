/**
 * BBS secret keys, each bound to the caller it was made for: whoever acts for another DID does not find it, whatever
 * public key they name. The binding is part of the row's id and of what the encryption covers, so rewriting the owner
 * in the database gives the key to nobody.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { Queries } from '../database/schema.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { contexts } from './encryption-contexts.ts';
import type { KeyVault } from './vault.ts';
import { addVaultKey, countVaultKeys, findVaultKey, type VaultKeyRow } from './vault-key-rows.ts';

/** Whose keys a caller may use: those of its DID or, for an API key that acts for none, its own. */
export function keyOwnerOf(caller: Pick<Caller, 'did' | 'keyId'>): string {
  const owner = caller.did ?? (caller.keyId === undefined ? undefined : `key:${caller.keyId}`);
  if (owner === undefined) throw new Fault('notAuthenticated');
  return owner;
}

/**
 * The public key in the one spelling that the product uses: multibase, base58, without a prefix for the kind of key.
 */
type BbsKeyName = Pick<VaultKeyRow, 'owner' | 'publicKey'>;

const keyIdOf = ({ owner, publicKey }: BbsKeyName): string =>
  sha256Hex(JSON.stringify(['bbs', owner, publicKey]));

/** Keeps a key; one that is kept already stays as it is. */
export async function keepBbsKey(
  queries: Queries,
  vault: KeyVault,
  { secretKey, now, ...name }: BbsKeyName & { readonly secretKey: Uint8Array; readonly now: number },
): Promise<void> {
  const id = keyIdOf(name);
  if (await findVaultKey(queries, id)) return;
  const kept = await countVaultKeys(queries, { kind: 'bbs', owner: name.owner });
  if (kept >= recordLimits.bbsKeysPerOwnerMax)
    throw new Fault('tooManyRequests', { detail: 'this caller keeps as many keys as one may' });
  const secret = await vault.encrypt(secretKey, contexts.vaultKey(id));
  await addVaultKey(queries, {
    id,
    kind: 'bbs',
    ...name,
    secret,
    createdAt: now,
    validFrom: now,
  });
}

/** Whether this owner has it here. Nothing is decrypted to see that. */
export const hasBbsKey = async (queries: Queries, name: BbsKeyName): Promise<boolean> =>
  (await findVaultKey(queries, keyIdOf(name))) !== undefined;

/** The secret key, if this owner has it. Erase it after use. */
export async function findBbsKey(
  queries: Queries,
  vault: KeyVault,
  name: BbsKeyName,
): Promise<Uint8Array | undefined> {
  const id = keyIdOf(name);
  const row = await findVaultKey(queries, id);
  return row && vault.decrypt(row.secret, contexts.vaultKey(id));
}
