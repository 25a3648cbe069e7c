import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { BrokenInvariant } from '../../basics/assert.ts';
import { concatBytes, encodeHex } from '../../basics/bytes.ts';
import {
  type Account,
  AssetKeySchema,
  AssetStoreSchema,
  MetadataEntrySchema,
} from '../../proto/ledger_pb.ts';
import { leafTag } from '../../tree/tree-hash.ts';
import {
  decodeEntry,
  encodeEntry,
  type StateChanges,
  type StateEntry,
  StateLayer,
  stateKeys,
} from '../terms/state.ts';
import { MemoryTrees } from '../testing/memory-trees.ts';
import { createTestLedger, MemoryState } from '../testing/test-ledger.ts';
import { hashState, treeKeyOf } from './state-trees.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address } = createTestLedger({ sha256 });
const names = ['alice', 'bob', 'carol'];
const [alice, bob] = names.map(address);

/** A root by the rule alone: recursion over the bits of sorted keys. */
function rootOf(leaves: { key: Uint8Array; valueHash: Uint8Array }[], level = 0): Uint8Array {
  if (leaves.length === 0) return new Uint8Array(32);
  if (leaves.length === 1) {
    const [{ key, valueHash }] = leaves;
    return sha256(concatBytes(sha256(concatBytes(key, valueHash)), leafTag));
  }
  const isRight = ({ key }: { key: Uint8Array }): boolean =>
    ((key[level >> 3] >> (7 - (level & 7))) & 1) === 1;
  const left = leaves.filter((leaf) => !isRight(leaf));
  return sha256(concatBytes(rootOf(left, level + 1), rootOf(leaves.filter(isRight), level + 1)));
}

const rootOver = (entries: Iterable<[string, StateEntry]>): Uint8Array =>
  rootOf(
    Array.from(entries, ([key, entry]) => ({
      key: treeKeyOf(key, sha256),
      valueHash: sha256(encodeEntry(entry)),
    })),
  );

/** Checks every hash in the state, and the root over it, against the rule. */
function assertRoots(state: MemoryState, root: Uint8Array): void {
  const ownRoot = (prefix: string): string => {
    const own = [...state.entries].filter(([key]) => key.startsWith(prefix));
    return own.length === 0 ? '' : encodeHex(rootOver(own));
  };
  assert.equal(encodeHex(root), encodeHex(rootOver(state.entries)));
  for (const entry of state.entries.values()) {
    if (entry.$typeName !== 'symbolon.ledger.v1.Account') continue;
    assert.equal(encodeHex(entry.assetsHash), ownRoot(stateKeys.assets(entry.address)));
    assert.equal(encodeHex(entry.metadatasHash), ownRoot(stateKeys.metadatas(entry.address)));
  }
}

/** A state with its trees, block by block. */
class Sealed {
  readonly state = new MemoryState();
  readonly trees = new MemoryTrees(sha256);

  seal(changes: StateChanges) {
    return hashState(this.state, changes, { treeOf: this.trees.treeOf, sha256 });
  }

  async advance(changes: StateChanges): Promise<Uint8Array> {
    const sealed = await this.seal(changes);
    this.trees.commit(sealed);
    this.state.advance(sealed.hashedChanges);
    return sealed.root;
  }
}

const key = create(AssetKeySchema, { issuer: alice, code: 'CNY' });
const asset = (owner: string, amount: bigint): [string, StateEntry | null] => [
  stateKeys.asset(owner, key),
  amount === 0n ? null : create(AssetStoreSchema, { key, amount }),
];
const people = (): [string, StateEntry][] =>
  names.map((name) => [stateKeys.account(address(name)), account(name, 5n)]);

