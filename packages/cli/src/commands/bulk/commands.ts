/**
 * `symbolon vc issue-many`: a credential for every row of a CSV file. The words of the command and what it prints; the
 * work is in `issue-table.ts` and `issue-row.ts`, what a row needs before it can be issued in docs/bulk.md.
 */
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { type Command, InvalidArgumentError } from 'commander';
import type { IssueManyWords } from '../../bulk/issue-many.ts';
import { addPartyOptions, collectWords, withAdvice } from '../../credentials/party-commands.ts';
import { bulkLimits } from '../../limits/command-limits.ts';
import { time } from '../../profile/options.ts';
import { exitCodes } from '../../terminal/failure.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';

export function addBulkCommands(vc: Command, terminal: Terminal = processTerminal): void {
  addPartyOptions(vc.command('issue-many'), 'issuer')
    .description('issue a credential for every row of a CSV file; run again after a crash to go on')
    .argument('<template>', 'the id or name of their template')
    .requiredOption('--csv <file>', 'the table, its first line the names of the columns')
    .option(
      '--map <column=attribute>',
      'a column that is named otherwise than its attribute; repeatable',
      collectWords,
    )
    .option('--map-file <file>', 'the same as JSON')
    .option('--holder-column <name>', "the column with the holder's DID", 'did')
    .option('--application-column <name>', "the column with the application's identifier", 'applicationId')
    .option('--reference-column <name>', 'rows are those of "offer many": the column with its references')
    .option('--holder-keys <folder>', "apply with holders' own keys, for tests and demonstrations")
    .option('--keep-applied', 'an empty cell leaves what the holder applied with; else it is an error')
    .option('--delimiter <sign>', 'what stands between columns', delimiterSign, ',')
    .option('--valid-until <time>', 'when the credentials expire; in a year, if left out', instant)
    .option('--dry-run', 'check all rows, issue nothing')
    .option('--stop-on-error', 'stop at the first row that cannot be issued')
    .option('--journal <file>', 'where it is kept how far each row has come; beside the table, if left out')
    .option(
      '--concurrency <number>',
      'rows under way at the same time',
      concurrency,
      bulkLimits.concurrencyDefault,
    )
    .option('--limit <number>', 'so many rows at most, this time', rowCount)
    .action(async (template: string, words: IssueManyWords) => {
      const { issueMany } = await import('../../bulk/issue-many.ts');
      const outcome = await withAdvice(() => issueMany(template, words, terminal));
      if (outcome !== 'done') process.exitCode = exitCodes[outcome];
    });
}

export function delimiterSign(text: string): string {
  const sign = text === '\\t' || text === 'tab' ? '\t' : text;
  if (/^[^\n\r"]$/u.test(sign)) return sign;
  throw new InvalidArgumentError('It must be one sign, such as ; or \\t.');
}

const instant = (text: string): string => instantTextOfUnixMs(time(text));

function countUpTo(text: string, most: number): number {
  const count = /^[0-9]{1,7}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= most) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
}
export const concurrency = (text: string): number => countUpTo(text, bulkLimits.concurrencyMax);
const rowCount = (text: string): number => countUpTo(text, bulkLimits.rowsMax);
