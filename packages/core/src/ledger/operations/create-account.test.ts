import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { weightMax } from '../../limits/consensus.ts';
import {
  type AccountPrivilegeSchema,
  AccountSchema,
  type CreateAccountSchema,
  MetadataEntrySchema,
} from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import type { ContractCall } from '../terms/engine.ts';
import { stateKeys } from '../terms/state.ts';
import {
  createTestLedger,
  MemoryState,
  operation,
  pairsInOrder,
  type Violation,
} from '../testing/test-ledger.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address, attempt, check, rules } = createTestLedger({ sha256 });
const [alice, bob] = [address('alice'), address('bob')];
const fee = 10_000_000n;

type Fields = Exclude<MessageInitShape<typeof CreateAccountSchema>, { $typeName: string }>;
type Privilege = Exclude<MessageInitShape<typeof AccountPrivilegeSchema>, { $typeName: string }>;
const plain: Privilege = { masterWeight: 1n, thresholds: { txThreshold: 1n } };
const normal = (fields: Fields) => operation('createAccount', { destAddress: bob, priv: plain, ...fields });
const contract = (fields: Fields) =>
  operation('createAccount', {
    contract: { payload: 'function init() {}' },
    priv: { masterWeight: 0n, thresholds: { txThreshold: 1n } },
    ...fields,
  });
const signedBy = (...entries: [string, bigint][]): Fields => ({
  priv: { ...plain, signers: entries.map(([signer, weight]) => ({ address: signer, weight })) },
});
const typeThresholds = (...entries: [number, bigint][]): Privilege => ({
  masterWeight: 1n,
  thresholds: {
    txThreshold: 1n,
    typeThresholds: entries.map(([type, threshold]) => ({ type, threshold })),
  },
});

