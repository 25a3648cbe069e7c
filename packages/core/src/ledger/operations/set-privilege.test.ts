import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { int64Max, weightMax } from '../../limits/consensus.ts';
import type { Account, SetPrivilegeSchema } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import { stateKeys } from '../terms/state.ts';
import {
  createTestLedger,
  MemoryState,
  operation,
  pairsInOrder,
  type Violation,
} from '../testing/test-ledger.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address, attempt, check } = createTestLedger({ sha256 });
const [alice, bob, carol] = [address('alice'), address('bob'), address('carol')];
const rich = 100_000_000n;

type Fields = Exclude<MessageInitShape<typeof SetPrivilegeSchema>, { $typeName: string }>;
const setPrivilege = (fields: Fields) => operation('setPrivilege', fields);

const { invalidParameter, invalidAddress, invalidWeight, invalidThreshold } = codes;
const notCanonical = ['-1', '+1', '01', '00', ' 1', '1 ', '1.0', '1e3', '0x1', 'one', '-0', '１', '1\n'];
const weightViolations: Violation<Fields>[] = [...notCanonical, '4294967296', '9223372036854775808'].map(
  (masterWeight) => ({
    rule: `master weight ${JSON.stringify(masterWeight)}`,
    code: invalidWeight,
    fields: { masterWeight },
  }),
);
/** Each also breaks every later rule on signers. */
const signerViolations: Violation<Fields>[] = [
  { rule: 'weight -1', code: invalidWeight, fields: { signers: [{ address: alice, weight: -1n }] } },
  {
    rule: 'weight beyond 32 bits',
    code: invalidWeight,
    fields: { signers: [{ address: 'x', weight: weightMax + 1n }] },
  },
  { rule: 'signs for itself', code: invalidAddress, fields: { signers: [{ address: alice, weight: 1n }] } },
  { rule: 'no address', code: invalidAddress, fields: { signers: [{ weight: 1n }, { weight: 1n }] } },
  { rule: 'broken address', code: invalidAddress, fields: { signers: [{ address: `${bob}x`, weight: 0n }] } },
  {
    rule: 'the same signer twice',
    code: invalidParameter,
    fields: {
      signers: [
        { address: bob, weight: 1n },
        { address: bob, weight: 0n },
      ],
    },
  },
  {
    rule: 'the first wrong signer decides',
    code: invalidAddress,
    fields: { signers: [{ address: bob, weight: 1n }, { weight: 1n }, { address: carol, weight: -1n }] },
  },
];
const thresholdViolations: Violation<Fields>[] = [...notCanonical, '9223372036854775808', '9'.repeat(30)].map(
  (txThreshold) => ({
    rule: `threshold ${JSON.stringify(txThreshold)}`,
    code: invalidThreshold,
    fields: { txThreshold },
  }),
);
const typeViolations: Violation<Fields>[] = [
  { rule: 'type 0', code: invalidParameter, fields: { typeThresholds: [{ type: 0, threshold: -1n }] } },
  { rule: 'type 101', code: invalidParameter, fields: { typeThresholds: [{ type: 101, threshold: -1n }] } },
  { rule: 'type -1', code: invalidParameter, fields: { typeThresholds: [{ type: -1, threshold: 1n }] } },
  {
    rule: 'negative type threshold',
    code: invalidThreshold,
    fields: {
      typeThresholds: [
        { type: 1, threshold: 1n },
        { type: 1, threshold: -1n },
      ],
    },
  },
  {
    rule: 'the same type twice',
    code: invalidParameter,
    fields: {
      typeThresholds: [
        { type: 1, threshold: 1n },
        { type: 1, threshold: 0n },
      ],
    },
  },
];
const violations = [...weightViolations, ...signerViolations, ...thresholdViolations, ...typeViolations];

describe('set_privilege, static rules', () => {
  for (const { rule, code, fields } of violations) {
    it(`${rule}: ${code}, dropped without a trace`, () => {
      assert.equal(check(setPrivilege(fields)), code);
      const { verdict, effects } = attempt(new MemoryState([account('alice', rich)]), {
        operations: [setPrivilege(fields)],
      });
      assert.deepEqual([verdict, effects.size], ['dropped', 0]);
    });
  }

  it('of two violations the one whose rule comes first decides', () => {
    for (const { first, both, name } of pairsInOrder(violations)) {
      assert.equal(check(setPrivilege(both)), first.code, name);
    }
  });

  it('a missing body is a parameter error', () => {
    assert.equal(check(operation('setPrivilege', undefined)), invalidParameter);
  });

  it('the bounds themselves pass', () => {
    for (const masterWeight of ['', '0', '1', '4294967295'])
      assert.equal(check(setPrivilege({ masterWeight })), 0);
    for (const txThreshold of ['', '0', '1', '9223372036854775807']) {
      assert.equal(check(setPrivilege({ txThreshold })), 0);
    }
    for (const weight of [0n, 1n, weightMax]) {
      assert.equal(check(setPrivilege({ signers: [{ address: bob, weight }] })), 0);
    }
    for (const type of [1, 100]) {
      for (const threshold of [0n, 1n, int64Max]) {
        assert.equal(check(setPrivilege({ typeThresholds: [{ type, threshold }] })), 0);
      }
    }
    assert.equal(check(setPrivilege({ signers: [{ address: alice, weight: 1n }] }), 'bob'), 0);
  });
});

