import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { BrokenInvariant } from '../../basics/assert.ts';
import { int64Max, weightMax } from '../../limits/consensus.ts';
import { type Account, AssetStoreSchema, MetadataEntrySchema } from '../../proto/ledger_pb.ts';
import { type StateEntry, stateKeys } from '../terms/state.ts';
import { createTestLedger, MemoryState, operation } from '../testing/test-ledger.ts';
import { assertInvariants } from './invariants.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address, sign } = createTestLedger({ sha256 });
const [alice, bob] = [address('alice'), address('bob')];
const key = { issuer: alice, code: 'CNY' };

const before = () =>
  new MemoryState([{ ...account('alice', 100n), nonce: 3n }, account('bob', 100n)])
    .withAsset(alice, alice, { code: 'CNY', amount: 10n })
    .withMetadata(alice, 'k', { value: 'v', version: 2n });
const after = (...entries: [string, StateEntry | null][]) => new Map(entries);
const accounts = (...changed: Account[]) =>
  after(...changed.map((each): [string, StateEntry] => [stateKeys.account(each.address), each]));
const asset = (owner: string, amount: bigint): [string, StateEntry | null] => [
  stateKeys.asset(owner, key),
  amount === 0n ? null : create(AssetStoreSchema, { key, amount }),
];

const holds = (changes: Map<string, StateEntry | null>, reward = 0n, transactions = [] as Executed) =>
  assertInvariants(before(), changes, { transactions, reward });
const breaks = (changes: Map<string, StateEntry | null>, reward = 0n, transactions = [] as Executed) =>
  assert.throws(() => holds(changes, reward, transactions), BrokenInvariant);

type Executed = Parameters<typeof assertInvariants>[2]['transactions'];
const issue = (amount: bigint, failed = false): Executed[number] => ({
  verified: sign({ operations: [operation('issueAsset', { code: 'CNY', amount })] }),
  outcome: {
    failure: failed ? { code: 1, description: '' } : undefined,
    actualFee: 0n,
    result: '',
    triggered: [],
    contractGas: 0n,
  },
});
const alices = (fields: Partial<Account>): Account => ({ ...account('alice', 100n), nonce: 3n, ...fields });

describe('the supply of Gas', () => {
  it('moves, but neither grows nor shrinks beyond the reward', () => {
    holds(accounts(alices({ balance: 40n }), account('bob', 160n)));
    holds(accounts(alices({ balance: 109n })), 9n);
    breaks(accounts(alices({ balance: 101n })));
    breaks(accounts(alices({ balance: 99n })));
    breaks(accounts(alices({ balance: 109n })), 8n);
    breaks(accounts(account('carol', 1n)));
    breaks(after(), 1n);
  });

  it('is never negative or beyond int64 in one place', () => {
    breaks(accounts(alices({ balance: -1n }), account('bob', 201n)));
    const flooded = (balance: bigint) => accounts(alices({ balance }));
    breaks(flooded(int64Max + 1n), int64Max + 1n - 100n);
    holds(flooded(int64Max), int64Max - 100n);
    holds(accounts(alices({ balance: 0n }), account('bob', 200n)));
  });
});

describe('the supply of an asset', () => {
  it('moves, and grows only by what was issued', () => {
    holds(after(asset(alice, 4n), asset(bob, 6n)));
    holds(after(asset(alice, 0n), asset(bob, 10n)));
    holds(after(asset(alice, 15n)), 0n, [issue(5n)]);
    holds(after(asset(alice, 4n), asset(bob, 13n)), 0n, [issue(5n), issue(2n), issue(100n, true)]);
    breaks(after(asset(alice, 11n)));
    breaks(after(asset(bob, 1n)));
    breaks(after(asset(alice, 0n)));
    breaks(after(asset(alice, 15n)), 0n, [issue(5n, true)]);
    breaks(after(asset(alice, 14n)), 0n, [issue(5n)]);
  });
});

describe('accounts', () => {
  it('are never deleted and never count back', () => {
    breaks(after([stateKeys.account(alice), null]));
    breaks(accounts(alices({ nonce: 2n })));
    holds(accounts(alices({ nonce: 4n })));
  });

  it('have weights and thresholds within their bounds', () => {
    const priv = (fields: Parameters<typeof account>[2]) =>
      accounts({ ...account('alice', 100n, fields), nonce: 3n });
    const thresholds = { txThreshold: 1n };
    holds(priv({ masterWeight: weightMax, thresholds: { txThreshold: int64Max } }));
    holds(priv({ masterWeight: 0n, thresholds: {} }));
    holds(priv({ signers: [{ address: bob, weight: weightMax }], thresholds }));
    holds(priv({ signers: [{ address: bob, weight: 1n }], thresholds }));
    holds(priv({ thresholds: { txThreshold: 1n, typeThresholds: [{ type: 7, threshold: 1n }] } }));
    breaks(accounts(alices({ priv: undefined })));
    breaks(priv({ masterWeight: 1n }));
    breaks(priv({ masterWeight: weightMax + 1n, thresholds }));
    breaks(priv({ masterWeight: -1n, thresholds }));
    breaks(priv({ thresholds: { txThreshold: -1n } }));
    breaks(priv({ signers: [{ address: bob, weight: 0n }], thresholds }));
    breaks(priv({ signers: [{ address: bob, weight: weightMax + 1n }], thresholds }));
    const signers = Array.from({ length: 101 }, (_, index) => ({ address: address(`${index}`), weight: 1n }));
    breaks(priv({ signers, thresholds }));
    holds(priv({ signers: signers.slice(1), thresholds }));
    breaks(priv({ thresholds: { txThreshold: 1n, typeThresholds: [{ type: 7, threshold: 0n }] } }));
  });
});

describe('metadata', () => {
  it('have a version', () => {
    const entry = (version: bigint) =>
      after([stateKeys.metadata(alice, 'k'), create(MetadataEntrySchema, { key: 'k', version })]);
    holds(entry(3n));
    // Deleted and set again within the block.
    holds(entry(1n));
    holds(after([stateKeys.metadata(alice, 'k'), null]));
    breaks(entry(0n));
  });
});
