import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeHex, encodeUtf8, parseHex } from '@symbolon/core/basics/bytes';
import { type Operation, type Transaction, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { TransactionSchema as LegacyTransactionSchema } from '@symbolon/core/proto/legacy_pb';
import fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../json/json.ts';
import { isReadError, messageFromJson, messageToJson } from '../json/message-json.ts';
import { transactionFromJson, transactionFromRecord, transactionToJson } from './transaction-json.ts';

interface Vector {
  readonly name: string;
  readonly layout: 'zetrix' | 'bumo';
  readonly transaction_json: JsonObject;
  readonly transaction_blob: string;
  readonly blob_is_canonical: boolean;
  readonly canonical_blob?: string;
}

const vectorsUrl = new URL('../../../core/vectors/ledger/transactions.json', import.meta.url);
const { vectors } = parseJson(readFileSync(vectorsUrl, 'utf8')) as unknown as { vectors: Vector[] };

const bytesOf = (hex: string): Uint8Array => parseHex(hex) as Uint8Array;

/** Shapes are the same wherever a transaction comes from; what an order needs is tested for itself. */
function read(json: JsonValue): Transaction {
  const transaction = transactionFromRecord(json);
  assert.ok(!isReadError(transaction), isReadError(transaction) ? transaction.error : '');
  return transaction;
}

const operation = (json: JsonObject): Operation => read({ operations: [json] }).operations[0];

function errorOf(json: JsonValue | undefined, from = transactionFromRecord): string {
  const result = from(json);
  assert.ok(isReadError(result), 'should have been refused');
  return result.error;
}

/** What is always shown of the elements of a list. */
const alwaysShown: Readonly<Record<string, JsonObject>> = {
  signers: { weight: 0 },
  type_thresholds: { threshold: 0 },
};

/** What the vectors write as `{}` and as decimal text is shown as null and as a number. */
function asShown(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(asShown);
  if (!isJsonObject(json)) return json;
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(json)) {
    if (isJsonObject(value) && Object.keys(value).length === 0) shown[name] = null;
    else if (name === 'amount') shown[name] = parseJson(String(value));
    else if (name === 'metadata') {
      shown[name] = value;
      shown.metadata_text = Buffer.from(value as string, 'hex').toString();
    } else if (name in alwaysShown)
      shown[name] = (value as JsonObject[]).map((it) => ({ ...alwaysShown[name], ...it }));
    else shown[name] = asShown(value);
  }
  return shown;
}

describe('transaction vectors', () => {
  it('cover both layouts', () => assert.ok(vectors.length >= 22));

  for (const vector of vectors) {
    const { name, layout, transaction_json: json } = vector;
    const blob = bytesOf(vector.canonical_blob ?? vector.transaction_blob);

    if (layout === 'zetrix') {
      it(`${name}: JSON to blob and back`, () => {
        assert.equal(encodeHex(toBinary(TransactionSchema, read(json))), encodeHex(blob));
        const shown = transactionToJson(fromBinary(TransactionSchema, bytesOf(vector.transaction_blob)));
        assert.deepEqual(parseJson(stringifyJson(shown)), withNumbers(asShown(json)));
      });
    } else {
      it(`${name}, older layout: JSON to blob and back`, () => {
        const transaction = messageFromJson(LegacyTransactionSchema, json);
        assert.ok(!isReadError(transaction));
        assert.equal(encodeHex(toBinary(LegacyTransactionSchema, transaction)), encodeHex(blob));
        const shown = messageToJson(LegacyTransactionSchema, fromBinary(LegacyTransactionSchema, blob));
        // The older layout is never shown: notes in it have no text.
        const { metadata_text: _, ...expected } = withNumbers(asShown(json)) as JsonObject;
        assert.deepEqual(shown, expected);
      });
    }
  }
});

/** Top-level integers of a vector may be decimal text too. */
function withNumbers(json: JsonValue): JsonValue {
  assert.ok(isJsonObject(json));
  const numbers = ['nonce', 'fee_limit', 'gas_price', 'ceil_ledger_seq', 'chain_id'];
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      numbers.includes(name) ? parseJson(String(value)) : value,
    ]),
  );
}

