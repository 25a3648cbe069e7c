import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { concatBytes, encodeHex, encodeUtf8 } from '../basics/bytes.ts';
import { encodeTransaction } from '../ledger/terms/transaction.ts';
import { TransactionSchema } from '../proto/ledger_pb.ts';
import { TransactionSchema as LegacyTransactionSchema } from '../proto/legacy_pb.ts';
import { classifyBytes, isPlainMessage } from './signable-bytes.ts';

const transaction = create(TransactionSchema, {
  sourceAddress: 'ZTX3payer',
  nonce: 3n,
  feeLimit: 100n,
  operations: [{ type: 7, payCoin: { destAddress: 'ZTX3payee', amount: 5n } }],
});
const blob = encodeTransaction(transaction);
const legacy = toBinary(
  LegacyTransactionSchema,
  create(LegacyTransactionSchema, {
    sourceAddress: 'ZTX3payer',
    nonce: 3n,
    operations: [{ type: 7, payCoin: { destAddress: 'ZTX3payee', amount: 5n } }],
  }),
);
/** Field 99, a number. */
const unknownField = Uint8Array.of(0x98, 0x06, 0x01);

const kindOf = (bytes: Uint8Array) => classifyBytes(bytes).kind;

test('transactions of both layouts are recognised', () => {
  assert.equal(kindOf(blob), 'transaction');
  assert.equal(kindOf(legacy), 'transaction');
});

test('what has an unknown field is neither a transaction nor data', () => {
  assert.equal(kindOf(concatBytes(blob, unknownField)), 'dubious');
  assert.equal(kindOf(concatBytes(unknownField, blob)), 'dubious');
  assert.equal(kindOf(concatBytes(legacy, unknownField)), 'dubious');
});

test('what wallets sign besides transactions is data', () => {
  const texts = [
    '',
    'ZTX3Ta7d4GyAXD41H2kFCTd2eXhDesM83rvC3',
    '0123456789abcdef0123456789abcdef',
    '{"templateId":"did:zid:00","metadata":[{"key":"name","value":"x"}]}',
    '[{"templateId":"did:zid:00"}]',
    'eyJhbGciOiJFZERTQSJ9.eyJ2cCI6eyJ0eXBlIjpbXX19',
  ];
  for (const text of texts) {
    assert.equal(kindOf(encodeUtf8(text)), 'data', text);
    assert.ok(isPlainMessage(text, encodeUtf8(text)), text);
  }
});

test('printable text is never taken for a transaction', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 300 }), (text) => {
      assert.notEqual(kindOf(encodeUtf8(text)), 'transaction');
    }),
  );
});

test('a message that is a transaction, or spells one in hex, is none', () => {
  const hex = encodeHex(blob);
  for (const text of [hex, hex.toUpperCase(), ` ${hex}\n`, encodeHex(concatBytes(blob, unknownField))])
    assert.ok(!isPlainMessage(text, encodeUtf8(text)), text);
  // All its bytes are text, so it can be sent as a message.
  const asText = new TextDecoder('utf-8', { fatal: true }).decode(blob);
  assert.ok(!isPlainMessage(asText, blob));
});

test('no bytes make it throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void classifyBytes(bytes)));
  for (let cut = 1; cut < blob.length; cut++) assert.notEqual(kindOf(blob.subarray(0, cut)), undefined);
});
