/**
 * What `symbolon vc issue-many` does with its words: fetches the template, opens the table, checks who issues, opens
 * the journal, and says what became of the rows.
 */

import { isComplaint, readTypeAndFormat } from '@symbolon/core/attributes/attribute-formats';
import { assert } from '@symbolon/core/basics/assert';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { given } from '@symbolon/core/basics/plain-values';
import type { TemplateAttribute } from '@symbolon/core/documents/model';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { didOfSigner, type Signer } from '@symbolon/sdk/keys/signer';
import { fetchTemplate } from '@symbolon/sdk/orders/template-order';
import { createProofEngine } from '@symbolon/sdk/proofs/engine-choice';
import { type CredentialClient, createCredentialClient } from '@symbolon/sdk/service/credential-client';
import { chainIdOf } from '@symbolon/sdk/transactions/transactions';
import { type FoundTemplate, lookUpTemplate } from '../credentials/template-lookup.ts';
import { bulkLimits } from '../limits/command-limits.ts';
import { type Connection, connect, type PartyWords } from '../profile/connection.ts';
import { issuingKeyOf } from '../profile/issuing-key.ts';
import { CommandFailure, usageFailure } from '../terminal/failure.ts';
import { ifInterrupted } from '../terminal/interruption.ts';
import { fieldLines } from '../terminal/layout.ts';
import { printJson, type Terminal, toned } from '../terminal/terminal.ts';
import { surveyRows } from './checked-rows.ts';
import { type Mapping, mapColumns, readMap } from './column-mapping.ts';
import { type CsvFile, openCsv } from './csv-rows.ts';
import { type FailedRows, openFailedRows, problemJson, problemLine, someFailed } from './failed-rows.ts';
import { readHolderKey } from './holder-keys.ts';
import { issueRow } from './issue-row.ts';
import { issueTable, type TableSummary } from './issue-table.ts';
import { type Journal, openJournal } from './journal.ts';
import { createPatience, type Patient } from './retry.ts';
import type { RowProblem } from './row-check.ts';
import { listStandingOffers, listWaiting } from './waiting-applications.ts';

export interface IssueManyWords extends PartyWords {
  readonly csv: string;
  readonly map?: readonly string[];
  readonly mapFile?: string;
  readonly holderColumn: string;
  readonly applicationColumn: string;
  readonly referenceColumn?: string;
  readonly holderKeys?: string;
  readonly keepApplied?: boolean;
  readonly delimiter: string;
  readonly validUntil?: string;
  readonly dryRun?: boolean;
  readonly stopOnError?: boolean;
  readonly journal?: string;
  readonly concurrency: number;
  readonly limit?: number;
}

interface Opened {
  readonly connection: Connection;
  readonly template: FoundTemplate;
  readonly csv: CsvFile;
  readonly mapping: Mapping;
}

/** Whether every row is good or issued, or how far it came. */
export type ManyOutcome = 'done' | 'failed' | 'interrupted';

/** The template is named by its id or name. */
export async function issueMany(
  name: string,
  words: IssueManyWords,
  terminal: Terminal,
): Promise<ManyOutcome> {
  const map = await readMap(words.map ?? [], words.mapFile);
  const connection = await connect(words, terminal);
  const csv = await openCsv(words.csv, { delimiter: words.delimiter });
  const template = await lookUpTemplate(connection, name);
  const mapping = mapColumns({
    header: csv.header,
    attributes: template.credentialFormat.map(attributeOf),
    map,
    holderColumn: words.holderColumn,
    applicationColumn: words.applicationColumn,
    ...given({ referenceColumn: words.referenceColumn }),
    hasHolderKeys: words.holderKeys !== undefined,
    keepsApplied: words.keepApplied === true,
  });
  const opened: Opened = { connection, template, csv, mapping };
  return words.dryRun ? checkOnly(opened, words, terminal) : issueAll(opened, words, terminal);
}