describe('flat shapes of the interface document', () => {
  const same = (flat: JsonObject, nested: JsonObject) => assert.deepEqual(operation(flat), operation(nested));

  it('pay_asset', () => {
    same(
      { type: 3, pay_asset: { dest_address: 'd', issuer: 'i', code: 'CNY', amount: '10', input: 'x' } },
      {
        type: 3,
        pay_asset: {
          dest_address: 'd',
          asset: { key: { issuer: 'i', code: 'CNY' }, amount: 10 },
          input: 'x',
        },
      },
    );
    assert.equal(
      operation({ type: 3, pay_asset: { dest_address: 'd', issuer: '', code: null } }).payAsset?.asset,
      undefined,
    );
  });

  it('refuses a flat member that contradicts a nested one', () => {
    const body = { asset: { key: { issuer: 'i', code: 'A' }, amount: 1 } };
    const of = (more: JsonObject) => errorOf({ operations: [{ pay_asset: { ...body, ...more } }] });
    assert.equal(of({ code: 'B' }), 'operations[0].pay_asset.code: asset.key.code says something else');
    assert.equal(of({ amount: 2 }), 'operations[0].pay_asset.amount: asset.amount says something else');
    assert.equal(
      operation({ pay_asset: { ...body, code: 'A', amount: '1' } }).payAsset?.asset?.amount,
      1n,
      'twice the same is once',
    );
  });

  it('create_account, normal and contract', () => {
    same(
      {
        type: 1,
        create_account: { dest_address: 'd', init_balance: 5, master_weight: 1, tx_threshold: '1' },
      },
      {
        type: 1,
        create_account: {
          dest_address: 'd',
          init_balance: 5,
          priv: { master_weight: 1, thresholds: { tx_threshold: 1 } },
        },
      },
    );
    same(
      { type: 1, create_account: { payload: 'code', init_input: 'i', master_weight: 0, tx_threshold: 1 } },
      {
        type: 1,
        create_account: {
          contract: { payload: 'code' },
          init_input: 'i',
          priv: { thresholds: { tx_threshold: 1 } },
        },
      },
    );
  });

  it('create_account with priv written like set_privilege, or partly flat', () => {
    same(
      {
        create_account: {
          priv: { master_weight: 1, tx_threshold: 1, type_thresholds: [{ type: 'LOG', threshold: 2 }] },
        },
      },
      {
        create_account: {
          priv: {
            master_weight: 1,
            thresholds: { tx_threshold: 1, type_thresholds: [{ type: 8, threshold: 2 }] },
          },
        },
      },
    );
    same(
      {
        create_account: {
          contract: { owner: 'o' },
          payload: 'code',
          priv: { master_weight: 3 },
          tx_threshold: 9,
          master_weight: '3',
        },
      },
      {
        create_account: {
          contract: { owner: 'o', payload: 'code' },
          priv: { master_weight: 3, thresholds: { tx_threshold: 9 } },
        },
      },
    );
  });

  it('blank flat members make nothing', () => {
    const body = operation({
      create_account: { payload: '', master_weight: '', tx_threshold: null },
    }).createAccount;
    assert.equal(body?.contract, undefined);
    assert.equal(body?.priv, undefined);
  });

  it('pay_coin amount as number, text or the only element of an array', () => {
    for (const amount of [7, '7', [7], ['7']])
      assert.equal(operation({ pay_coin: { amount } }).payCoin?.amount, 7n);
    for (const amount of [[], [1, 2], [[1]], ['x'], {}])
      assert.equal(
        errorOf({ operations: [{ pay_coin: { amount } }] }),
        'operations[0].pay_coin.amount: must be an integer',
      );
  });

  it('set_privilege weights as numbers or texts, absent and 0 told apart', () => {
    assert.equal(operation({ set_privilege: { master_weight: 0 } }).setPrivilege?.masterWeight, '0');
    assert.equal(operation({ set_privilege: { master_weight: '12' } }).setPrivilege?.masterWeight, '12');
    assert.equal(
      operation({ set_privilege: { tx_threshold: 9223372036854775807n } }).setPrivilege?.txThreshold,
      '9223372036854775807',
    );
    assert.equal(operation({ set_privilege: {} }).setPrivilege?.masterWeight, '');
  });

  it('refuses flat members of the wrong kind where they stand', () => {
    const of = (create_account: JsonObject) => errorOf({ operations: [{ create_account }] });
    assert.equal(of({ payload: {} }), 'operations[0].create_account.contract.payload: must be a string');
    assert.equal(of({ priv: 5, master_weight: 1 }), 'operations[0].create_account.priv: must be an object');
    assert.equal(
      of({ tx_threshold: 'x' }),
      'operations[0].create_account.priv.thresholds.tx_threshold: must be an integer',
    );
  });
});