describe('sealing a state', () => {
  it('fills in the hashes of the accounts whose entries changed, and only theirs', async () => {
    const chain = new Sealed();
    await chain.advance(new Map(people()));
    const { hashedChanges: changes, encoded, root } = await chain.seal(new Map([asset(bob, 3n)]));
    assert.deepEqual([...changes.keys()].sort(), [stateKeys.account(bob), stateKeys.asset(bob, key)]);
    const changed = changes.get(stateKeys.account(bob)) as Account;
    assert.deepEqual({ ...changed, assetsHash: new Uint8Array(0) }, account('bob', 5n));
    assert.equal(
      encodeHex(changed.assetsHash),
      encodeHex(rootOver([asset(bob, 3n)] as [string, StateEntry][])),
    );
    for (const [at, bytes] of encoded) assert.deepEqual(bytes && decodeEntry(at, bytes), changes.get(at));
    chain.state.advance(changes);
    assertRoots(chain.state, root);
  });

  it('changes nothing by itself: sealed again, the same; committed, built upon', async () => {
    const chain = new Sealed();
    const first = await chain.advance(new Map(people()));
    const block = new Map([asset(bob, 3n)]);
    const [once, twice] = [await chain.seal(block), await chain.seal(block)];
    assert.equal(encodeHex(once.root), encodeHex(twice.root));
    const other = await chain.seal(new Map([asset(alice, 3n)]));
    assert.notEqual(encodeHex(other.root), encodeHex(once.root));
    await chain.advance(block);
    assert.equal(encodeHex(await chain.advance(new Map([asset(bob, 0n)]))), encodeHex(first));
  });

  it('leaves the field of an account that owns nothing more out', async () => {
    const chain = new Sealed();
    await chain.advance(new Map([...people(), asset(bob, 3n)]));
    const root = await chain.advance(new Map([asset(bob, 0n)]));
    const bobs = chain.state.read(stateKeys.account(bob)) as Account;
    assert.equal(bobs.assetsHash.length, 0);
    assertRoots(chain.state, root);
  });

  it('is not impressed by what came and went within the block', async () => {
    const chain = new Sealed();
    const before = await chain.advance(new Map(people()));
    const passing = new Map([asset(bob, 0n), [stateKeys.metadata(alice, 'k'), null] as const]);
    assert.equal(encodeHex(await chain.advance(passing)), encodeHex(before));
  });

  it('of no change has the root it had; of nothing at all, zeros', async () => {
    const chain = new Sealed();
    assert.deepEqual(await chain.advance(new Map()), new Uint8Array(32));
    const before = await chain.advance(new Map(people()));
    assert.deepEqual(await chain.advance(new Map()), before);
  });

  it('an entry of nobody is a defect', async () => {
    await assert.rejects(new Sealed().seal(new Map([asset(bob, 3n)])), BrokenInvariant);
  });
});

describe('the roots', () => {
  const change = fc.record({
    name: fc.constantFrom(...names),
    kind: fc.constantFrom('balance', 'asset', 'metadata'),
    which: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f/g', 'ü'),
    amount: fc.bigInt({ min: 0n, max: 2n }),
  });
  const blocks = fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 6 });
  type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

  function apply(layer: StateLayer, { name, kind, which, amount }: Change): void {
    const owner = address(name);
    if (kind === 'balance') layer.putAccount({ ...layer.account(owner)!, balance: amount });
    else if (kind === 'asset') {
      layer.putAssetAmount(owner, create(AssetKeySchema, { issuer: alice, code: which }), amount);
    } else if (amount === 0n) layer.deleteMetadata(owner, which);
    else layer.putMetadata(owner, create(MetadataEntrySchema, { key: which, value: 'v', version: amount }));
  }

  const changesOf = (state: MemoryState, block: readonly Change[]): StateChanges => {
    const layer = new StateLayer(state);
    for (const each of block) apply(layer, each);
    return layer.changes;
  };

  it('follow the rule after every block, also when the trees are opened again from their rows', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, fc.boolean(), async (planned, reopens) => {
        const chain = new Sealed();
        assertRoots(chain.state, await chain.advance(new Map(people())));
        for (const block of planned) {
          if (reopens) chain.trees.reopen();
          assertRoots(chain.state, await chain.advance(changesOf(chain.state, block)));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('depend on the state alone, not on the blocks that led there', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, async (planned) => {
        const [cut, whole] = [new Sealed(), new Sealed()];
        let last = await cut.advance(new Map(people()));
        await whole.advance(new Map(people()));
        for (const block of planned) last = await cut.advance(changesOf(cut.state, block));
        const root = await whole.advance(changesOf(whole.state, planned.flat()));
        assert.equal(encodeHex(root), encodeHex(last));
        assert.deepEqual(sortedEntries(whole.state), sortedEntries(cut.state));
      }),
      { numRuns: 40 },
    );
  });

  const sortedEntries = ({ entries }: MemoryState) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
});
