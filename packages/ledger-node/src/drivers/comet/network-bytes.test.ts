/** What the short way of reading an envelope says is what decoding and encoding it again says, for whatever bytes come. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { concatBytes } from '@symbolon/core/basics/bytes';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { SignatureSchema, TransactionEnvSchema } from '@symbolon/core/proto/ledger_pb';
import fc from 'fast-check';
import { person } from '../../testing/people.ts';
import { verified } from '../../testing/test-chain.ts';
import { openAnyEnvelope, openNetworkBytes } from './network-bytes.ts';

const [bob, eve] = [person('bob'), person('eve')];
const { signed } = verified({
  source: bob,
  nonce: 1n,
  signers: [bob, eve],
  operations: [operation('log', { topic: 't', datas: ['d'] })],
});

const envelope = (signatures: readonly { publicKey: string; signData: Uint8Array }[]): Uint8Array =>
  toBinary(
    TransactionEnvSchema,
    create(TransactionEnvSchema, {
      transaction: signed.blob,
      signatures: signatures.map((each) => create(SignatureSchema, each)),
    }),
  );

const good = envelope(signed.signatures);
const signData = Uint8Array.of(1);
const first = good.subarray(0, 1);

const cases: Record<string, Uint8Array> = {
  'two signatures': good,
  'no signature': envelope([]),
  'a key in letters beyond ASCII': envelope([{ publicKey: 'ключ', signData }]),
  'a signature without a key': envelope([{ publicKey: '', signData }]),
  'a signature without bytes': envelope([{ publicKey: 'key', signData: new Uint8Array(0) }]),
  'a key that is no UTF-8, as long as what it is read as': concatBytes(
    envelope([]),
    Uint8Array.of(0x12, 0x08, 0x0a, 0x03, 0xf0, 0x9f, 0x98, 0x12, 0x01, 0x01),
  ),
  'fields of a signature in the other order': concatBytes(
    envelope([]),
    Uint8Array.of(0x12, 0x06, 0x12, 0x01, 0x01, 0x0a, 0x01, 0x61),
  ),
  'an empty field that is spelled out': concatBytes(
    envelope([]),
    Uint8Array.of(0x12, 0x05, 0x0a, 0x01, 0x61, 0x12, 0x00),
  ),
  'a tag in two bytes': concatBytes(Uint8Array.of((first[0] as number) | 0x80, 0x00), good.subarray(1)),
  'an empty transaction': Uint8Array.of(0x0a, 0x00),
};
for (const [name, bytes] of Object.entries(cases))
  test(`says the same of: ${name}`, () => assert.deepEqual(openNetworkBytes(bytes), openAnyEnvelope(bytes)));

test('reads what it reads', () => assert.deepEqual(openNetworkBytes(good), openAnyEnvelope(good)));

test('says the same of bytes that were changed, cut or lengthened anywhere', () => {
  const change = fc.record({
    at: fc.nat(good.length - 1),
    cut: fc.nat(3),
    put: fc.uint8Array({ maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
      let bytes = Uint8Array.from(good);
      for (const { at, cut, put } of changes)
        bytes = Uint8Array.from(concatBytes(bytes.subarray(0, at), put, bytes.subarray(at + cut)));
      assert.deepEqual(openNetworkBytes(bytes), openAnyEnvelope(bytes));
    }),
    { numRuns: 3_000 },
  );
});
