import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, equals, toBinary } from '@bufbuild/protobuf';
import {
  AccountSchema,
  ConsensusValueSchema,
  CreateAccountSchema,
  LedgerHeaderSchema,
  SetMetadataSchema,
  SignerSchema,
  TransactionEnvStoreSchema,
  TransactionSchema,
} from '@symbolon/core/proto/ledger_pb';
import fc from 'fast-check';
import { type JsonValue, parseJson, stringifyJson } from './json.ts';
import { isReadError, messageFromJson, messageToJson } from './message-json.ts';

const errorOf = (schema: Parameters<typeof messageFromJson>[0], json: JsonValue | undefined): string => {
  const result = messageFromJson(schema, json);
  assert.ok(isReadError(result), 'should have been refused');
  return result.error;
};

describe('messages to JSON', () => {
  it('leaves defaults out, sorts keys, prints hex and bare integers', () => {
    const account = create(AccountSchema, {
      address: 'a',
      balance: 100000000000000000n,
      assetsHash: Uint8Array.of(0xab, 0x01),
      priv: { masterWeight: 1n, thresholds: { txThreshold: 1n } },
    });
    assert.equal(
      stringifyJson(messageToJson(AccountSchema, account)),
      '{"address":"a","assets_hash":"ab01","balance":100000000000000000,' +
        '"priv":{"master_weight":1,"thresholds":{"tx_threshold":1}}}',
    );
  });

  it('shows a set but empty sub-message as null and an unset one not at all', () => {
    assert.deepEqual(messageToJson(AccountSchema, create(AccountSchema, { contract: {} })), {
      contract: null,
    });
    assert.deepEqual(messageToJson(AccountSchema, create(AccountSchema)), {});
    const nested = create(AccountSchema, { priv: { thresholds: {}, signers: [{}] } });
    assert.deepEqual(messageToJson(AccountSchema, nested), { priv: { signers: [null], thresholds: null } });
  });

  it('renders lists of bytes, numbers and texts', () => {
    const store = create(TransactionEnvStoreSchema, {
      contractTxHashes: [Uint8Array.of(1), Uint8Array.of()],
    });
    assert.deepEqual(messageToJson(TransactionEnvStoreSchema, store), { contract_tx_hashes: ['01', ''] });
    const value = create(ConsensusValueSchema, { validation: { errorTxIds: [0, 2] } });
    assert.deepEqual(messageToJson(ConsensusValueSchema, value), { validation: { error_tx_ids: [0, 2] } });
  });
});