export function attributeOf(given: FoundTemplate['credentialFormat'][number]): TemplateAttribute {
  const { key, attribute: label, mandatory } = given;
  const kind = readTypeAndFormat(given.type, given.format);
  if (isComplaint(kind))
    throw new CommandFailure(
      `This command does not know the format of the attribute ${key}.\nThe service seems to be newer: use a command of its version.`,
    );
  return { key, label, mandatory, ...kind };
}

async function checkOnly(
  { csv, mapping }: Opened,
  words: IssueManyWords,
  terminal: Terminal,
): Promise<ManyOutcome> {
  const listed: RowProblem[] = [];
  let count = 0;
  const onProblem = (problem: RowProblem): void => {
    count += 1;
    if (!words.json) terminal.print(problemLine(problem));
    else if (listed.length < bulkLimits.problemsListedMax) listed.push(problem);
  };
  const { rows, bad } = await surveyRows({ csv, mapping, onProblem, onChanged: () => undefined });
  if (words.json) {
    const problems = listed.map(problemJson);
    printJson(terminal, { dryRun: true, rows, bad, problemCount: count, problems, ...someFailed(bad) });
  } else {
    const verdict =
      bad === 0 ? toned(terminal, 'good', 'All rows are good.') : `${bad} of ${rows} rows are not good.`;
    terminal.print(`${verdict} Checked: ${rows}. Nothing was issued.`);
  }
  return bad === 0 ? 'done' : 'failed';
}

async function issueAll(opened: Opened, words: IssueManyWords, terminal: Terminal): Promise<ManyOutcome> {
  const { connection, template } = opened;
  const signer = await issuerOf(connection, template);
  const journal = await openJournal({
    file: words.journal ?? `${words.csv}.journal`,
    templateId: template.templateId,
    signer,
    validUntil: words.validUntil,
    validUntilDefault: inOneYear(),
  });
  const interruption = new AbortController();
  ifInterrupted([
    'Rows that were begun are finished; Ctrl-C again ends at once.',
    `${journal.file} knows what is issued: the same command goes on with the rest.`,
  ]);
  // Those begun are finished; whoever cannot wait interrupts again.
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  const failed = await openFailedRows(`${words.csv}.failed.csv`);
  let failedFile: string | undefined;
  let summary: TableSummary;
  try {
    const { signal } = interruption;
    summary = await issueRows({ ...opened, signer, journal, failed, signal }, words, terminal);
  } finally {
    process.removeListener('SIGINT', interrupt);
    await journal.close();
    failedFile = await failed.finish();
  }
  tell({ summary, failed, failedFile, journalFile: journal.file }, words, terminal);
  if (interruption.signal.aborted && summary.left > 0) return 'interrupted';
  return summary.failed === 0 ? 'done' : 'failed';
}

async function issuerOf(connection: Connection, { issuerDid }: FoundTemplate): Promise<Signer> {
  const signer = await connection.signer();
  if (didOfSigner(signer) === issuerDid) return signer;
  throw usageFailure(
    `The template is another issuer's.\nIts issuer is ${issuerDid}, and the key that signs here is not the key of that DID.\nChoose the issuer with --as or --key.`,
  );
}

const inOneYear = (): string => instantTextOfUnixMs(Date.now() + bulkLimits.validDaysDefault * 86_400_000);

interface Issuing extends Opened {
  readonly signer: Signer;
  readonly journal: Journal;
  readonly failed: FailedRows;
  readonly signal: AbortSignal;
}

