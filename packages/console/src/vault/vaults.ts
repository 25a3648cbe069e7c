/**
 * The vaults of this browser: keys and credentials of people, sealed. Every vault has a random secret, sealed under what
 * protects it (`protection.ts`); everything else is sealed under keys that are made of that secret. An open vault is in
 * the memory of one tab, signs, reads and writes until it is locked, and hands out no key.
 */
import { didOfSigner, type Signer, signerFromPrivateKey } from '@symbolon/sdk/keys/signer';
import type { JsonValue } from '@symbolon/wire/json/json';
import { type VaultContents, writeBackup } from './backup.ts';
import { openSecret, type ProtectionKind, protectSecret, type VaultSecret } from './protection.ts';
import { createRecordSealer, type NamedRecord, openWhole, type RecordSealer } from './records.ts';
import { randomBytes, secretBytes } from './sealing.ts';
import { VaultFailure } from './vault-failure.ts';
import { vaultLimits } from './vault-limits.ts';
import { type VaultFacts, vaultFactsOf } from './vault-list.ts';
import {
  addVault,
  isWholeVault,
  type KeptVault,
  keptRecord,
  keptRecords,
  keptVault,
  putRecord,
  removeRecord,
  removeVault,
  replaceVault,
} from './vault-store.ts';

/** Of a vault that opens. */
export interface OpenedFacts extends VaultFacts {
  readonly protection: ProtectionKind;
}

export interface OpenedVault {
  readonly facts: OpenedFacts;
  /** Signs until the vault is locked. */
  readonly signer: Signer;
  readonly read: (name: string) => Promise<JsonValue | undefined>;
  /** All records whose names begin so, as far as they open. */
  readonly list: (prefix: string) => Promise<readonly NamedRecord[]>;
  readonly write: (name: string, value: JsonValue) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  /** How many records do not open, because somebody or something has changed them. Whose they are is sealed in them. */
  readonly countDamaged: () => Promise<number>;
  /** Everything that opens in one text, under a password of its own. */
  readonly backup: (password: string) => Promise<string>;
  readonly isLocked: () => boolean;
  /** From here on everything above rejects with `locked`. */
  readonly lock: () => void;
}

/** The record of the private key; no name of a reader's record is like it. */
const keyRecord = 'key';
const dataPrefix = 'data/';

export interface VaultOrder {
  /** Encoded. */
  readonly privateKey: string;
  readonly name: string;
  readonly protection: VaultSecret;
  /** From a backup. */
  readonly records?: readonly NamedRecord[];
}

/** Makes a vault and opens it. Rejects with `exists` where this browser has one of that key. */
export async function makeVault({
  privateKey,
  name,
  protection,
  records = [],
}: VaultOrder): Promise<OpenedVault> {
  const signer = await signerFromPrivateKey(privateKey);
  const did = didOfSigner(signer);
  const before = await keptVault(did);
  if (before && isWholeVault(before)) throw new VaultFailure('exists');
  if (records.length > vaultLimits.recordsMax) throw new VaultFailure('tooLarge');
  const secret = randomBytes(secretBytes);
  const label = name.slice(0, vaultLimits.nameCharsMax);
  try {
    const sealer = await createRecordSealer(did, secret);
    const kept: KeptVault = {
      did,
      address: signer.address,
      publicKey: signer.publicKey,
      name: label,
      createdAt: new Date().toISOString(),
      protection: await protectSecret(did, protection, { secret, label: label === '' ? did : label }),
    };
    const sealed = await Promise.all([
      sealer.seal({ name: keyRecord, value: privateKey }),
      ...records.map((one) => sealer.seal({ name: `${dataPrefix}${one.name}`, value: one.value })),
    ]);
    await addVault(kept, sealed);
    return openedVault({ ...vaultFactsOf(kept), protection: protection.kind }, signer, sealer);
  } finally {
    secret.fill(0);
  }
}

/** Rejects with `wrongSecret`, `passkeyRefused`, `damaged` or `unknown`. */
export async function unlockVault(did: string, given: VaultSecret): Promise<OpenedVault> {
  const kept = await vaultOf(did);
  const secret = await openSecret(did, kept.protection, given);
  try {
    const sealer = await createRecordSealer(did, secret);
    const signer = await signerFromPrivateKey(await readKey(did, sealer));
    // What is in the clear is what somebody could have changed.
    if (didOfSigner(signer) !== did) throw new VaultFailure('damaged');
    const { address, publicKey } = signer;
    const facts = { ...vaultFactsOf(kept), address, publicKey, protection: kept.protection.kind };
    return openedVault(facts, signer, sealer);
  } finally {
    secret.fill(0);
  }
}

/** The same contents, which from here on another secret opens. */
export async function changeProtection(did: string, given: VaultSecret, next: VaultSecret): Promise<void> {
  const kept = await vaultOf(did);
  const secret = await openSecret(did, kept.protection, given);
  try {
    const label = kept.name === '' ? did : kept.name;
    await replaceVault({ ...kept, protection: await protectSecret(did, next, { secret, label }) });
  } finally {
    secret.fill(0);
  }
}

/** The vault with everything in it is gone from this browser; only a backup brings it back. */
export const forgetVault = (did: string): Promise<void> => removeVault(did);

async function vaultOf(did: string): Promise<KeptVault> {
  const kept = await keptVault(did);
  if (!kept) throw new VaultFailure('unknown');
  if (!isWholeVault(kept)) throw new VaultFailure('damaged');
  return kept;
}

async function readKey(did: string, sealer: RecordSealer): Promise<string> {
  const kept = await keptRecord(did, await sealer.mark(keyRecord));
  const value = kept && (await sealer.open(kept)).value;
  if (typeof value !== 'string') throw new VaultFailure('damaged');
  return value;
}

function openedVault(facts: OpenedFacts, signer: Signer, open: RecordSealer): OpenedVault {
  const { did } = facts;
  let sealer: RecordSealer | undefined = open;
  const opened = (): RecordSealer => {
    if (!sealer) throw new VaultFailure('locked');
    return sealer;
  };
  const list = async (prefix: string): Promise<readonly NamedRecord[]> => {
    const { records } = await openWhole(opened(), await keptRecords(did));
    const whole = `${dataPrefix}${prefix}`;
    return records
      .filter(({ name }) => name.startsWith(whole))
      .map(({ name, value }) => ({ name: name.slice(dataPrefix.length), value }));
  };
  const contents = async (): Promise<VaultContents> => ({
    did,
    name: facts.name,
    privateKey: await readKey(did, opened()),
    records: await list(''),
  });
  return {
    facts,
    signer: {
      address: signer.address,
      publicKey: signer.publicKey,
      async sign(bytes) {
        opened();
        return signer.sign(bytes);
      },
    },
    async read(name) {
      const own = opened();
      const kept = await keptRecord(did, await own.mark(`${dataPrefix}${name}`));
      return kept && (await own.open(kept)).value;
    },
    list,
    countDamaged: async () => (await openWhole(opened(), await keptRecords(did))).damaged,
    async write(name, value) {
      const record = await opened().seal({ name: `${dataPrefix}${name}`, value });
      await putRecord(record, vaultLimits.recordsMax);
    },
    async remove(name) {
      await removeRecord(did, await opened().mark(`${dataPrefix}${name}`));
    },
    backup: async (password) => writeBackup(await contents(), password, new Date()),
    isLocked: () => sealer === undefined,
    lock() {
      sealer = undefined;
    },
  };
}
