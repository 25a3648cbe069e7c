/**
 * `symbolon offer new|many|list|withdraw`: an issuer offers a credential to whoever has a link. What the holder does
 * with it is a wallet's; accepted ones are issued with `symbolon vc issue` or `vc issue-many`.
 */
import { offerStates } from '@symbolon/wire/offers/schemas';
import { type FieldFormat, fieldFormats } from '@symbolon/wire/openid/issuance-schemas';
import { type Command, InvalidArgumentError } from 'commander';
import {
  actionOf,
  addPageOptions,
  addPartyOptions,
  collectWords,
  withAdvice,
} from '../../credentials/party-commands.ts';
import { bulkLimits } from '../../limits/command-limits.ts';
import type { OfferManyWords } from '../../offers/offer-many.ts';
import { duration, stateOption, time } from '../../profile/options.ts';
import { exitCodes } from '../../terminal/failure.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { concurrency, delimiterSign } from '../bulk/commands.ts';
import { valueWord } from '../vc/values.ts';

// Loaded when one of the commands is said.
const offering = () => import('./offering.ts');

function formatWord(text: string, before: readonly FieldFormat[] = []): readonly FieldFormat[] {
  const format = fieldFormats.find((one) => one === text);
  if (format) return [...before, format];
  throw new InvalidArgumentError(`It must be ${fieldFormats.join(', ')}.`);
}

const addTermOptions = (command: Command): Command =>
  command
    .option('--pin', 'a PIN is needed too, which you tell on another way than the link')
    .option('--no-pin', 'none; a renewed offer that had one keeps the need of it otherwise')
    .option('--expires <duration>', 'how long it can be accepted, up to 30d; 7d, if left out', duration)
    .option('--renew', 'a new link in place of an open one with the same reference')
    .option('--free', 'give it away although the template has a price');

export function addOfferCommands(program: Command, terminal: Terminal = processTerminal): void {
  const offer = program.command('offer').description('offer a credential with a link; no application first');

  addTermOptions(
    addPartyOptions(offer.command('new'), 'issuer')
      .description('make the link with which one person accepts a credential')
      .argument('<template>', 'the id or name of its template')
      .option('--set <name=value>', 'a value; repeatable', valueWord)
      .option('--file <file>', 'values as JSON: {"name": "…"}')
      .option('--reference <text>', 'whom it is for, such as an e-mail address; one open offer has it'),
  )
    .option('--qr', 'print the link as a QR code, too')
    .option('--openid', 'for any wallet of OpenID4VCI; it is signed now, and issued when it is taken')
    .option('--format <format>', `with --openid: ${fieldFormats.join(', ')}; repeatable`, formatWord)
    .option(
      '--valid-until <date>',
      'with --openid: until when the credential holds; a year, if left out',
      time,
    )
    .action(actionOf(terminal, offering, 'make'));

  addTermOptions(
    addPartyOptions(offer.command('many'), 'issuer')
      .description('make a link for every row of a CSV file; run again after a crash to go on')
      .argument('<template>', 'the id or name of their template')
      .argument('<csv>', 'the table, its first line the names of the columns')
      .requiredOption('--reference <column>', 'the column that says whom a row is for')
      .requiredOption('--out <file>', 'where the links go: a CSV file for you alone')
      .option(
        '--map <column=attribute>',
        'a column that is named otherwise than its attribute; repeatable',
        collectWords,
      )
      .option('--map-file <file>', 'the same as JSON')
      .option('--delimiter <sign>', 'what stands between columns', delimiterSign, ',')
      .option('--dry-run', 'check all rows, offer nothing')
      .option(
        '--concurrency <number>',
        'rows under way at the same time',
        concurrency,
        bulkLimits.concurrencyDefault,
      ),
  ).action(async (template: string, csv: string, words: OfferManyWords) => {
    const { offerMany } = await import('../../offers/offer-many.ts');
    const outcome = await withAdvice(() => offerMany({ template, csv }, words, terminal));
    if (outcome !== 'done') process.exitCode = exitCodes[outcome];
  });

  addPageOptions(addPartyOptions(offer.command('list'), 'issuer'))
    .description('list your offers and what became of them, oldest first')
    .addOption(stateOption(offerStates))
    .option('--template <template>', 'only those of this template: its id or name')
    .action(actionOf(terminal, offering, 'list'));

  addPartyOptions(offer.command('withdraw'), 'issuer')
    .description('withdraw an offer that nobody has accepted')
    .argument('<id>', 'its id, as "offer list" shows it')
    .action(actionOf(terminal, offering, 'withdraw'));
}