describe('messages from JSON', () => {
  it('takes numbers, bigints and decimal text for integers; blank and null count as 0', () => {
    for (const [json, expected] of [
      [5, 5n],
      [-5, -5n],
      ['5', 5n],
      ['-0', 0n],
      ['007', 7n],
      ['', 0n],
      [null, 0n],
      [9223372036854775807n, 2n ** 63n - 1n],
      ['-9223372036854775808', -(2n ** 63n)],
    ] as const) {
      const signer = messageFromJson(SignerSchema, { weight: json });
      assert.ok(!isReadError(signer));
      assert.equal(signer.weight, expected);
    }
  });

  it('refuses what is no integer or does not fit', () => {
    for (const json of [
      1.5,
      2 ** 53,
      1e300,
      'x',
      '1.0',
      ' 1',
      '1e3',
      '0x10',
      '+1',
      true,
      [],
      {},
      '9'.repeat(21),
    ])
      assert.equal(errorOf(SignerSchema, { weight: json }), 'weight: must be an integer', String(json));
    for (const json of [9223372036854775808n, '-9223372036854775809', '99999999999999999999'])
      assert.equal(errorOf(SignerSchema, { weight: json }), 'weight: is beyond 64 bits');
    for (const json of [2147483648, -2147483649, '4294967296'])
      assert.equal(errorOf(TransactionEnvStoreSchema, { error_code: json }), 'error_code: is beyond 32 bits');
  });

  it('takes numbers for texts, and refuses everything else and half characters', () => {
    const signer = messageFromJson(SignerSchema, { address: 12345678901234567890n });
    assert.ok(!isReadError(signer));
    assert.equal(signer.address, '12345678901234567890');
    for (const json of [true, [], {}, Number.POSITIVE_INFINITY])
      assert.equal(errorOf(SignerSchema, { address: json }), 'address: must be a string');
    assert.equal(errorOf(SignerSchema, { address: 'x\ud800y' }), 'address: is not Unicode text');
    assert.ok(!isReadError(messageFromJson(SignerSchema, { address: '\u{1f600}' })));
  });

  it('takes hex of even length for bytes, in either case', () => {
    const header = messageFromJson(LedgerHeaderSchema, { hash: 'aBc0' });
    assert.ok(!isReadError(header));
    assert.deepEqual(header.hash, Uint8Array.of(0xab, 0xc0));
    for (const json of ['abc', 'zz', '0x00', 12, [1], {}, true])
      assert.equal(errorOf(LedgerHeaderSchema, { hash: json }), 'hash: must be hex of even length');
  });

  it('takes truth values in their usual spellings', () => {
    for (const json of [true, 1, 'true']) {
      const body = messageFromJson(SetMetadataSchema, { delete_flag: json });
      assert.ok(!isReadError(body) && body.deleteFlag);
    }
    for (const json of ['yes', 2, [], {}])
      assert.equal(errorOf(SetMetadataSchema, { delete_flag: json }), 'delete_flag: must be true or false');
  });

  it('says where it failed, down to the element', () => {
    const at = (json: JsonValue) => errorOf(TransactionSchema, json);
    assert.equal(at({ operations: {} }), 'operations: must be an array');
    assert.equal(at({ operations: [{}, 5] }), 'operations[1]: must be an object');
    assert.equal(at({ operations: [{ log: { datas: 'x' } }] }), 'operations[0].log.datas: must be an array');
    assert.equal(
      at({ operations: [{ log: { datas: ['x', {}] } }] }),
      'operations[0].log.datas[1]: must be a string',
    );
    assert.equal(errorOf(CreateAccountSchema, { priv: [] }), 'priv: must be an object');
    for (const json of [undefined, null, [], 'x', 5])
      assert.equal(errorOf(TransactionSchema, json), 'must be an object');
  });

  it('ignores unknown keys and those every object inherits', () => {
    const json = parseJson('{"nonce":1,"__proto__":{"fee_limit":5},"toString":1,"extra":{"deep":[1]}}');
    const transaction = messageFromJson(TransactionSchema, json);
    assert.ok(!isReadError(transaction));
    assert.ok(equals(TransactionSchema, transaction, create(TransactionSchema, { nonce: 1n })));
  });

  it('bounds the number of objects a body can cost', () => {
    const signers = Array.from({ length: 60_000 }, () => ({}));
    const priv = { signers, thresholds: { type_thresholds: signers } };
    assert.equal(
      errorOf(CreateAccountSchema, { priv }),
      'priv.thresholds.type_thresholds: has too many elements',
    );
  });

  it('gives back every account that it showed', () => {
    const text = fc.string({ unit: 'binary' }).filter((candidate) => !/\p{Surrogate}/u.test(candidate));
    const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
    const nonZero = int64.filter((value) => value !== 0n);
    const account = fc.record({
      address: text,
      nonce: int64,
      balance: int64,
      assetsHash: fc.uint8Array(),
      priv: fc.record({
        masterWeight: nonZero,
        signers: fc.array(fc.record({ address: text, weight: nonZero })),
        thresholds: fc.record({ txThreshold: nonZero }),
      }),
    });
    fc.assert(
      fc.property(account, (init) => {
        const message = create(AccountSchema, init);
        const json = parseJson(stringifyJson(messageToJson(AccountSchema, message)));
        const back = messageFromJson(AccountSchema, json);
        assert.ok(!isReadError(back));
        assert.deepEqual(toBinary(AccountSchema, back), toBinary(AccountSchema, message));
      }),
    );
  });
});