const { invalidParameter, invalidAddress, invalidWeight, invalidThreshold } = codes;
const destinationViolations: Violation<Fields>[] = [
  { rule: 'reserved', code: invalidAddress, fields: { destAddress: rules.keys.addressOfText('1') } },
  { rule: 'no destination', code: invalidAddress, fields: { destAddress: '' } },
  { rule: 'broken destination', code: invalidAddress, fields: { destAddress: `${bob}1` } },
];
const signers = [{ address: alice, weight: 1n }];
/** In the order of the rules; each also breaks every rule that follows and can be broken along with it. */
const privilegeViolations: Violation<Fields>[] = [
  { rule: 'no priv', code: invalidParameter, fields: { priv: undefined } },
  {
    rule: 'negative master weight',
    code: invalidWeight,
    fields: { priv: { masterWeight: -1n, signers } },
  },
  {
    rule: 'master weight beyond 32 bits',
    code: invalidWeight,
    fields: { priv: { masterWeight: weightMax + 1n, thresholds: { txThreshold: -1n } } },
  },
  { rule: 'no thresholds', code: invalidParameter, fields: { priv: { masterWeight: 2n, signers } } },
  {
    rule: 'negative transaction threshold',
    code: invalidThreshold,
    fields: {
      priv: {
        masterWeight: 2n,
        thresholds: { txThreshold: -1n, typeThresholds: [{ type: 0, threshold: 1n }] },
      },
    },
  },
  { rule: 'type 0', code: invalidParameter, fields: { priv: typeThresholds([0, -1n]) } },
  { rule: 'type 101', code: invalidParameter, fields: { priv: typeThresholds([101, -1n]) } },
  {
    rule: 'negative type threshold',
    code: invalidThreshold,
    fields: { priv: typeThresholds([1, 1n], [1, -1n]) },
  },
  { rule: 'the same type twice', code: invalidParameter, fields: { priv: typeThresholds([1, 1n], [1, 2n]) } },
  {
    rule: 'first entry of the list decides',
    code: invalidThreshold,
    fields: { priv: typeThresholds([100, -1n], [101, 1n]) },
  },
];
const normalViolations: Violation<Fields>[] = [
  { rule: 'master weight 0', code: invalidParameter, fields: { priv: { ...plain, masterWeight: 0n } } },
  { rule: 'master weight 2', code: invalidParameter, fields: { priv: { ...plain, masterWeight: 2n } } },
  { rule: 'largest weight', code: invalidParameter, fields: { priv: { ...plain, masterWeight: weightMax } } },
  {
    rule: 'a threshold of 0',
    code: invalidParameter,
    fields: { priv: { masterWeight: 1n, thresholds: {} } },
  },
  {
    rule: 'a threshold of 2',
    code: invalidParameter,
    fields: { priv: { masterWeight: 1n, thresholds: { txThreshold: 2n } } },
  },
];
const signerViolations: Violation<Fields>[] = [
  {
    rule: 'a weight beyond 32 bits',
    code: invalidWeight,
    fields: signedBy([address('carol'), weightMax + 1n]),
  },
  { rule: 'a negative weight', code: invalidWeight, fields: signedBy([address('carol'), -1n]) },
  { rule: 'the account itself', code: invalidAddress, fields: signedBy([bob, 1n]) },
  { rule: 'no address', code: invalidAddress, fields: signedBy(['nobody', 1n]) },
  { rule: 'one signer twice', code: invalidParameter, fields: signedBy([alice, 1n], [alice, 2n]) },
];
const balanceViolations: Violation<Fields>[] = [
  { rule: 'a negative balance', code: invalidParameter, fields: { initBalance: -1n } },
];
const metadataViolations: Violation<Fields>[] = [
  {
    rule: 'a negative metadata version',
    code: codes.badMetadataVersion,
    fields: { metadatas: [{ key: 'k', version: -1n }] },
  },
  { rule: 'empty metadata key', code: invalidParameter, fields: { metadatas: [{ key: '' }] } },
  {
    rule: 'metadata key of 342 characters and 1026 bytes',
    code: invalidParameter,
    fields: { metadatas: [{ key: 'fine' }, { key: '€'.repeat(342) }] },
  },
  {
    rule: 'metadata value of 262145 bytes',
    code: invalidParameter,
    fields: { metadatas: [{ key: 'k', value: 'x'.repeat(262_145) }] },
  },
];
const violations = [
  ...destinationViolations,
  ...privilegeViolations,
  ...signerViolations,
  ...normalViolations,
  ...balanceViolations,
  ...metadataViolations,
];

describe('create_account, static rules of a normal account', () => {
  for (const { rule, code, fields } of violations) {
    it(`${rule}: ${code}, dropped without a trace`, () => {
      assert.equal(check(normal(fields)), code);
      const { verdict, effects } = attempt(new MemoryState([account('alice', 2n * fee)]), {
        operations: [normal(fields)],
      });
      assert.deepEqual([verdict, effects.size], ['dropped', 0]);
    });
  }

  it('of two violations the one whose rule comes first decides', () => {
    for (const { first, both, name } of pairsInOrder(violations)) {
      assert.equal(check(normal(both)), first.code, name);
    }
  });

  it('a missing body is a parameter error', () => {
    assert.equal(check(operation('createAccount', undefined)), invalidParameter);
  });

  it('a contract without code is no contract', () => {
    assert.equal(check(normal({ contract: { payload: '', owner: alice } })), 0);
  });

  it('metadata up to its limits pass', () => {
    const metadatas = [
      { key: 'x'.repeat(1024), value: '' },
      { key: 'k', value: '😀'.repeat(65_536), version: 99n },
    ];
    assert.equal(check(normal({ metadatas })), 0);
  });
});

