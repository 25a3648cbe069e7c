import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { type Operation, OperationSchema, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { transactionToJson } from '@symbolon/wire/ledger/transaction-json';
import fc from 'fast-check';
import { plainText } from '../arguments/foreign-texts.ts';
import { coinText, describeTransaction, transactionOfRecord } from './transaction-sentence.ts';

type Order = Parameters<typeof create<typeof OperationSchema>>[1];

const transaction = (...operations: Order[]) =>
  create(TransactionSchema, {
    sourceAddress: 'ada',
    operations: operations.map((order): Operation => create(OperationSchema, order)),
  });
const sentence = (...operations: Order[]): string => describeTransaction(transaction(...operations));

describe('a transaction as a sentence', () => {
  const cases: [Order, string][] = [
    [{ payCoin: { destAddress: 'bob', amount: 1_500_000n } }, 'ada pays 1.5 Gas to bob.'],
    [
      { payCoin: { destAddress: 'reg', input: '{"method":"issue"}' } },
      'ada calls "issue" of the contract reg.',
    ],
    [
      { payCoin: { destAddress: 'reg', amount: 1n, input: 'hello' } },
      'ada calls main of the contract reg with 0.000001 Gas.',
    ],
    [
      { createAccount: { destAddress: 'bob', initBalance: 2_000_000n } },
      'ada creates the account bob with 2 Gas.',
    ],
    [{ createAccount: { contract: { payload: 'code' } } }, 'ada puts a contract on the chain.'],
    [{ issueAsset: { code: 'GOLD', amount: 5n } }, 'ada issues 5 of the asset "GOLD".'],
    [
      { payAsset: { destAddress: 'bob', asset: { key: { code: 'GOLD', issuer: 'eve' }, amount: 3n } } },
      'ada sends 3 of the asset "GOLD" to bob.',
    ],
    [{ payAsset: { destAddress: 'bob' } }, 'ada sends 0 of the asset "" to bob.'],
    [{ setMetadata: { key: 'color', value: 'red' } }, 'ada writes the metadata "color".'],
    [{ setMetadata: { key: 'color', deleteFlag: true } }, 'ada deletes the metadata "color".'],
    [{ setMetadata: { key: 'did.log', value: '{}' } }, 'ada changes its DID document.'],
    [{ log: { topic: 'news' } }, 'ada notes under the topic "news".'],
    [{ setPrivilege: {} }, 'ada changes who may sign for the account.'],
    [
      { setPrivilege: { masterWeight: '1', txThreshold: '2', signers: [{ address: 'bob', weight: 0n }] } },
      'ada changes who may sign for the account: its own key counts 1, bob no longer counts, weight 2 is needed.',
    ],
    [
      { setPrivilege: { masterWeight: '0', signers: [{ address: 'bob', weight: 1n }] } },
      'ada gives up control of the account: its own key no longer counts, bob counts 1.',
    ],
    [
      {
        setPrivilege: {
          masterWeight: 'much',
          signers: ['a', 'b', 'c', 'd', 'e'].map((address) => ({ address, weight: 1n })),
          typeThresholds: [{ type: 1, threshold: 2n }],
        },
      },
      'ada changes who may sign for the account: its own key counts "much", a counts 1, b counts 1, c counts 1, 2 further signers, some operations need another weight.',
    ],
    [{ upgradeContract: { destAddress: 'reg' } }, 'ada upgrades the contract reg.'],
    [{ type: 77 }, 'ada does something unknown (operation type 77).'],
    [
      { sourceAddress: 'eve', payCoin: { destAddress: 'bob', amount: 1_000_000n } },
      'ada for eve pays 1 Gas to bob.',
    ],
  ];
  for (const [order, expected] of cases) test(expected, () => assert.equal(sentence(order), expected));

  test('with several operations names the first ones and counts the others', () => {
    const pay = { payCoin: { destAddress: 'bob', amount: 1_000_000n } };
    assert.equal(sentence(), 'ada does nothing.');
    assert.equal(
      sentence(pay, { log: { topic: 'x' } }),
      'ada pays 1 Gas to bob and notes under the topic "x".',
    );
    assert.match(sentence(pay, pay, pay, pay), / and does 1 more thing\.$/);
    assert.match(sentence(...Array(100).fill(pay)), / and does 97 more things\.$/);
  });

  test('calls accounts as the reader does, and shortens what the reader has no name for', () => {
    const message = transaction({ payCoin: { destAddress: `b${'o'.repeat(30)}b`, amount: 0n } });
    assert.equal(describeTransaction(message), 'ada pays 0 Gas to booooooo…ooooob.');
    assert.equal(
      describeTransaction(message, { nameOf: (address) => (address === 'ada' ? 'Ada' : 'Bob') }),
      'Ada pays 0 Gas to Bob.',
    );
  });

  test('an input for an account without a contract calls nothing', () => {
    const options = { hasCode: (address: string) => address !== 'bob' };
    const told = (order: Order) => describeTransaction(transaction(order), options);
    const input = '{"method":"issue"}';
    assert.equal(
      told({ payCoin: { destAddress: 'bob', amount: 5_000_000n, input } }),
      'ada pays 5 Gas to bob, with a text that no contract reads.',
    );
    assert.equal(
      told({ payCoin: { destAddress: 'reg', amount: 0n, input } }),
      'ada calls "issue" of the contract reg.',
    );
    assert.equal(
      told({ payAsset: { destAddress: 'bob', asset: { key: { code: 'GOLD' }, amount: 3n }, input } }),
      'ada sends 3 of the asset "GOLD" to bob, with a text that no contract reads.',
    );
  });

  test('a transfer of a token that the reader knows is a payment, of any other contract a call', () => {
    const tokenOf = (address: string) =>
      address === 'exc' ? { symbol: 'E\u202eXC', amountText: (units: bigint) => `${units}u` } : undefined;
    const told = (destAddress: string, params: object, amount = 0n, method = 'transfer') => {
      const input = JSON.stringify({ method, params });
      return describeTransaction(transaction({ payCoin: { destAddress, amount, input } }), { tokenOf });
    };
    assert.equal(told('exc', { to: 'bob', value: '25' }), 'ada pays 25u "E\u{fffd}XC" to bob.');
    const call = 'ada calls "transfer" of the contract ';
    assert.equal(told('other', { to: 'bob', value: '25' }), `${call}other.`);
    assert.equal(told('exc', { to: 'bob', value: '25', more: 1 }), `${call}exc.`);
    assert.equal(told('exc', { to: 'bob', value: '25' }, 1n), `${call}exc with 0.000001 Gas.`);
    const allowed = { spender: 'bob', value: '25' };
    assert.equal(told('exc', allowed, 0n, 'approve'), 'ada lets bob take 25u "E\u{fffd}XC".');
    assert.equal(told('other', allowed, 0n, 'approve'), 'ada calls "approve" of the contract other.');
  });

  test('reads a record of the interface, and nothing where there is none', () => {
    const message = transaction({ type: 7, payCoin: { destAddress: 'bob', amount: 2n ** 62n } });
    const read = transactionOfRecord({ transaction: transactionToJson(message) });
    assert.ok(read);
    assert.equal(describeTransaction(read), 'ada pays 4,611,686,018,427.387904 Gas to bob.');
    for (const record of [{ transaction: 7 }, { transaction: { nonce: 'x' } }])
      assert.equal(transactionOfRecord(record), undefined);
  });

  test('never carries what steers a terminal, however the texts are chosen', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(text, text, text, (key, input, destAddress) => {
        const told = sentence(
          { setMetadata: { key } },
          { payCoin: { destAddress, input } },
          { payCoin: { destAddress: 'x', input: JSON.stringify({ method: input }) } },
        );
        assert.doesNotMatch(told, /[\p{Cc}\p{Cf}\p{Cs}]/u);
        assert.ok(told.length < 1_000);
      }),
    );
    assert.equal(plainText('\u001b[31mred\u202e\n'), '\u{fffd}[31mred\u{fffd}\u{fffd}');
  });
});

describe('an amount in Gas', () => {
  const cases: [bigint, string][] = [
    [0n, '0 Gas'],
    [1n, '0.000001 Gas'],
    [1_000_000n, '1 Gas'],
    [1_234_500_000_000n, '1,234,500 Gas'],
    [-1_500_000n, '-1.5 Gas'],
    [2n ** 63n - 1n, '9,223,372,036,854.775807 Gas'],
  ];
  for (const [amount, text] of cases) test(text, () => assert.equal(coinText(amount), text));

  test('is exact', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (amount) => {
        const [whole, fraction = ''] = coinText(amount).replace(' Gas', '').replaceAll(',', '').split('.');
        assert.equal(BigInt(whole + fraction.padEnd(6, '0')), amount);
      }),
    );
  });
});
