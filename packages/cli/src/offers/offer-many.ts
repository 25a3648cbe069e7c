/**
 * What `symbolon offer many` does: an offer for every row of a table, its link in a file. Repeated, it goes on where it
 * stopped: a row whose link is in the file is done, and of a row that was begun the same offer is renewed, so that no row
 * has two.
 */
import { given } from '@symbolon/core/basics/plain-values';
import { isAway } from '@symbolon/sdk/errors/passing';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { checkedRows, surveyRows } from '../bulk/checked-rows.ts';
import { type Mapping, mapColumns, readMap } from '../bulk/column-mapping.ts';
import { type CsvFile, openCsv } from '../bulk/csv-rows.ts';
import {
  type FailedRows,
  openFailedRows,
  problemJson,
  problemLine,
  someFailed,
} from '../bulk/failed-rows.ts';
import { attributeOf, type ManyOutcome } from '../bulk/issue-many.ts';
import { createPatience, type Patient } from '../bulk/retry.ts';
import { type CheckedRow, isProblematic, type RowProblem } from '../bulk/row-check.ts';
import { runRows } from '../bulk/run-rows.ts';
import { lookUpTemplate } from '../credentials/template-lookup.ts';
import { bulkLimits } from '../limits/command-limits.ts';
import { connect, type PartyWords } from '../profile/connection.ts';
import { CommandFailure, exitCodes, failureOf } from '../terminal/failure.ts';
import { ifInterrupted } from '../terminal/interruption.ts';
import { fieldLines } from '../terminal/layout.ts';
import { showProgress } from '../terminal/progress.ts';
import { printJson, type Terminal, toned } from '../terminal/terminal.ts';
import { type LinksFile, openLinksFile } from './links-file.ts';
import { type OfferTermWords, offerTerms } from './offer-terms.ts';

export interface OfferManyWords extends PartyWords, OfferTermWords {
  readonly reference: string;
  readonly out: string;
  readonly map?: readonly string[];
  readonly mapFile?: string;
  readonly delimiter: string;
  readonly dryRun?: boolean;
  readonly concurrency: number;
}

interface Table {
  readonly csv: CsvFile;
  readonly mapping: Mapping;
}

interface Summary {
  readonly rows: number;
  readonly made: number;
  readonly failed: number;
  /** Offered by an earlier run. */
  readonly skipped: number;
  /** Not come to. */
  readonly left: number;
}

/** Whether every row is good or has its offer, or how far it came. */
export async function offerMany(
  { template: name, csv: file }: { readonly template: string; readonly csv: string },
  words: OfferManyWords,
  terminal: Terminal,
): Promise<ManyOutcome> {
  const map = await readMap(words.map ?? [], words.mapFile);
  const connection = await connect(words, terminal);
  const csv = await openCsv(file, { delimiter: words.delimiter });
  const { templateId, credentialFormat } = await lookUpTemplate(connection, name);
  const mapping = mapColumns({
    header: csv.header,
    attributes: credentialFormat.map(attributeOf),
    map,
    holderColumn: '',
    applicationColumn: '',
    referenceColumn: words.reference,
    hasHolderKeys: false,
  });
  if (words.dryRun) return checkOnly({ csv, mapping }, words, terminal);
  const links = await openLinksFile(words.out, templateId);
  const interruption = new AbortController();
  ifInterrupted([
    'Rows that were begun are finished; Ctrl-C again ends at once.',
    `${links.file} has the links that are made: the same command goes on with the rest.`,
  ]);
  // Those begun are finished; whoever cannot wait interrupts again.
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  const failed = await openFailedRows(`${file}.failed.csv`);
  const run = {
    csv,
    mapping,
    links,
    failed,
    templateId,
    client: connection.service,
    signal: interruption.signal,
  };
  let summary: Summary;
  let failedFile: string | undefined;
  try {
    summary = await offerRows(run, words, terminal);
  } finally {
    process.removeListener('SIGINT', interrupt);
    await links.close();
    failedFile = await failed.finish();
  }
  tell({ summary, failed, failedFile, linksFile: links.file }, words, terminal);
  if (interruption.signal.aborted && summary.left > 0) return 'interrupted';
  return summary.failed === 0 ? 'done' : 'failed';
}

async function checkOnly(table: Table, words: OfferManyWords, terminal: Terminal): Promise<ManyOutcome> {
  const problems: RowProblem[] = [];
  const { rows, bad } = await surveyRows({
    ...table,
    onProblem: (problem) => {
      if (!words.json) terminal.print(problemLine(problem));
      if (problems.length < bulkLimits.problemsListedMax) problems.push(problem);
    },
    onChanged: () => undefined,
  });
  if (words.json)
    printJson(terminal, {
      dryRun: true,
      rows,
      bad,
      problems: problems.map(problemJson),
      ...someFailed(bad),
    });
  else {
    const verdict =
      bad === 0 ? toned(terminal, 'good', 'All rows are good.') : `${bad} of ${rows} rows are not good.`;
    terminal.print(`${verdict} Checked: ${rows}. Nothing was offered.`);
  }
  return bad === 0 ? 'done' : 'failed';
}

interface Run extends Table {
  readonly links: LinksFile;
  readonly failed: FailedRows;
  readonly templateId: string;
  readonly client: Pick<CredentialClient, 'makeOffer'>;
  readonly signal: AbortSignal;
}