describe('notes', () => {
  const note = (metadata: JsonValue): Uint8Array => read({ metadata }).metadata;

  it('reads hex, other text, byte lists and index-keyed objects', () => {
    assert.deepEqual(note('6869'), encodeUtf8('hi'));
    assert.deepEqual(note('ABcd'), Uint8Array.of(0xab, 0xcd));
    assert.deepEqual(note('hello'), encodeUtf8('hello'));
    assert.deepEqual(note('abc'), encodeUtf8('abc'));
    assert.deepEqual(note('✓ 12'), encodeUtf8('✓ 12'));
    assert.deepEqual(note([110, 111]), encodeUtf8('no'));
    assert.deepEqual(note({ 0: 110, 1: 111 }), encodeUtf8('no'));
    assert.deepEqual(operation({ metadata: { 0: 1 } }).metadata, Uint8Array.of(1));
    assert.deepEqual(read({ metadata_text: '6869' }).metadata, encodeUtf8('6869'));
    assert.deepEqual(operation({ metadata_text: 'hi', metadata: '6869' }).metadata, encodeUtf8('hi'));
    for (const blank of ['', null, [], {}]) assert.equal(note(blank).length, 0);
  });

  it('shows a text beside its bytes, and none where the bytes are no text', () => {
    const shown = (bytes: Uint8Array) => transactionToJson(create(TransactionSchema, { metadata: bytes }));
    assert.equal(shown(encodeUtf8('a ✓\tb\n')).metadata_text, 'a ✓\tb\n');
    assert.equal(shown(encodeUtf8('\ufeffx')).metadata_text, '\ufeffx');
    for (const bytes of [[0xff], [0x20, 0x00], [0x1b, 0x5b], [0xc2, 0x85], []])
      assert.ok(!('metadata_text' in shown(Uint8Array.from(bytes))), `${bytes}`);
    assert.equal(
      errorOf({ metadata: 'x', metadata_text: 'y' }),
      'metadata_text: metadata says something else',
    );
    assert.equal(errorOf({ metadata_text: 5 }), 'metadata_text: must be a string');
    assert.equal(
      errorOf({ metadata: {}, metadata_text: 'y' }),
      'metadata_text: metadata says something else',
    );
  });

  it('refuses what is no byte list', () => {
    const lists: JsonValue[] = [
      [256],
      [-1],
      [1.5],
      ['1'],
      [null],
      { 1: 5 },
      { a: 5 },
      { 0: 1, 2: 3 },
      { 0: 'x' },
      [[1]],
    ];
    for (const metadata of lists)
      assert.equal(
        errorOf({ metadata }),
        'metadata: must be a text or a list of byte values',
        JSON.stringify(metadata),
      );
    assert.equal(errorOf({ metadata: true }), 'metadata: must be a string');
    assert.equal(
      errorOf({ operations: [{ metadata: '\udc00' }] }),
      'operations[0].metadata: is not Unicode text',
    );
  });
});

describe('operation types', () => {
  it('by number, decimal text or name', () => {
    for (const type of [7, '7', 'PAY_COIN', 'pay_coin']) assert.equal(operation({ type }).type, 7);
    assert.equal(operation({}).type, 0);
  });

  it('refuses unknown ones by field', () => {
    for (const type of [11, -1, 100])
      assert.equal(errorOf({ operations: [{ type }] }), 'operations[0].type: is not an operation type');
    for (const type of ['PAY', 'constructor', '__proto__', 1.5, {}, []])
      assert.equal(errorOf({ operations: [{ type }] }), 'operations[0].type: must be an integer');
  });

  it('lets a type threshold name any type, for the ledger to judge', () => {
    const body = operation({
      set_privilege: { type_thresholds: [{ type: 100, threshold: 1 }] },
    }).setPrivilege;
    assert.equal(body?.typeThresholds[0].type, 100);
  });
});

