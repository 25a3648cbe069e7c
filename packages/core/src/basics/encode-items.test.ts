import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { type Account, AccountListSchema, AccountSchema } from '../proto/ledger_pb.ts';
import { encodeItems } from './encode-items.ts';

const encodeTogether = (items: Account[]): Uint8Array[] =>
  encodeItems(AccountListSchema, create(AccountListSchema, { items }));

describe('messages that are encoded together', () => {
  it('are, each, what encoding it alone gives', () => {
    const account = fc.record({
      address: fc.string({ maxLength: 300 }),
      nonce: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
      contract: fc.option(fc.record({ payload: fc.string({ maxLength: 20_000, size: 'max' }) }), {
        nil: undefined,
      }),
    });
    fc.assert(
      fc.property(fc.array(account, { maxLength: 50 }), (fields) => {
        const accounts = fields.map((field) => create(AccountSchema, field));
        assert.deepEqual(
          encodeTogether(accounts),
          accounts.map((it) => toBinary(AccountSchema, it)),
        );
      }),
    );
  });

  it('may be empty, or none', () => {
    assert.deepEqual(encodeTogether([create(AccountSchema)]), [new Uint8Array(0)]);
    assert.deepEqual(encodeTogether([]), []);
  });
});
