import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { transactionLimits } from '@symbolon/core/limits/consensus';
import { queryLimits } from '@symbolon/core/limits/requests';
import { SignatureSchema } from '@symbolon/core/proto/ledger_pb';
import fc from 'fast-check';
import { isRefusal } from '../http/envelope.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import {
  readBlob,
  readSubmit,
  readTest,
  readTransactionToEncode,
  type SubmitItem,
  type SubmitRequest,
} from './transaction-requests.ts';

const log = { type: 8, log: { topic: 't', datas: ['d'] } };
const evaluated = { source_address: 'a', nonce: 7, operations: [log] };
const order = { ...evaluated, fee_limit: 1, gas_price: 1 };
const signature = { public_key: 'b001', sign_data: '0102' };
const read = create(SignatureSchema, { publicKey: 'b001', signData: Uint8Array.of(1, 2) });

function items(body: JsonObject): readonly SubmitItem[] {
  const request = readSubmit({}, body);
  assert.ok(!isRefusal(request));
  return request.items;
}

function refusalOf(body: JsonObject): { code: number; blob: Uint8Array | undefined; text: string } {
  const [item] = items(body);
  assert.equal(item.kind, 'refused');
  assert.ok(item.kind === 'refused');
  return { code: item.refusal.code, blob: item.blob, text: item.refusal.description };
}

function codeOf(result: unknown): number {
  assert.ok(isRefusal(result), 'should have been refused');
  return result.code;
}

describe('submitTransaction', () => {
  it('reads the flat shape and the list alike', () => {
    const expected = [{ kind: 'signed', blob: Uint8Array.of(0x0a), signatures: [read] }];
    assert.deepEqual(items({ transaction_blob: '0a', ...signature }), expected);
    assert.deepEqual(items({ items: [{ transaction_blob: '0A', signatures: [signature] }] }), expected);
  });

  it('reads every item on its own', () => {
    const kinds = items({
      items: [
        { transaction_blob: '0a', signatures: [signature, signature] },
        { transaction_blob: 'x', signatures: [signature] },
        { transaction_json: order, private_keys: ['privB'] },
        'nonsense',
        { transaction_blob: '0a', signatures: [] },
      ],
    }).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['signed', 'refused', 'unsigned', 'refused', 'signed']);
  });

  it('refuses bad blobs and signatures by item, keeping a blob that could be read', () => {
    for (const transaction_blob of [undefined, null, '', 'abc', 'zz', 5, {}, ['0a']] as JsonValue[])
      assert.deepEqual(refusalOf({ transaction_blob, ...signature }).code, codes.invalidParameter);
    const signatures: JsonValue[] = [
      'x',
      {},
      [5],
      [null],
      [{}],
      [{ ...signature, sign_data: '0' }],
      [{ ...signature, sign_data: '' }],
      [{ ...signature, sign_data: 12 }],
      [{ ...signature, public_key: '' }],
      [{ ...signature, public_key: 5 }],
      [{ ...signature, public_key: 'b'.repeat(1_000) }],
      Array.from({ length: transactionLimits.signaturesMax + 1 }, () => signature),
    ];
    for (const bad of signatures) {
      const { code, blob } = refusalOf({ items: [{ transaction_blob: '0a', signatures: bad }] });
      assert.equal(code, codes.invalidParameter);
      assert.deepEqual(blob, Uint8Array.of(0x0a));
    }
    assert.equal(refusalOf({ transaction_blob: '0a' }).text, 'public_key: is missing');
    assert.equal(refusalOf({ ...signature }).text, 'transaction_blob: is missing');
  });

  it('refuses a signature beside the list of them, which nobody would look at', () => {
    const item = { transaction_blob: '0a', signatures: [signature] };
    assert.equal(refusalOf({ ...item, sign_data: '0a' }).text, 'sign_data: belongs into signatures');
    assert.equal(refusalOf({ ...item, public_key: 'b001' }).text, 'public_key: belongs into signatures');
    const [read] = (readSubmit({}, { ...item, sign_data: null, public_key: '' }) as SubmitRequest).items;
    assert.equal(read.kind, 'signed');
  });

  it('refuses a member of a signature that is not known, by its name', () => {
    const of = (extra: JsonObject) =>
      refusalOf({ items: [{ transaction_blob: '0a', signatures: [signature, { ...signature, ...extra }] }] });
    assert.deepEqual(of({ weight: 1 }), {
      code: codes.invalidParameter,
      blob: Uint8Array.of(0x0a),
      text: 'signatures: "weight" is not known here; known are "public_key", "sign_data"',
    });
    for (const [name, meant] of [
      ['signData', 'sign_data'],
      ['publicKey', 'public_key'],
    ])
      assert.match(of({ [name]: null }).text, new RegExp(`"${name}".*did you mean "${meant}"`));
    const flat = { transaction_blob: '0a', ...signature, weight: 1 };
    assert.match(refusalOf(flat).text, /^"weight" is not known here/);
  });

  it('refuses an order beside a blob: one of them would be passed over', () => {
    const signed = { transaction_blob: '0a', signatures: [signature] };
    const unsigned = { transaction_json: order, private_keys: ['privB'] };
    const texts = [
      refusalOf({ items: [{ ...signed, ...unsigned }] }).text,
      refusalOf({ items: [{ ...unsigned, signatures: [signature] }] }).text,
      refusalOf({ ...unsigned, ...signature }).text,
      refusalOf({ ...signed, private_keys: ['privB'] }).text,
      refusalOf({ ...signed, transaction_json: 'x' }).text,
    ];
    assert.deepEqual(texts, [
      'transaction_blob: does not go with transaction_json',
      'signatures: does not go with transaction_json',
      'public_key: does not go with transaction_json',
      'private_keys: does not go with transaction_blob',
      'transaction_json: must be an object',
    ]);
    const blanks = { transaction_json: null, private_keys: [], sign_data: '' };
    assert.equal(items({ items: [{ ...signed, ...blanks }] })[0].kind, 'signed');
  });

  it('refuses a blob beyond the size limit before decoding it', () => {
    const transaction_blob = '00'.repeat(transactionLimits.envelopeBytesMax + 1);
    assert.equal(refusalOf({ transaction_blob, ...signature }).code, codes.transactionTooBig);
  });

  it('refuses bad private keys without repeating them', () => {
    const of = (private_keys: JsonValue) => refusalOf({ items: [{ transaction_json: order, private_keys }] });
    for (const keys of [null, [], 'privB', {}]) assert.equal(of(keys).code, codes.invalidParameter);
    for (const keys of [[5], ['privSecret', {}], ['x'.repeat(1_000)]]) {
      assert.equal(of(keys).code, codes.invalidPrivateKey);
      assert.ok(!of(keys).text.includes('privSecret'));
    }
    assert.equal(
      refusalOf({ transaction_json: { nonce: 'x' }, private_keys: ['p'] }).text,
      'nonce: must be an integer',
    );
  });

  it('bounds the number of items', () => {
    assert.equal(codeOf(readSubmit({}, { items: [] })), codes.invalidParameter);
    const many = Array.from({ length: queryLimits.submitItemsMax + 1 }, () => null);
    assert.equal(codeOf(readSubmit({}, { items: many })), codes.invalidParameter);
  });
});