describe('orders', () => {
  const error = (operation: JsonObject) => errorOf({ operations: [operation] }, transactionFromJson);

  it('say everything that would otherwise be read as zero or as nothing', () => {
    const log = { topic: 't', datas: ['d'] };
    const cases: [JsonObject, string][] = [
      [{}, 'type: is missing'],
      [{ type: 7 }, 'pay_coin: is missing: it is what type 7 takes'],
      [{ type: 'LOG', pay_coin: { dest_address: 'd' } }, 'log: is missing: it is what type 8 takes'],
      [{ type: 7, pay_coin: { dest_address: 'd' }, log }, 'log: type 7 takes pay_coin alone'],
      [
        { type: 5, set_signer_weight: { master_weight: 1 } },
        'type: no block takes SET_SIGNER_WEIGHT any more; use SET_PRIVILEGE',
      ],
      [{ type: { toString: 1 }, log }, 'type: must be an integer'],
      [{ type: 7, pay_coin: {} }, 'pay_coin.dest_address: is missing'],
      [{ type: 7, pay_coin: { dest_address: 'd' } }, 'pay_coin.amount: is missing'],
      [
        { type: 9, set_privilege: { signers: [{ address: 'a' }] } },
        'set_privilege.signers[0].weight: is missing',
      ],
      [{ type: 9, set_privilege: { signers: [null] } }, 'set_privilege.signers[0].address: is missing'],
      [{ type: 4, set_metadata: { key: 'k', delete_flag: false } }, 'set_metadata.value: is missing'],
      [{ type: 1, create_account: {} }, 'create_account.dest_address: is missing'],
    ];
    for (const [operation, words] of cases) assert.equal(error(operation), `operations[0].${words}`);
    const whole: JsonObject[] = [
      { type: 8, log },
      { type: '7', pay_coin: { dest_address: 'd', input: 'x' } },
      { type: 4, set_metadata: { key: 'k', delete_flag: 'true' } },
      { type: 4, set_metadata: { key: 'k', value: '' } },
      { type: 1, create_account: { payload: 'code' } },
      { type: 9, set_privilege: { signers: [{ address: 'a', weight: 0 }] } },
    ];
    for (const operation of whole) assert.ok(!isReadError(transactionFromJson({ operations: [operation] })));
  });

  it('and records alike have no member that is unknown', () => {
    for (const from of [transactionFromJson, transactionFromRecord]) {
      const of = (operation: JsonObject) => errorOf({ operations: [operation] }, from);
      assert.match(of({ type: 7, payCoin: {} }), /^operations\[0\]: "payCoin".*did you mean "pay_coin"/);
      assert.match(of({ type: 7, pay_coin: { dest_address: 'd', amout: 1 } }), /"amout".*"amount"/);
      assert.match(errorOf({ feeLimit: 1 }, from), /^"feeLimit".*"fee_limit"/);
      assert.match(of({ type: 8, log: JSON.parse('{"__proto__":1}') }), /"__proto__"/);
    }
  });

  it('are what is shown of them', () => {
    const shown = transactionToJson(
      read({
        operations: [
          { type: 9, set_privilege: { signers: [{ address: 'a' }], type_thresholds: [{ type: 1 }] } },
          { type: 4, set_metadata: { key: 'k' } },
        ],
      }),
    );
    assert.ok(!isReadError(transactionFromJson(shown)));
    assert.deepEqual(at(shown, 0, 'set_privilege'), {
      signers: [{ address: 'a', weight: 0 }],
      type_thresholds: [{ type: 1, threshold: 0 }],
    });
    assert.deepEqual(at(shown, 1, 'set_metadata'), { key: 'k', value: '' });
  });
});

const at = (transaction: JsonObject, index: number, body: string): JsonValue =>
  ((transaction.operations as JsonObject[])[index] as JsonObject)[body];

describe('hostile transactions', () => {
  it('answers an error or a transaction to anything, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 5 }), (value, other) => {
        const bodies = [
          value,
          { operations: [value, other] },
          { operations: [{ create_account: value, pay_asset: other }] },
        ];
        for (const body of bodies) {
          for (const from of [transactionFromJson, transactionFromRecord]) {
            const result = from(body as JsonValue);
            if (!isReadError(result)) toBinary(TransactionSchema, result);
          }
        }
      }),
    );
  });

  it('refuses what is no object', () => {
    for (const json of [undefined, null, 5, 'x', [], true]) assert.equal(errorOf(json), 'must be an object');
  });
});
