import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { concatBytes, encodeHex, parseHex } from '../../basics/bytes.ts';
import { transactionLimits } from '../../limits/consensus.ts';
import { SignatureSchema, TransactionEnvSchema, TransactionSchema } from '../../proto/ledger_pb.ts';
import { countFields } from './field-count.ts';
import {
  accountKeysOf,
  decodeTransaction,
  encodeTransaction,
  envelopeOf,
  openTransaction,
  openTriggered,
} from './transaction.ts';

const vectorsUrl = new URL('../../../vectors/ledger/transactions.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(vectorsUrl, 'utf8'));
const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const bytesOf = (text: string): Uint8Array => parseHex(text) as Uint8Array;

describe('transaction blobs', () => {
  for (const vector of vectors) {
    it(`hash, size and envelope of "${vector.name}" (${vector.layout})`, () => {
      const signatures = (vector.signatures ?? []).map((entry: { public_key: string; sign_data: string }) =>
        create(SignatureSchema, { publicKey: entry.public_key, signData: bytesOf(entry.sign_data) }),
      );
      const opened = openTransaction(bytesOf(vector.transaction_blob), signatures, sha256);
      assert(opened);
      assert.equal(encodeHex(opened.hash), vector.hash);
      const envelope = encodeHex(toBinary(TransactionEnvSchema, envelopeOf(opened)));
      assert.equal(opened.envelopeBytes, envelope.length / 2);
      // Of a blob that is not canonical the vector gives the envelope of a re-encoding; ours keeps what was signed.
      if (vector.blob_is_canonical) {
        assert.equal(opened.envelopeBytes, vector.tx_size);
        assert.equal(envelope, vector.transaction_env_hex);
      } else assert(envelope.includes(vector.transaction_blob));
      assert.equal(opened.transaction.sourceAddress, vector.transaction_json.source_address);
      assert.equal(opened.transaction.operations.length, vector.transaction_json.operations.length);
      if (vector.layout === 'zetrix') {
        const isSame = encodeHex(encodeTransaction(opened.transaction)) === vector.transaction_blob;
        assert.equal(isSame, vector.blob_is_canonical, 're-encoding agrees exactly for canonical blobs');
      }
    });
  }

  it('have envelopes of the size that encoding them gives, whatever the signatures', () => {
    const [{ transaction_blob }] = vectors;
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const signature = fc.record({
      publicKey: text,
      signData: fc.uint8Array({ maxLength: 20_000, size: 'max' }),
    });
    fc.assert(
      fc.property(fc.array(signature, { maxLength: 5 }), (fields) => {
        const signatures = fields.map((field) => create(SignatureSchema, field));
        const opened = openTransaction(bytesOf(transaction_blob), signatures, sha256);
        assert(opened);
        assert.equal(opened.envelopeBytes, toBinary(TransactionEnvSchema, envelopeOf(opened)).length);
      }),
    );
  });

  it('with a field nobody knows are refused, at every depth', () => {
    const [{ transaction_blob }] = vectors;
    const blob = bytesOf(transaction_blob);
    assert(decodeTransaction(blob));
    assert.equal(decodeTransaction(concatBytes(blob, Uint8Array.of(0xf8, 0x01, 0x01))), undefined);
    // An operation {type: 7, field 99: 1}.
    const operation = Uint8Array.of(0x22, 0x05, 0x08, 0x07, 0x98, 0x06, 0x01);
    assert.equal(decodeTransaction(operation), undefined);
  });

  it('with more fields than a transaction may have are refused, in either layout', () => {
    const { fieldsMax } = transactionLimits;
    for (const tag of [0x22, 0x3a]) {
      const of = (count: number) => new Uint8Array(2 * count).map((_, at) => (at % 2 === 0 ? tag : 0));
      assert.equal(decodeTransaction(of(fieldsMax))?.operations.length, fieldsMax);
      assert.equal(decodeTransaction(of(fieldsMax + 1)), undefined);
    }
    const [{ transaction_blob }] = vectors;
    const whole = { transaction: bytesOf(transaction_blob) };
    assert(countFields(bytesOf(transaction_blob), TransactionSchema, fieldsMax) > 5);
    assert.equal(
      countFields(
        toBinary(TransactionEnvSchema, create(TransactionEnvSchema, whole)),
        TransactionEnvSchema,
        9,
      ),
      1,
    );
  });

  it('that are cut off, wrongly typed or not UTF-8 are refused without a throw', () => {
    const blob = bytesOf(vectors[0].transaction_blob);
    for (let length = 1; length < blob.length; length++) {
      const decoded = decodeTransaction(blob.subarray(0, length));
      if (decoded) assert.notEqual(encodeHex(encodeTransaction(decoded)), vectors[0].transaction_blob);
    }
    assert.equal(decodeTransaction(Uint8Array.of(0x0a, 0x02, 0xc3, 0x28)), undefined);
    assert.equal(decodeTransaction(Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f)), undefined);
  });

  it('survive a round trip with any content', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed());
    const arbitrary = fc.record({
      sourceAddress: text,
      nonce: int64,
      feeLimit: int64,
      gasPrice: int64,
      ceilLedgerSeq: int64,
      chainId: int64,
      metadata: fc.uint8Array(),
      operations: fc.array(
        fc.record({
          type: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
          payCoin: fc.option(fc.record({ destAddress: text, amount: int64, input: text }), {
            nil: undefined,
          }),
          setMetadata: fc.option(fc.record({ key: text, value: text, version: int64 }), { nil: undefined }),
        }),
        { minLength: 1 },
      ),
    });
    fc.assert(
      fc.property(arbitrary, (fields) => {
        const transaction = create(TransactionSchema, fields);
        const blob = encodeTransaction(transaction);
        assert.deepEqual(decodeTransaction(blob), transaction);
        assert.deepEqual(openTriggered(transaction, sha256), openTransaction(blob, [], sha256));
      }),
    );
  });
});

describe('a transaction', () => {
  it('names the accounts that executing it reads', () => {
    const transaction = create(TransactionSchema, {
      sourceAddress: 'source',
      operations: [
        { payCoin: { destAddress: 'paid' } },
        { sourceAddress: 'other', payAsset: { destAddress: 'given' } },
        { createAccount: { destAddress: 'created' } },
        { log: { topic: 't' } },
      ],
    });
    assert.deepEqual(
      accountKeysOf(transaction),
      ['source', 'paid', 'other', 'given', 'created'].map((name) => `account/${name}`),
    );
  });
});
