/**
 * The ledger's state: accounts, assets and metadata under readable keys, seen through layers. A layer keeps its changes
 * to itself until it is merged into the one below, so a failed transaction leaves no trace. Entries are treated as
 * immutable: a change puts a new one.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { assert } from '../../basics/assert.ts';
import {
  type Account,
  AccountSchema,
  type AssetKey,
  type AssetStore,
  AssetStoreSchema,
  type MetadataEntry,
  MetadataEntrySchema,
} from '../../proto/ledger_pb.ts';

export type StateEntry = Account | AssetStore | MetadataEntry;

/** A key says what it holds and whose it is: `account/<address>`, `asset/<address>/…`, `metadata/<address>/…`. */
export const stateKeys = {
  account: (address: string) => `account/${address}`,
  assets: (address: string) => `asset/${address}/`,
  asset: (address: string, key: Pick<AssetKey, 'issuer' | 'code'>) =>
    `asset/${address}/${key.issuer}/${key.code}`,
  metadatas: (address: string) => `metadata/${address}/`,
  metadata: (address: string, key: string) => `metadata/${address}/${key}`,
} as const;

/** Whose entry a key names. */
export function accountOfKey(key: string): string {
  const start = key.indexOf('/') + 1;
  const end = key.indexOf('/', start);
  return end < 0 ? key.slice(start) : key.slice(start, end);
}

export function encodeEntry(entry: StateEntry): Uint8Array {
  switch (entry.$typeName) {
    case 'symbolon.ledger.v1.Account':
      return toBinary(AccountSchema, entry);
    case 'symbolon.ledger.v1.AssetStore':
      return toBinary(AssetStoreSchema, entry);
    case 'symbolon.ledger.v1.MetadataEntry':
      return toBinary(MetadataEntrySchema, entry);
  }
}

export function decodeEntry(key: string, bytes: Uint8Array): StateEntry {
  if (key.startsWith('account/')) return fromBinary(AccountSchema, bytes);
  if (key.startsWith('asset/')) return fromBinary(AssetStoreSchema, bytes);
  assert(key.startsWith('metadata/'), `state key of no known kind: ${key}`);
  return fromBinary(MetadataEntrySchema, bytes);
}

/** Whatever can answer for an entry: the committed state, or a layer above it. */
export interface StateReader {
  read(key: string): StateEntry | undefined;
}

/** What a layer changed: the new entry, or null where it deleted one. */
export type StateChanges = ReadonlyMap<string, StateEntry | null>;

export class StateLayer implements StateReader {
  readonly #below: StateReader;
  readonly #changes = new Map<string, StateEntry | null>();

  constructor(below: StateReader) {
    this.#below = below;
  }

  get changes(): StateChanges {
    return this.#changes;
  }

  read(key: string): StateEntry | undefined {
    const changed = this.#changes.get(key);
    return changed === undefined ? this.#below.read(key) : (changed ?? undefined);
  }

  account(address: string): Account | undefined {
    return this.read(stateKeys.account(address)) as Account | undefined;
  }

  putAccount(account: Account): void {
    this.#changes.set(stateKeys.account(account.address), account);
  }

  assetAmount(address: string, key: AssetKey): bigint {
    const entry = this.read(stateKeys.asset(address, key)) as AssetStore | undefined;
    return entry?.amount ?? 0n;
  }

  /** An asset that reaches zero leaves the state. */
  putAssetAmount(address: string, key: AssetKey, amount: bigint): void {
    const entry = amount === 0n ? null : create(AssetStoreSchema, { key, amount });
    this.#changes.set(stateKeys.asset(address, key), entry);
  }

  metadata(address: string, key: string): MetadataEntry | undefined {
    return this.read(stateKeys.metadata(address, key)) as MetadataEntry | undefined;
  }

  putMetadata(address: string, entry: MetadataEntry): void {
    this.#changes.set(stateKeys.metadata(address, entry.key), entry);
  }

  deleteMetadata(address: string, key: string): void {
    this.#changes.set(stateKeys.metadata(address, key), null);
  }

  /** Hands this layer's changes to the one below it. */
  mergeInto(below: StateLayer): void {
    assert(below === this.#below, 'a layer merges only into the one it stands on');
    for (const [key, entry] of this.#changes) below.#changes.set(key, entry);
  }
}

/** An account as every ordinary one is born: its own key alone decides. */
export function newAccount(address: string, balance: bigint): Account {
  return create(AccountSchema, {
    address,
    balance,
    priv: { masterWeight: 1n, thresholds: { txThreshold: 1n } },
  });
}
