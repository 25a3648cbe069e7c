/** What is filtered, as a table for a spreadsheet. */
import { csvText } from '../../../text/csv.ts';
import type { ListedCredential } from '../issuer-queries.ts';

const columns = [
  'vcId',
  'status',
  'label',
  'holder',
  'templateName',
  'templateId',
  'templateVersion',
  'validFrom',
  'validUntil',
  'issuedAt',
  'txHash',
  'ledgerSeq',
  'changedAt',
  'changedInLedgerSeq',
] as const satisfies readonly (keyof ListedCredential)[];

export const issuedCsv = (rows: readonly ListedCredential[]): string =>
  csvText(
    columns,
    rows.map((row) => columns.map((name) => row[name] ?? '')),
  );