describe('create_account, static rules of a contract', () => {
  it('its address is derived, so none may be given', () => {
    assert.equal(check(contract({})), 0);
    for (const destAddress of [bob, 'x', rules.keys.addressOfText('1')]) {
      assert.equal(check(contract({ destAddress, priv: undefined })), invalidAddress);
    }
  });

  it('its privileges are master_weight 0 and tx_threshold 1, nothing else', () => {
    const thresholds = { txThreshold: 1n };
    const wrong: Privilege[] = [
      plain,
      { thresholds: {} },
      { thresholds: { txThreshold: 2n } },
      { thresholds, signers },
      { thresholds: { txThreshold: 1n, typeThresholds: [{ type: 1, threshold: 1n }] } },
    ];
    for (const priv of wrong) assert.equal(check(contract({ priv })), invalidParameter);
    for (const { rule, code, fields } of privilegeViolations) {
      assert.equal(check(contract(fields)), code, rule);
    }
  });

  it('its code has at most 262144 bytes', () => {
    assert.equal(check(contract({ contract: { payload: 'x'.repeat(262_144) } })), 0);
    assert.equal(check(contract({ contract: { payload: 'x'.repeat(262_145) } })), invalidParameter);
    assert.equal(check(contract({ contract: { payload: 'é'.repeat(131_073) } })), invalidParameter);
  });

  it('its metadata have the same bounds', () => {
    assert.equal(check(contract({ metadatas: [{ key: '' }] })), invalidParameter);
  });
});

describe('create_account, applied', () => {
  it('pays the first balance and creates an account marked as made by this operation', () => {
    const before = new MemoryState([account('alice', fee + 5n)]);
    const { effects, verdict } = attempt(before, { operations: [normal({ initBalance: 5n })] });
    assert.equal(verdict, 'done');
    assert.deepEqual(
      effects,
      new Map([
        [stateKeys.account(alice), account('alice', fee)],
        [
          stateKeys.account(bob),
          create(AccountSchema, { address: bob, balance: 5n, priv: plain, contract: {} }),
        ],
      ]),
    );
  });

  it('without a reserve an account may start with nothing', () => {
    const { effects } = attempt(new MemoryState([account('alice', fee)]), { operations: [normal({})] });
    assert.deepEqual([...effects.keys()], [stateKeys.account(bob)]);
  });

  it('metadata given along have version 1, asked for or not', () => {
    const before = new MemoryState([account('alice', 2n * fee)]);
    const metadatas = [
      { key: 'a', value: '1', version: 1n },
      { key: 'b', value: '', version: 0n },
    ];
    const { effects } = attempt(before, { operations: [normal({ metadatas })] });
    const entry = (key: string, value: string) => create(MetadataEntrySchema, { key, value, version: 1n });
    assert.deepEqual(effects.get(stateKeys.metadata(bob, 'a')), entry('a', '1'));
    assert.deepEqual(effects.get(stateKeys.metadata(bob, 'b')), entry('b', ''));
  });

  it('signers and thresholds given along are the account’s, those of 0 left out', () => {
    const before = new MemoryState([account('alice', 2n * fee)]);
    const priv = {
      ...typeThresholds([1, 2n], [7, 0n]),
      signers: [
        { address: alice, weight: 3n },
        { address: address('carol'), weight: 0n },
      ],
    };
    const { effects } = attempt(before, { operations: [normal({ priv })] });
    const expected = { ...typeThresholds([1, 2n]), signers: [{ address: alice, weight: 3n }] };
    assert.deepEqual(
      effects.get(stateKeys.account(bob)),
      create(AccountSchema, { address: bob, priv: expected, contract: {} }),
    );
  });

  const failure = (before: MemoryState, fields: Fields, ledger = { attempt }): number => {
    const { code, effects, verdict } = ledger.attempt(before, { operations: [normal(fields)] });
    assert.equal(effects.size === 0, verdict === 'failed');
    return code;
  };

  it('metadata of any other version undo everything', () => {
    const before = new MemoryState([account('alice', 2n * fee)]);
    for (const version of [2n, 99n]) {
      const metadatas = [{ key: 'a' }, { key: 'b', version }];
      assert.equal(failure(before, { metadatas, initBalance: 5n }), codes.badMetadataVersion);
    }
  });

  it('an account that exists decides first, the sender’s own included', () => {
    const before = new MemoryState([account('alice', fee + 5n), account('bob', 0n)]);
    assert.equal(failure(before, {}), codes.destinationExists);
    assert.equal(failure(before, { initBalance: 100n }), codes.destinationExists);
    assert.equal(failure(before, { destAddress: alice }), codes.destinationExists);
  });

  it('the first balance is not more than there is above the fee limit', () => {
    const before = new MemoryState([account('alice', fee + 5n)]);
    assert.equal(failure(before, { initBalance: 5n }), 0);
    assert.equal(failure(before, { initBalance: 6n }), codes.lowBalance);
    assert.equal(failure(before, { initBalance: 2n ** 63n - 1n }), codes.lowBalance);
    const metadatas = [{ key: 'a', version: 2n }];
    assert.equal(failure(before, { initBalance: 6n, metadatas }), codes.lowBalance);
  });

  it('with a reserve both accounts keep it', () => {
    const reserved = createTestLedger({ sha256, baseReserve: 100n });
    const before = new MemoryState([account('alice', fee + 250n)]);
    assert.equal(failure(before, { initBalance: 99n }, reserved), codes.lowInitialBalance);
    assert.equal(failure(before, { initBalance: 100n }, reserved), 0);
    assert.equal(failure(before, { initBalance: 150n }, reserved), 0);
    assert.equal(failure(before, { initBalance: 151n }, reserved), codes.lowBalance);
  });
});

