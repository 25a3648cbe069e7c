import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { ListedCredential } from '../issuer-queries.ts';
import { issuedCsv } from './issued-csv.ts';

const row: ListedCredential = {
  vcId: 'did:zid:01',
  status: 'Active',
  templateId: 'did:zid:02',
  templateVersion: '1.0.0',
  templateName: 'Degree, "final"',
  holder: 'did:zid:03',
  label: '=HYPERLINK("http://x")',
  validFrom: null,
  validUntil: '2099-12-31T00:00:00Z',
  issuedAt: '2026-11-17T00:00:00Z',
  txHash: 'ab',
  ledgerSeq: '7',
  changedAt: null,
  changedInLedgerSeq: null,
};

test('a table reads back as it was, and no label is a formula', () => {
  const [read] = parse(issuedCsv([row]), { columns: true }) as Record<string, string>[];
  assert.equal(read?.templateName, row.templateName);
  assert.equal(read?.label, `'${row.label}`);
  assert.equal(read?.validFrom, '');
  assert.equal(read?.ledgerSeq, '7');
});
