/** No list walks a table, and none sorts what it has found: SQLite's own plan of each query says so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { did, issuer, sqliteRecords, start } from '../database/testing/records.ts';
import { countApplications, listApplications, listApplicationsOf } from '../issuance/application-rows.ts';
import { countCredentials, listCredentials } from '../issuance/credential-rows.ts';
import { listPaymentsOf } from '../payments/payment-rows.ts';
import { listAutoIssueRows, listPriceRows } from '../payments/price-rows.ts';
import { findDeliveryOf } from '../sessions/outbox-rows.ts';
import { listSessionRows } from '../sessions/session-rows.ts';
import { statusHistory } from '../status/status-change-rows.ts';

const holder = did('b');
const templateId = did('7');
const newest = { isNewestFirst: true };
const position = (key: string | number, id: string): string =>
  Buffer.from(JSON.stringify([key, id])).toString('base64url');
const cursor = position(start, 'x');
const between = { from: start, before: start + 1 };
const [hasEnded, lasts] = [
  { validity: { hasEnded: true, at: start } },
  { validity: { hasEnded: false, at: start } },
];

/** By what each is called: the list, and the index it must be found by. */
const lists: Readonly<Record<string, readonly [(queries: Queries) => Promise<unknown>, RegExp]>> = {
  applications: [(q) => listApplications(q, { issuer, ...newest, cursor }), /applicationsByIssuer /],
  'applications by time': [(q) => listApplications(q, { issuer, ...between }), /applicationsByIssuer /],
  'applications by state': [
    (q) => listApplications(q, { issuer, states: ['pending'], ...newest, cursor }),
    /applicationsByState /,
  ],
  'applications by template': [
    (q) => listApplications(q, { issuer, templateId, ...newest, cursor }),
    /applicationsByTemplate /,
  ],
  'applications by template and state': [
    (q) => listApplications(q, { issuer, templateId, states: ['pending'], ...newest }),
    /applicationsByTemplateState /,
  ],
  'applications by holder and all else': [
    (q) => listApplications(q, { issuer, holder, templateId, states: ['pending'], ...newest, cursor }),
    /applicationsByIssuerHolder /,
  ],
  "a holder's applications": [(q) => listApplicationsOf(q, holder, newest), /applicationsOfHolder /],
  'counted applications': [(q) => countApplications(q, issuer), /COVERING INDEX applicationsByState /],
  credentials: [(q) => listCredentials(q, { issuer, ...newest, cursor }), /credentialsByIssuer /],
  'credentials by time': [(q) => listCredentials(q, { issuer, ...between }), /credentialsByIssuer /],
  'credentials by status': [
    (q) => listCredentials(q, { issuer, status: 'active', ...lasts, ...newest, cursor }),
    /credentialsByStatus /,
  ],
  'expired credentials': [
    (q) => listCredentials(q, { issuer, ...hasEnded, ...newest, cursor }),
    /credentialsByIssuer /,
  ],
  'credentials by template': [
    (q) => listCredentials(q, { issuer, templateId, ...newest }),
    /credentialsByTemplate /,
  ],
  'expired credentials by template': [
    (q) => listCredentials(q, { issuer, templateId, ...hasEnded, ...newest }),
    /credentialsByTemplate /,
  ],
  'credentials by template and status': [
    (q) => listCredentials(q, { issuer, templateId, status: 'revoked', ...newest, cursor }),
    /credentialsByTemplateStatus /,
  ],
  'credentials by holder and all else': [
    (q) => listCredentials(q, { issuer, holder, templateId, status: 'active', ...lasts, ...newest }),
    /credentialsByIssuerHolder /,
  ],
  'counted credentials': [(q) => countCredentials(q, issuer, start), /COVERING INDEX credentialsByStatus /],
  sessions: [(q) => listSessionRows(q, { keyId: 'k', cursor }), /sessionsByKey /],
  'sessions by state': [
    (q) => listSessionRows(q, { keyId: 'k', states: ['VERIFIED'], cursor }),
    /sessionsByState /,
  ],
  'the callback of a session': [(q) => findDeliveryOf(q, 's'), /outboxBySession /],
  prices: [(q) => listPriceRows(q, issuer, { cursor: position('a', 'b') }), /pricesByIssuer /],
  policies: [(q) => listAutoIssueRows(q, issuer, {}), /autoIssueByIssuer /],
  'payments of credentials': [(q) => listPaymentsOf(q, ['a', 'b']), /autoindex_payments/],
  'the history of a credential': [(q) => statusHistory(q, did('1')), /statusChangesByCredential /],
};

/** The history of one credential is short: it may be sorted. */
const mayBeSorted: readonly string[] = ['the history of a credential'];

test('every list is found by an index, and in its order', async (context) => {
  const { kysely } = await sqliteRecords(context);
  for (const [name, [list, index]] of Object.entries(lists)) {
    const asked: RootOperationNode[] = [];
    const listen: KyselyPlugin = {
      transformQuery: ({ node }) => {
        asked.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    await list(kysely.withPlugin(listen));
    assert.equal(asked.length, 1, name);
    const query = kysely.getExecutor().compileQuery(asked[0], createQueryId());
    const { rows } = await kysely.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]),
    );
    const plan = rows.map(({ detail }) => detail).join('\n');
    assert.match(plan, index, name);
    assert.doesNotMatch(plan, /SCAN/, name);
    if (!mayBeSorted.includes(name)) assert.doesNotMatch(plan, /TEMP B-TREE/, name);
  }
});
