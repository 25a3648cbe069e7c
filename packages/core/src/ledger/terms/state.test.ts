import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { BrokenInvariant } from '../../basics/assert.ts';
import { encodeHex } from '../../basics/bytes.ts';
import { AssetKeySchema, AssetStoreSchema, MetadataEntrySchema } from '../../proto/ledger_pb.ts';
import { createTestLedger, MemoryState } from '../testing/test-ledger.ts';
import { accountOfKey, decodeEntry, encodeEntry, newAccount, StateLayer, stateKeys } from './state.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address } = createTestLedger({ sha256 });
const [alice, bob] = [address('alice'), address('bob')];
const entry = (key: string, value: string) => create(MetadataEntrySchema, { key, value, version: 1n });

describe('state keys', () => {
  it('name their owner, whatever stands behind it', () => {
    const keys = [
      stateKeys.account(alice),
      stateKeys.asset(alice, { issuer: bob, code: 'a/b' }),
      stateKeys.metadata(alice, '/x/'),
      stateKeys.metadata(alice, ''),
    ];
    for (const key of keys) assert.equal(accountOfKey(key), alice);
    assert(keys[1].startsWith(stateKeys.assets(alice)));
    assert(keys[2].startsWith(stateKeys.metadatas(alice)));
  });

  it('tell which kind of entry the bytes are', () => {
    const assetKey = { issuer: bob, code: 'CNY' };
    const entries = [
      [stateKeys.account(alice), account('alice', 5n)],
      [stateKeys.asset(alice, assetKey), create(AssetStoreSchema, { key: assetKey, amount: 7n })],
      [stateKeys.metadata(alice, 'k'), entry('k', 'v')],
    ] as const;
    for (const [key, value] of entries) assert.deepEqual(decodeEntry(key, encodeEntry(value)), value);
    assert.throws(() => decodeEntry('contract/x', new Uint8Array(0)), BrokenInvariant);
  });
});

describe('a new account', () => {
  it('has the bytes of the genesis vectors: its own key alone decides', () => {
    const { address: _, ...plain } = newAccount(alice, 0n);
    assert.equal(encodeHex(encodeEntry({ ...plain, address: '' })), '1a0608011a020801');
  });
});

describe('a layer', () => {
  const below = () =>
    new MemoryState([account('alice', 5n)])
      .withAsset(alice, bob, { code: 'CNY', amount: 3n })
      .withMetadata(alice, 'k', { value: 'old', version: 4n });
  const cny = create(AssetKeySchema, { issuer: bob, code: 'CNY' });

  it('shows what is below until it has its own', () => {
    const layer = new StateLayer(below());
    assert.equal(layer.account(alice)?.balance, 5n);
    assert.equal(layer.account(bob), undefined);
    assert.equal(layer.assetAmount(alice, cny), 3n);
    assert.equal(layer.assetAmount(bob, cny), 0n);
    assert.equal(layer.metadata(alice, 'k')?.value, 'old');
    assert.equal(layer.changes.size, 0);
    layer.putAccount(account('alice', 6n));
    layer.putMetadata(alice, entry('k', 'new'));
    assert.equal(layer.account(alice)?.balance, 6n);
    assert.equal(layer.metadata(alice, 'k')?.value, 'new');
  });

  it('hides what it deleted, and shows it again when it is put again', () => {
    const layer = new StateLayer(below());
    layer.deleteMetadata(alice, 'k');
    layer.putAssetAmount(alice, cny, 0n);
    assert.equal(layer.metadata(alice, 'k'), undefined);
    assert.equal(layer.assetAmount(alice, cny), 0n);
    assert.deepEqual([...layer.changes.values()], [null, null]);
    layer.putMetadata(alice, entry('k', 'again'));
    layer.putAssetAmount(alice, cny, 1n);
    assert.equal(layer.metadata(alice, 'k')?.value, 'again');
    assert.equal(layer.assetAmount(alice, cny), 1n);
  });

  it('keeps its changes to itself until it is merged', () => {
    const state = below();
    const lower = new StateLayer(state);
    const upper = new StateLayer(lower);
    upper.putAccount(account('bob', 1n));
    upper.deleteMetadata(alice, 'k');
    assert.equal(lower.account(bob), undefined);
    assert.equal(lower.metadata(alice, 'k')?.value, 'old');
    upper.mergeInto(lower);
    assert.equal(lower.account(bob)?.balance, 1n);
    assert.equal(lower.metadata(alice, 'k'), undefined);
    assert.equal(state.read(stateKeys.account(bob)), undefined);
  });

  it('merges only into the layer it stands on', () => {
    const layer = new StateLayer(below());
    assert.throws(() => layer.mergeInto(new StateLayer(below())), BrokenInvariant);
  });
});