describe('create_account of a contract, applied', () => {
  const derived = rules.keys.addressOfText(`${alice}-1-0`);

  it('whose code throws leaves nothing behind', () => {
    const before = new MemoryState([account('alice', 2n * fee)]);
    const { verdict, code, effects, actualFee } = attempt(before, { operations: [contract({})] });
    assert.deepEqual([verdict, code, effects.size], ['failed', codes.contractFailed, 0]);
    assert.equal(actualFee, fee);
  });

  it('runs init with the input on the new account, which holds its code and its owner', () => {
    const calls: ContractCall[] = [];
    const engine = {
      run: (call: ContractCall) => {
        calls.push(call);
        return { kind: 'returned', value: true } as const;
      },
    };
    const running = createTestLedger({
      sha256,
      contracts: { engine, checkSyntax: () => [], utils: new Map() },
    });
    const before = new MemoryState([account('alice', fee + 5n)]);
    const code = { payload: 'function init() {}', owner: alice, version: 3n };
    const metadatas = [{ key: 'given', value: 'along' }];
    const { verdict, effects } = running.attempt(before, {
      operations: [contract({ initBalance: 5n, initInput: 'in', contract: code, metadatas })],
    });
    assert.equal(verdict, 'done');
    assert.deepEqual(
      calls.map(({ code: text, entry, input, values }) => [text, entry, input, values['Chain.thisAddress']]),
      [[code.payload, 'init', 'in', derived]],
    );
    assert.deepEqual(
      effects.get(stateKeys.account(derived)),
      create(AccountSchema, {
        address: derived,
        balance: 5n,
        priv: { thresholds: { txThreshold: 1n } },
        contract: code,
      }),
    );
    assert.ok(effects.has(stateKeys.metadata(derived, 'given')));
  });

  it('code without an account of its own is not run: a normal account stays one', () => {
    const before = new MemoryState([account('alice', 2n * fee)]);
    const { verdict } = attempt(before, {
      operations: [normal({ contract: { payload: '', owner: alice } })],
    });
    assert.equal(verdict, 'done');
  });

  it('the rules on addresses and balances come first', () => {
    const taken = new MemoryState([
      account('alice', 2n * fee),
      create(AccountSchema, { ...account('bob', 0n), address: derived }),
    ]);
    assert.equal(attempt(taken, { operations: [contract({})] }).code, codes.destinationExists);
    const poor = new MemoryState([account('alice', fee + 5n)]);
    assert.equal(attempt(poor, { operations: [contract({ initBalance: 6n })] }).code, codes.lowBalance);
    assert.equal(check(contract({ initBalance: -1n })), invalidParameter);
  });
});