const full = {
  masterWeight: 5n,
  signers: [
    { address: bob, weight: 2n },
    { address: carol, weight: 3n },
  ],
  thresholds: {
    txThreshold: 5n,
    typeThresholds: [
      { type: 7, threshold: 4n },
      { type: 9, threshold: 5n },
    ],
  },
};

/** What a change makes of those privileges, as plain values. */
function changed(fields: Fields) {
  const before = new MemoryState([account('alice', rich, full)]);
  const { after, effects, verdict } = attempt(before, { operations: [setPrivilege(fields)] });
  assert.equal(verdict, 'done');
  for (const key of effects.keys()) assert.equal(key, stateKeys.account(alice));
  const { balance, priv } = (effects.get(stateKeys.account(alice)) ??
    account('alice', rich, full)) as Account;
  assert.equal(balance, rich);
  assert.equal(after.account(alice)?.nonce, 1n);
  return {
    master: priv?.masterWeight,
    threshold: priv?.thresholds?.txThreshold,
    signers: priv?.signers.map(({ address: who, weight }) => [who, weight]),
    types: priv?.thresholds?.typeThresholds.map(({ type, threshold }) => [type, threshold]),
  };
}

const unchanged = {
  master: 5n,
  threshold: 5n,
  signers: [
    [bob, 2n],
    [carol, 3n],
  ],
  types: [
    [7, 4n],
    [9, 5n],
  ],
};

describe('set_privilege, applied', () => {
  it('what is left blank stays', () => {
    assert.deepEqual(changed({}), unchanged);
    assert.deepEqual(changed({ masterWeight: '7' }), { ...unchanged, master: 7n });
    assert.deepEqual(changed({ txThreshold: '9' }), { ...unchanged, threshold: 9n });
  });

  it('0 is a value of master weight and transaction threshold', () => {
    assert.deepEqual(changed({ masterWeight: '0', txThreshold: '0' }), {
      ...unchanged,
      master: 0n,
      threshold: 0n,
    });
    const largest = changed({ masterWeight: '4294967295', txThreshold: '9223372036854775807' });
    assert.deepEqual(largest, { ...unchanged, master: weightMax, threshold: int64Max });
  });

  it('signers are updated in place, added at the end, deleted by weight 0', () => {
    const dave = address('dave');
    const signers = [
      { address: dave, weight: weightMax },
      { address: bob, weight: 9n },
      { address: carol, weight: 0n },
    ];
    assert.deepEqual(changed({ signers }).signers, [
      [bob, 9n],
      [dave, weightMax],
    ]);
    const unknown = { signers: [{ address: dave, weight: 0n }] };
    assert.deepEqual(changed(unknown), unchanged);
  });

  it('type thresholds likewise', () => {
    const typeThresholds = [
      { type: 100, threshold: int64Max },
      { type: 7, threshold: 1n },
      { type: 9, threshold: 0n },
    ];
    assert.deepEqual(changed({ typeThresholds }).types, [
      [7, 1n],
      [100, int64Max],
    ]);
    assert.deepEqual(changed({ typeThresholds: [{ type: 50, threshold: 0n }] }), unchanged);
  });

  it('an account has at most 100 signers; the 101st is refused, not ignored', () => {
    const named = (from: number, count: number, weight = 1n) =>
      Array.from({ length: count }, (_, index) => ({ address: address(`signer ${from + index}`), weight }));
    const state = (count: number) =>
      new MemoryState([
        account('alice', rich, {
          masterWeight: 1n,
          signers: named(0, count),
          thresholds: { txThreshold: 1n },
        }),
      ]);
    const run = (count: number, signers: Fields['signers']) =>
      attempt(state(count), { operations: [setPrivilege({ signers })] });
    assert.equal(run(99, named(99, 1)).verdict, 'done');
    assert.equal(run(0, named(0, 100)).verdict, 'done');
    assert.equal(run(100, [...named(0, 1, 0n), ...named(100, 1)]).verdict, 'done');
    assert.equal(run(100, [...named(100, 1), ...named(0, 1, 0n)]).verdict, 'done');
    for (const tooMany of [run(100, named(100, 1)), run(0, named(0, 101)), run(99, named(99, 2))]) {
      assert.deepEqual([tooMany.verdict, tooMany.code], ['failed', invalidParameter]);
      assert.equal(tooMany.effects.size, 0);
    }
  });

  it('all 100 type thresholds fit', () => {
    const typeThresholds = Array.from({ length: 100 }, (_, index) => ({ type: index + 1, threshold: 1n }));
    assert.equal(changed({ typeThresholds }).types?.length, 100);
  });

  it('acts for the operation’s own source', () => {
    const before = new MemoryState([account('alice', rich), account('bob', 0n)]);
    const operations = [operation('setPrivilege', { masterWeight: '3' }, { sourceAddress: bob })];
    const { effects } = attempt(before, { operations, signers: ['alice', 'bob'] });
    assert.deepEqual([...effects.keys()], [stateKeys.account(bob)]);
    assert.equal((effects.get(stateKeys.account(bob)) as Account).priv?.masterWeight, 3n);
  });
});