async function offerRows(run: Run, words: OfferManyWords, terminal: Terminal): Promise<Summary> {
  const { links, failed, mapping, signal } = run;
  const survey = await lookOver(run);
  const counts = { made: 0, failed: survey.bad };
  const summaryOf = (): Summary => ({
    rows: survey.rows,
    ...counts,
    skipped: survey.done,
    left: survey.rows - survey.done - counts.made - counts.failed,
  });
  const progress = showProgress(terminal, { total: survey.rows - survey.done - survey.bad, what: 'rows' });
  const patiently = createPatience();
  const work = async (row: CheckedRow): Promise<void> => {
    const reason = await offerRow({ ...run, patiently }, row, words);
    if (reason === undefined) counts.made += 1;
    else {
      counts.failed += 1;
      failed.add({ line: row.line, column: mapping.subject.column, reason });
    }
    progress.advance(counts.made + counts.failed - survey.bad);
  };
  try {
    await runRows(openRows(run), {
      concurrency: words.concurrency,
      work,
      isStopped: () => signal.aborted,
    });
  } catch (error) {
    const { message, exitCode, facts } = failureOf(error);
    const { made, skipped, left } = summaryOf();
    const state = `Offered so far: ${made + skipped}; still to do: ${left}. ${links.file} has the links.`;
    const advice = 'When this is mended, run the same command again: it goes on where it stopped.';
    throw new CommandFailure([message, state, advice].join('\n'), exitCode, { ...facts, ...summaryOf() });
  } finally {
    progress.end();
  }
  return summaryOf();
}

interface Looked {
  readonly rows: number;
  readonly bad: number;
  readonly done: number;
}

const changedLinesTold = 10;

/** All rows, before anything is offered; throws where a row that has its offer reads otherwise now. */
async function lookOver({ csv, mapping, links, failed }: Run): Promise<Looked> {
  const counts = { rows: 0, bad: 0, done: 0 };
  const changed: number[] = [];
  for await (const row of checkedRows(csv, mapping)) {
    counts.rows += 1;
    if (isProblematic(row)) {
      counts.bad += 1;
      for (const problem of row.problems) failed.add(problem);
      continue;
    }
    const progress = links.progressOf(row);
    if (progress === 'changed') changed.push(row.line);
    if (progress === 'done') counts.done += 1;
  }
  if (changed.length === 0) return counts;
  const more = changed.length > changedLinesTold ? ` and ${changed.length - changedLinesTold} more` : '';
  const told = changed.slice(0, changedLinesTold).join(', ');
  throw new CommandFailure(
    [
      'The table was changed since offers were made from it. Nothing was offered now.',
      `By ${links.file}, these lines were offered with other content: ${told}${more}.`,
      'Put them back as they were, or offer the new content with --renew and another --out.',
    ].join('\n'),
    exitCodes.failed,
    { changedRows: changed.length },
  );
}

async function* openRows({ csv, mapping, links }: Run): AsyncGenerator<CheckedRow> {
  for await (const row of checkedRows(csv, mapping))
    if (!isProblematic(row) && links.progressOf(row) !== 'done') yield row;
}

/** Why there is no offer, where the row is to blame; throws what concerns every row. */
async function offerRow(
  { client, links, templateId, patiently }: Run & { readonly patiently: Patient },
  row: CheckedRow,
  words: OfferManyWords,
): Promise<string | undefined> {
  // An offer that was perhaps made, and whose link nobody has, is made anew in its place.
  let isPerhapsMade = links.progressOf(row) === 'begun';
  await links.begin(row);
  const order = { templateId, metadata: { ...row.values }, reference: row.subject };
  try {
    const made = await patiently(async () => {
      const renew = isPerhapsMade || words.renew === true;
      try {
        return await client.makeOffer({ ...order, ...offerTerms({ ...words, renew }) });
      } catch (error) {
        isPerhapsMade ||= isAway(error);
        throw error;
      }
    });
    await links.add(row, made);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || !rowRefusals.has(error.code)) throw error;
    const places = error.errors.map(({ detail }) => detail);
    return places.length > 0 ? places.join('; ') : `${error.detail} (${error.code})`;
  }
}

/** Refusals that are a row's own; the next row would meet all others too. */
const rowRefusals: ReadonlySet<string> = new Set(['attributesInvalid', 'requestMalformed', 'offerExists']);

interface Told {
  readonly summary: Summary;
  readonly failed: FailedRows;
  readonly failedFile: string | undefined;
  readonly linksFile: string;
}

const problemsShown = 20;

function tell(
  { summary, failed, failedFile, linksFile }: Told,
  words: OfferManyWords,
  terminal: Terminal,
): void {
  const problems = failed.listed();
  if (words.json) {
    const files = { links: linksFile, ...given({ failedFile }) };
    return printJson(terminal, {
      ...summary,
      ...files,
      problems: problems.map(problemJson),
      ...someFailed(summary.failed),
    });
  }
  for (const problem of problems.slice(0, problemsShown)) terminal.remark(problemLine(problem));
  if (problems.length > problemsShown) terminal.remark(`… all of them in ${failedFile}`);
  const { rows, made, skipped, left } = summary;
  terminal.print(
    fieldLines(terminal, {
      Rows: rows,
      Offered: toned(terminal, 'good', String(made)),
      Failed: summary.failed === 0 ? '0' : toned(terminal, 'bad', String(summary.failed)),
      Skipped: skipped === 0 ? undefined : `${skipped} (offered by an earlier run)`,
      'Still to do': left === 0 ? undefined : `${left} (run again)`,
      'Failed rows': failedFile,
      Links: linksFile,
    }),
  );
  terminal.remark(`Send each link to whom it is for${sendingWords(words)}`);
}

/** A renewed offer has a PIN if it had one, unless the words say which. */
function sendingWords({ pin, renew }: OfferManyWords): string {
  if (pin) return ', and its PIN on another way.';
  return pin === undefined && renew
    ? ', and its PIN, where it has one, on another way.'
    : ': whoever has it can accept.';
}