describe('testTransaction', () => {
  const test = (body: JsonObject) => readTest({}, body);

  it('reads the flat body, an item with JSON and an item with a blob', () => {
    const flat = test({ ...evaluated, signature_number: '3' });
    assert.ok(!isRefusal(flat) && flat.transaction?.nonce === 7n && flat.signatureCount === 3);
    const item = test({ items: [{ transaction_json: { ...evaluated, nonce: '6' } }] });
    assert.ok(!isRefusal(item) && item.transaction?.nonce === 6n && item.signatureCount === 1);
    const blob = test({ items: [{ transaction_blob: '0a', signatures: [signature, signature] }] });
    assert.deepEqual(blob, { blob: Uint8Array.of(0x0a), signatureCount: 2 });
  });

  it('refuses none, several, and what is no transaction', () => {
    const bad: JsonValue[] = [
      [],
      [{}, {}],
      [5],
      [null],
      [{}],
      [{ transaction_json: 5 }],
      [{ transaction_blob: 'x' }],
    ];
    for (const list of bad) assert.equal(codeOf(test({ items: list })), codes.invalidParameter);
    assert.equal(codeOf(test({ nonce: 'x' })), codes.invalidParameter);
    for (const signature_number of [-1, 101, 'x', 1.5, [], '9223372036854775807'])
      assert.equal(codeOf(test({ ...evaluated, signature_number })), codes.invalidParameter);
    assert.equal(codeOf(test({ ...evaluated, operations: [] })), codes.noOperations);
  });
});

describe('blobs', () => {
  it('are asked for with the transaction as body or in transfer', () => {
    const bodies: JsonObject[] = [order, { transfer: order }, { transfer: null, ...order }];
    for (const body of bodies) {
      const request = readTransactionToEncode({}, body);
      assert.ok(!isRefusal(request) && request.transaction.nonce === 7n);
    }
    const refusal = readTransactionToEncode({}, { transfer: { operations: 5 } });
    assert.deepEqual(refusal, { code: codes.invalidParameter, description: 'operations: must be an array' });
  });

  it('are shown from hex', () => {
    assert.deepEqual(readBlob({ blob: '0a', env: true }), { blob: Uint8Array.of(0x0a), isEnvelope: true });
    assert.deepEqual(readBlob({ blob: '0a', env: false }), { blob: Uint8Array.of(0x0a), isEnvelope: false });
    for (const blob of [undefined, 'x', '0'])
      assert.equal(codeOf(readBlob({ blob })), codes.invalidParameter);
  });
});

describe('hostile bodies', () => {
  it('give a request or a refusal, never an exception', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const names = fc.constantFrom(
      'items',
      'transaction_blob',
      'signatures',
      'transaction_json',
      'private_keys',
      'transfer',
    );
    fc.assert(
      fc.property(fc.dictionary(names, value), fc.dictionary(names, value), (body, item) => {
        for (const hostile of [body, { items: [item] }] as JsonObject[]) {
          readSubmit({}, hostile);
          readTest({}, hostile);
          readTransactionToEncode({}, hostile);
        }
      }),
    );
  });
});
