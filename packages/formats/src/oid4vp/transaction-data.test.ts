import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { parsePresentationQuery } from './presentation-query.ts';
import { readAgreements } from './transaction-data.ts';

const query = parsePresentationQuery(
  {
    credentials: [
      { id: 'a', format: 'dc+sd-jwt', meta: { vct_values: ['card'] } },
      {
        id: 'free',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['card'] },
        require_cryptographic_holder_binding: false,
      },
      { id: 'w', format: 'ldp_vc', meta: { type_values: [['A']] } },
    ],
  },
  '',
);
const good = {
  type: 'payment',
  credential_ids: ['a'],
  amount: '5',
  transaction_data_hashes_alg: ['sha-256'],
};

test('an agreement is the text that its holder hashes', () => {
  const [{ queryId, text }] = readAgreements([good], query, '/t');
  assert.equal(queryId, 'a');
  assert.deepEqual(JSON.parse(Buffer.from(text, 'base64url').toString()), good);
});

test('one wrong thing each', () => {
  const cases: readonly (readonly [given: unknown, words: RegExp])[] = [
    [{}, /array/],
    [[], /array/],
    [[{ ...good, type: '' }], /has no type/],
    [[{ ...good, credential_ids: [] }], /names one credential/],
    [[{ ...good, credential_ids: ['a', 'w'] }], /names one credential/],
    [[{ ...good, credential_ids: ['b'] }], /not asked for/],
    [[{ ...good, credential_ids: ['w'] }], /not asked for as dc\+sd-jwt/],
    [[{ ...good, credential_ids: ['free'] }], /with a key of its holder/],
    [[{ ...good, transaction_data_hashes_alg: ['sha-512'] }], /sha-256/],
    [[{ ...good, note: 'x'.repeat(70_000) }], /too long/],
    [[{ ...good, note: 2n ** 60n }], /no plain JSON/],
  ];
  for (const [given, words] of cases)
    assert.throws(
      () => readAgreements(given, query, '/t'),
      (error) => error instanceof Fault && error.code === 'requestMalformed' && words.test(error.message),
      String(words),
    );
});
