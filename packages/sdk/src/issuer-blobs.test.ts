import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/bytes';
import { operationTypes } from '@symbolon/core/ledger/operations/index';
import { encodeTransaction } from '@symbolon/core/ledger/transaction';
import { TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { SdkError } from './errors.ts';
import { type ExpectedCall, readOfferedCall } from './issuer-blobs.ts';

const source = 'ZTX3ours';
const registry = 'ZTX3registry';
const input = JSON.stringify({ method: 'revoke', params: { credentials: ['did:zid:1'] } });
const call = { type: operationTypes.payCoin, payCoin: { destAddress: registry, input } };

const blobOf = (changes: Exclude<MessageInitShape<typeof TransactionSchema>, { $typeName: string }> = {}) =>
  encodeHex(
    encodeTransaction(
      create(TransactionSchema, {
        sourceAddress: source,
        nonce: 1n,
        feeLimit: 10n,
        operations: [call],
        ...changes,
      }),
    ),
  );

const expected: ExpectedCall = {
  source,
  method: 'revoke',
  isOrdered: ({ credentials }) => Array.isArray(credentials) && credentials[0] === 'did:zid:1',
  registry,
  feeLimitMax: 10n,
};

const refuses = (blob: string, why: RegExp, changes: Partial<ExpectedCall> = {}) =>
  assert.throws(
    () => readOfferedCall(blob, { ...expected, ...changes }),
    (error) => error instanceof SdkError && error.code === 'unexpectedReply' && why.test(error.message),
  );

describe('a transaction that a service offers to an issuer', () => {
  test('is signed when it is what was ordered', () => {
    assert.equal(encodeHex(readOfferedCall(blobOf(), expected)), blobOf());
    const own = blobOf({ operations: [{ ...call, sourceAddress: source }] });
    assert.equal(encodeHex(readOfferedCall(own, { ...expected, registry: undefined })), own);
  });

  test('is refused when it is anything else', () => {
    const paying = { ...call, payCoin: { ...call.payCoin, amount: 1n } };
    const other = { ...call, payCoin: { ...call.payCoin, destAddress: 'ZTX3other' } };
    const said = (text: string) =>
      blobOf({ operations: [{ ...call, payCoin: { ...call.payCoin, input: text } }] });
    refuses('zz', /not a transaction/);
    refuses('ffff', /not a transaction/);
    refuses(blobOf({ sourceAddress: 'ZTX3other' }), /another account/);
    refuses(blobOf({ feeLimit: 11n }), /may cost 11/);
    refuses(blobOf({ operations: [] }), /something else/);
    refuses(blobOf({ operations: [call, call] }), /something else/);
    refuses(
      blobOf({ operations: [{ type: operationTypes.setMetadata, setMetadata: { key: 'a' } }] }),
      /something else/,
    );
    refuses(blobOf({ operations: [paying] }), /pays/);
    refuses(blobOf({ operations: [{ ...call, sourceAddress: 'ZTX3other' }] }), /acts for another/);
    refuses(blobOf({ operations: [other] }), /another contract/);
    refuses(said(''), /not say/);
    refuses(said('[]'), /not say/);
    refuses(said(input.replace('revoke', 'suspend')), /not say/);
    refuses(said(input.replace('zid:1', 'zid:2')), /not say/);
    refuses(said('{"method":"revoke"}'), /not say/);
  });
});
