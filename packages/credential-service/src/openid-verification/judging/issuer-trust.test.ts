import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judgeIssuer, type NamedIssuers } from './issuer-trust.ts';

const did = `did:zid:${'01'.repeat(32)}`;
const other = `did:zid:${'02'.repeat(32)}`;
const templateId = `did:zid:${'c7'.repeat(32)}`;
const issuer = 'https://a.example';
const record = { id: 'did:zid:aa', issuer: did, templateId, templateVersion: '1.0' };
const nobody: NamedIssuers = { foreign: [] };
const recorded = (named: Partial<NamedIssuers>) => judgeIssuer({ issuer, record }, { ...nobody, ...named });
const foreign = (named: Partial<NamedIssuers>, name = issuer) =>
  judgeIssuer({ issuer: name, record: undefined }, { ...nobody, ...named });
const isTrusted = (verdict: object): boolean => 'issuerTrust' in verdict && verdict.issuerTrust === 'trusted';
const isRefused = (verdict: object): boolean => 'complaint' in verdict;

describe('an issuer on the ledger', () => {
  test('counts unless others are named', () => {
    assert.deepEqual(recorded({}), { issuerTrust: 'not asked' });
    assert.ok(isTrusted(recorded({ issuers: [{ did: other }, { did }] })));
    assert.ok(
      isTrusted(recorded({ issuers: [{ did, templates: [templateId] }], foreign: ['https://b.example'] })),
    );
    assert.ok(isRefused(recorded({ issuers: [{ did: other }] })));
    assert.ok(isRefused(recorded({ issuers: [] })));
    assert.ok(isRefused(recorded({ foreign: [issuer] })), 'naming foreign ones is naming all');
  });

  test('counts for the templates that are named, each time that it is', () => {
    assert.ok(isRefused(recorded({ issuers: [{ did, templates: [other] }] })));
    assert.ok(isRefused(recorded({ issuers: [{ did }, { did, templates: [other] }] })));
    assert.ok(isRefused(recorded({ templates: [other] })));
    assert.deepEqual(recorded({ templates: [templateId] }), { issuerTrust: 'not asked' });
  });
});

describe('an issuer that the ledger does not know', () => {
  test('counts only if it is named, letter for letter', () => {
    assert.ok(isRefused(foreign({})));
    assert.ok(isTrusted(foreign({ foreign: [issuer] })));
    for (const near of [`${issuer}/`, 'https://A.example', 'http://a.example'])
      assert.ok(isRefused(foreign({ foreign: [issuer] }, near)), near);
    assert.ok(isTrusted(foreign({ issuers: [{ did }] }, did)));
    assert.ok(isRefused(foreign({ issuers: [{ did, templates: [templateId] }] }, did)));
    assert.ok(isRefused(foreign({ foreign: [issuer], templates: [templateId] })));
  });
});
