/**
 * Where vaults are kept: a database of the browser. In the clear are only who a vault is of, what opens it, and how many
 * records there are; names of records are marks, their values are sealed.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { KeptProtection } from './protection.ts';
import type { SealedBytes } from './sealing.ts';
import { VaultFailure } from './vault-failure.ts';

export interface KeptVault {
  readonly did: string;
  readonly address: string;
  readonly publicKey: string;
  readonly name: string;
  readonly createdAt: string;
  readonly protection: KeptProtection;
}

export interface KeptRecord extends SealedBytes {
  readonly vault: string;
  readonly mark: string;
}

interface VaultSchema extends DBSchema {
  vaults: { key: string; value: KeptVault };
  records: { key: [vault: string, mark: string]; value: KeptRecord };
}

let opening: Promise<IDBPDatabase<VaultSchema>> | undefined;

function database(): Promise<IDBPDatabase<VaultSchema>> {
  opening ??= openDatabase().catch((cause: unknown) => {
    opening = undefined;
    throw new VaultFailure('storage', { cause });
  });
  return opening;
}

/** Asynchronous as a whole: browsers that keep nothing refuse while they are asked. */
const openDatabase = async (): Promise<IDBPDatabase<VaultSchema>> =>
  openDB<VaultSchema>('symbolon-vaults', 1, {
    upgrade(db) {
      db.createObjectStore('vaults', { keyPath: 'did' });
      db.createObjectStore('records', { keyPath: ['vault', 'mark'] });
    },
    // A newer console in another tab changes the form: it must not wait for this one.
    blocking(_current, _blocked, event) {
      opening = undefined;
      (event.target as IDBDatabase).close();
    },
    terminated() {
      opening = undefined;
    },
  });

/** All records of a vault: nothing sorts behind an empty list. */
const ofVault = (did: string): IDBKeyRange => IDBKeyRange.bound([did], [did, []]);

const isText = (value: unknown): boolean => typeof value === 'string';
const isBytes = (value: unknown): boolean => value instanceof Uint8Array;
const membersOfProtection: Readonly<Record<string, readonly string[]>> = {
  passkey: ['credentialId', 'salt'],
  password: ['salt'],
  demo: [],
};

/** Whether what is kept is a vault in form. Anything else opens with nothing, and a backup may take its place. */
export function isWholeVault({ did, address, publicKey, name, createdAt, protection }: KeptVault): boolean {
  const sealed: Readonly<Record<string, unknown>> = { ...protection };
  const members = membersOfProtection[String(sealed.kind)];
  return (
    [did, address, publicKey, name, createdAt].every(isText) &&
    members !== undefined &&
    [...members, 'iv', 'ciphertext'].every((member) => isBytes(sealed[member]))
  );
}

export const keptVaults = async (): Promise<KeptVault[]> => (await database()).getAll('vaults');

export const keptVault = async (did: string): Promise<KeptVault | undefined> =>
  (await database()).get('vaults', did);

/** All of it or nothing; rejects with `exists` where there is a whole vault of that DID. */
export async function addVault(vault: KeptVault, records: readonly KeptRecord[]): Promise<void> {
  const work = (await database()).transaction(['vaults', 'records'], 'readwrite');
  const before = await work.objectStore('vaults').get(vault.did);
  if (before && isWholeVault(before)) {
    work.abort();
    await work.done.catch(() => undefined);
    throw new VaultFailure('exists');
  }
  await Promise.all([
    work.objectStore('vaults').put(vault),
    work.objectStore('records').delete(ofVault(vault.did)),
    ...records.map((record) => work.objectStore('records').put(record)),
    work.done,
  ]);
}

/** Rejects with `unknown` where it was forgotten meanwhile. */
export async function replaceVault(vault: KeptVault): Promise<void> {
  const work = (await database()).transaction('vaults', 'readwrite');
  const isThere = (await work.store.get(vault.did)) !== undefined;
  if (isThere) await work.store.put(vault);
  await work.done;
  if (!isThere) throw new VaultFailure('unknown');
}

export async function removeVault(did: string): Promise<void> {
  const work = (await database()).transaction(['vaults', 'records'], 'readwrite');
  await Promise.all([
    work.objectStore('vaults').delete(did),
    work.objectStore('records').delete(ofVault(did)),
    work.done,
  ]);
}

export const keptRecord = async (did: string, mark: string): Promise<KeptRecord | undefined> =>
  (await database()).get('records', [did, mark]);

export const keptRecords = async (did: string): Promise<KeptRecord[]> =>
  (await database()).getAll('records', ofVault(did));

/** Only while the vault is there: what was forgotten in one tab does not grow again in another. */
export async function putRecord(record: KeptRecord, recordsMax: number): Promise<void> {
  const work = (await database()).transaction(['vaults', 'records'], 'readwrite');
  const [vault, count] = await Promise.all([
    work.objectStore('vaults').getKey(record.vault),
    work.objectStore('records').count(ofVault(record.vault)),
  ]);
  const refusal = vault === undefined ? 'unknown' : count >= recordsMax ? 'tooLarge' : undefined;
  if (refusal === undefined) await work.objectStore('records').put(record);
  await work.done;
  if (refusal !== undefined) throw new VaultFailure(refusal);
}

export const removeRecord = async (did: string, mark: string): Promise<void> =>
  (await database()).delete('records', [did, mark]);
