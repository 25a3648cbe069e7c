/**
 * The roots over the state: one tree over everything, and for each account one over its assets and one over its
 * metadata, whose roots stand in the account itself. A changed set of entries becomes new roots and the rows that make
 * them durable; nothing is installed until `commit`.
 */
import { create } from '@bufbuild/protobuf';
import { assert } from '../../basics/assert.ts';
import { emptyBytes, encodeUtf8, type Sha256 } from '../../basics/bytes.ts';
import { encodeItems } from '../../basics/encode-items.ts';
import { type Account, AccountListSchema } from '../../proto/ledger_pb.ts';
import type { MerkleTree, TreeUpdate } from '../../tree/merkle-tree.ts';
import { accountOfKey, encodeEntry, type StateChanges, type StateReader, stateKeys } from '../terms/state.ts';

/** The tree of a namespace: '' for the whole state, `asset/<address>` and `metadata/<address>` for an account's own. */
export type TreeOf = (namespace: string) => MerkleTree;

/** What becomes of one tree. */
interface NamedUpdate {
  readonly namespace: string;
  readonly tree: MerkleTree;
  readonly update: TreeUpdate;
}

/** Changes whose accounts state the roots over what they own. */
export interface OwnedHashes {
  /** Every changed entry with the account hashes filled in. */
  readonly hashedChanges: StateChanges;
  /** The same as bytes, null where an entry is deleted. */
  readonly encoded: ReadonlyMap<string, Uint8Array | null>;
  readonly updates: readonly NamedUpdate[];
}

export interface HashedState extends OwnedHashes {
  readonly root: Uint8Array;
}

interface HashTools {
  readonly treeOf: TreeOf;
  readonly sha256: Sha256;
}

export async function hashState(
  before: StateReader,
  changes: StateChanges,
  tools: HashTools,
): Promise<HashedState> {
  const owned = await hashOwned(before, changes, tools);
  const whole = await updateTree('', [...owned.hashedChanges.keys()], owned.encoded, tools);
  return { ...owned, root: whole.update.root, updates: [...owned.updates, whole] };
}

/** Everything but the tree over the whole state, which nobody needs who only executes. */
export async function hashOwned(
  before: StateReader,
  changes: StateChanges,
  tools: HashTools,
): Promise<OwnedHashes> {
  const hashed = new Map(changes);
  const encoded = new Map<string, Uint8Array | null>();
  const updates: NamedUpdate[] = [];
  for (const [key, entry] of changes) {
    if (!key.startsWith('account/')) encoded.set(key, entry && encodeEntry(entry));
  }
  for (const [namespace, keys] of groupByOwner(changes)) {
    const owned = await updateTree(namespace, keys, encoded, tools);
    updates.push(owned);
    const { root } = owned.update;
    const accountKey = stateKeys.account(accountOfKey(namespace));
    const account = (hashed.get(accountKey) ?? before.read(accountKey)) as Account | undefined;
    assert(account, `${namespace} changed, but there is no such account`);
    const field = namespace.startsWith('asset/') ? 'assetsHash' : 'metadatasHash';
    // The root of an empty tree is all zeros; an account that owns nothing leaves the field out.
    const hash = root.some((byte) => byte !== 0) ? root : emptyBytes;
    hashed.set(accountKey, { ...account, [field]: hash });
  }
  for (const [key, bytes] of encodeAccounts(hashed)) encoded.set(key, bytes);
  return { hashedChanges: hashed, encoded, updates };
}

async function updateTree(
  namespace: string,
  keys: readonly string[],
  encoded: ReadonlyMap<string, Uint8Array | null>,
  { treeOf, sha256 }: HashTools,
): Promise<NamedUpdate> {
  const tree = treeOf(namespace);
  const leaves = keys.map((key) => {
    const bytes = encoded.get(key);
    return { key: treeKeyOf(key, sha256), valueHash: bytes ? sha256(bytes) : undefined };
  });
  return { namespace, tree, update: await tree.loadAndUpdate(leaves) };
}

/** Nearly everything that changes is an account, and none is ever deleted. */
function encodeAccounts(changes: StateChanges): [key: string, bytes: Uint8Array][] {
  const keys = [...changes.keys()].filter((key) => key.startsWith('account/'));
  const accounts = create(AccountListSchema, { items: keys.map((key) => changes.get(key) as Account) });
  const encoded = encodeItems(AccountListSchema, accounts);
  return keys.map((key, index) => [key, encoded[index]]);
}

/** The place of a state entry in the tree over the whole state. */
export const treeKeyOf = (stateKey: string, sha256: Sha256): Uint8Array => sha256(encodeUtf8(stateKey));

function groupByOwner(changes: StateChanges): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const key of changes.keys()) {
    if (key.startsWith('account/')) continue;
    const namespace = `${key.slice(0, key.indexOf('/'))}/${accountOfKey(key)}`;
    const group = groups.get(namespace);
    if (group) group.push(key);
    else groups.set(namespace, [key]);
  }
  return groups;
}
