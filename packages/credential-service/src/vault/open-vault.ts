/**
 * The vault of one database. A check value, encrypted on the first start, tells at every later one whether the master
 * key is the right one: a wrong key stops the start with words instead of showing up as unreadable rows later. After a
 * change of the master key `rewrapAll` brings every record under the new one, a bounded batch at a time; it can be
 * stopped and started again, and the old key must stay at hand until it says that nothing is left.
 */
import { allPages } from '../database/paging.ts';
import type { Queries } from '../database/schema.ts';
import { settingOnce } from '../database/settings.ts';
import { type EncryptedRow, encryptedColumns, listEncrypted, replaceEncrypted } from './encrypted-rows.ts';
import { contexts } from './encryption-contexts.ts';
import { createVault, type KeyVault, type MasterKeys } from './vault.ts';
import { VaultError } from './vault-error.ts';

const checkContext = contexts.setting('vault.check');
const checkText = 'symbolon vault';

export async function openVault(queries: Queries, masterKeys: MasterKeys, now: number): Promise<KeyVault> {
  const vault = createVault(masterKeys);
  // Most starts find a value; only the first has to make one, and two first starts agree on the one that won.
  const { secret } = await settingOnce(queries, {
    name: 'vault.check',
    now,
    make: async () => ({ secret: await vault.encryptText(checkText, checkContext) }),
  });
  const opened = secret && (await vault.decryptText(secret, checkContext).catch(wrongKey));
  if (opened !== checkText) throw wrongKey();
  return vault;
}

function wrongKey(cause?: unknown): never {
  throw new VaultError(
    'wrongMasterKey',
    'The master key does not fit this database: its records were sealed under another one. ' +
      'Give the service the key it had before, or name that key as a previous one.',
    { cause },
  );
}

/** Brings every record under the current master key and answers how many were under another. */
export async function rewrapAll(queries: Queries, vault: KeyVault): Promise<number> {
  let rewrapped = 0;
  for (const column of encryptedColumns)
    for await (const page of allPages<EncryptedRow>((last) => listEncrypted(queries, column, last?.key)))
      for (const row of page) {
        const fresh = await vault.rewrap(row.encrypted);
        if (!fresh) continue;
        // A record that changed meanwhile is under the current key already.
        await replaceEncrypted(queries, column, { ...row, fresh });
        rewrapped += 1;
      }
  return rewrapped;
}
