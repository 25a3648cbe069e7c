import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CredentialQuery, DcqlQuery } from '@symbolon/core/presentation/dcql';
import { countingIssuers } from './counting-issuers.ts';

const [university, city, bank] = ['did:zid:aa', 'did:zid:bb', 'did:zid:cc'];
const asked = (one: Partial<CredentialQuery>, issuers?: readonly string[]): DcqlQuery => ({
  credentials: [{ id: 'degree', types: [], claims: [], ...one }],
  ...(issuers && { issuers }),
});
const counting = (query: DcqlQuery) => countingIssuers(query, 'degree');

test('where no issuer is named cards of all of them count', () => {
  assert.equal(counting(asked({})), undefined);
});

test('every place that names issuers narrows whose cards count', () => {
  assert.deepEqual(counting(asked({}, [university, city])), [university, city]);
  assert.deepEqual(counting(asked({ issuers: [city] })), [city]);
  assert.deepEqual(counting(asked({ issuers: [city, bank] }, [university, city])), [city]);
  assert.deepEqual(counting(asked({ issuers: [bank] }, [university])), []);
});

test('a claim about the issuer names it, too', () => {
  const claim = (constraints: object) => asked({ frame: [{ member: 'issuer', constraints }] });
  assert.deepEqual(counting(claim({ constant: university })), [university]);
  assert.deepEqual(counting(claim({ values: [university, city] })), [university, city]);
  assert.equal(counting(claim({})), undefined);
  assert.equal(
    counting(asked({ frame: [{ member: 'templateId', constraints: { constant: 'x' } }] })),
    undefined,
  );
});