async function issueRows(issuing: Issuing, words: IssueManyWords, terminal: Terminal): Promise<TableSummary> {
  const { connection, template, csv, mapping, signer, journal, failed, signal } = issuing;
  const { templateId, issuerDid: issuer } = template;
  const client = connection.service;
  const patiently = createPatience();
  await requireSameService(client, { journal, issuer, patiently });
  const publicKeyMultibase = await issuingKeyOf(connection, issuer, () =>
    patiently(() => client.resolveDid({ did: issuer })),
  );
  const found =
    mapping.mode === 'holder'
      ? { waiting: await listWaiting(client, templateId, patiently) }
      : mapping.mode === 'reference'
        ? { offers: await listStandingOffers(client, templateId, patiently) }
        : {};
  const folder = words.holderKeys;
  if (mapping.mode === 'application' && !mapping.holder) terminal.remark(holderUnsaid(words));
  const { pins, ledger } = connection;
  // Before any row is begun; every row looks again.
  if (pins.chainId !== undefined) await patiently(() => chainIdOf(ledger, pins.chainId));
  const choice = { templateId, templateVersion: template.version, ledger, pins };
  const engine = await createProofEngine();
  const parts = {
    client,
    holderClient: createCredentialClient(connection.serviceUrl, { sealed: connection.isSealed }),
    signer,
    issuer,
    bbsKey: { publicKeyMultibase },
    templateId,
    template: await patiently(() => fetchTemplate(client, choice)),
    network: { ledger, pins, engine },
    journal,
    patiently,
    mode: mapping.mode,
    ...found,
    ...(folder !== undefined && { holderKey: (holder: string) => readHolderKey(folder, holder) }),
  };
  const table = issueTable({
    csv,
    mapping,
    journal,
    failed,
    issue: (row, progress) => issueRow(parts, row, progress),
    concurrency: words.concurrency,
    ...(words.limit !== undefined && { rowsMax: words.limit }),
    ...(words.stopOnError && { isStoppingOnError: true }),
    signal,
    terminal,
  });
  return table.finally(() => engine.close());
}

const holderUnsaid = ({ holderColumn }: IssueManyWords): string =>
  `Whose each application is, the service says: there is no column ${holderColumn} to hold it against.`;

interface Known {
  readonly journal: Journal;
  readonly issuer: string;
  readonly patiently: Patient;
}

/** A journal about one service says nothing about another: there nothing is issued yet. */
async function requireSameService(
  client: CredentialClient,
  { journal, issuer, patiently }: Known,
): Promise<void> {
  const vcId = journal.index.anyIssued();
  if (vcId === undefined) return;
  try {
    await patiently(() => client.getCredentialStatus({ vcId, issuer }));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'credentialUnknown') throw error;
    throw usageFailure(
      `The journal ${journal.file} belongs to another service.\nA credential that it calls issued is unknown here. Nothing was issued.\nChoose another journal with --journal, or the service with --service or --profile.`,
    );
  }
}

interface Told {
  readonly summary: TableSummary;
  readonly failed: FailedRows;
  readonly failedFile: string | undefined;
  readonly journalFile: string;
}

function tell(
  { summary, failed, failedFile, journalFile }: Told,
  words: IssueManyWords,
  terminal: Terminal,
): void {
  const { rows, issued, waiting, skipped, left } = summary;
  assert(rows >= issued + skipped, 'a row is counted once');
  const problems = failed.listed();
  if (words.json) {
    const files = { journal: journalFile, ...(failedFile !== undefined && { failedFile }) };
    printJson(terminal, {
      ...summary,
      ...files,
      problems: problems.map(problemJson),
      ...someFailed(summary.failed),
    });
    return;
  }
  const shown = problems.slice(0, problemsShown);
  for (const problem of shown) terminal.remark(problemLine(problem));
  if (problems.length > shown.length) terminal.remark(`… all of them in ${failedFile}`);
  const failedText = summary.failed === 0 ? '0' : toned(terminal, 'bad', String(summary.failed));
  terminal.print(
    fieldLines(terminal, {
      Rows: rows,
      Issued: toned(terminal, 'good', String(issued)),
      Failed: failedText,
      Waiting: waiting === 0 ? undefined : `${waiting} (nobody has accepted the offer yet; run again later)`,
      Skipped: skipped === 0 ? undefined : `${skipped} (issued by an earlier run)`,
      'Still to do': left === 0 ? undefined : `${left} (run again)`,
      'Failed rows': failedFile,
      Journal: journalFile,
    }),
  );
}

const problemsShown = 20;
