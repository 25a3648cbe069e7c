/**
 * `symbolon template create|list|show|price|auto-issue`: the words for what an issuer offers. What they do is
 * `registry.ts` and `payments.ts`, loaded when one of them is said.
 */
import { paymentLimits } from '@symbolon/core/limits/payments';
import { type Command, Option } from 'commander';
import { actionOf, addPageOptions, addPartyOptions, collectWords } from '../../credentials/party-commands.ts';
import { accountAddress, addCapOptions, coinsWord, countUpTo, time } from '../../profile/options.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { attributeWord } from './input.ts';

// Loaded when one of the commands is said.
const registry = () => import('./registry.ts');
const payments = () => import('./payments.ts');

export function addTemplateCommands(program: Command, terminal: Terminal = processTerminal): void {
  const template = program.command('template').description('register and look at templates of credentials');

  addCapOptions(addPartyOptions(template.command('create'), 'issuer'))
    .description('register a template, or a higher version of one')
    .argument('[file]', 'the template as JSON; options say what it leaves out')
    .option('--name <text>', 'its name')
    .option('--version <number>', 'its version, 1.0.0 if nothing else is said')
    .option('--attribute <name:format[:required]>', 'an attribute; repeatable, in their order', attributeWord)
    .option('--reason <text>', 'why there is this version; everybody can read it')
    // Another word for --reason, for whoever is used to it.
    .addOption(new Option('--remark <text>').hideHelp().conflicts('reason'))
    .option(
      '--accept-unbound',
      'go on accepting credentials from before the ledger bound their contents, as long as this is the newest version',
    )
    .action(actionOf(terminal, registry, 'create'));

  addPageOptions(addPartyOptions(template.command('list'), 'issuer'))
    .description('list the templates of a service')
    .option('--search <text>', 'only those whose name has this in it')
    .option('--issuer <did>', 'only those of this issuer')
    .action(actionOf(terminal, registry, 'list'));

  addPartyOptions(template.command('show'), 'issuer')
    .description('print a template and its attributes')
    .argument('<template>', 'its id or name')
    .option('--template-version <number>', 'this version instead of the newest')
    .action(actionOf(terminal, registry, 'show'));

  addPartyOptions(template.command('price'), 'issuer')
    .description('say what a credential of a template costs')
    .argument('<template>', 'its id or name')
    .requiredOption(
      '--amount <amount>',
      'such as 1.5gas, or in the smallest unit; 0 gives it away',
      coinsWord,
    )
    .option('--token <address>', 'the token contract to pay in, instead of Gas', accountAddress)
    .option('--pay-to <address>', 'who is paid; the issuer, if left out', accountAddress)
    .action(actionOf(terminal, payments, 'setPrice'));

  addPartyOptions(template.command('auto-issue'), 'issuer')
    .description('let the service issue credentials of a template at once')
    .argument('<template>', 'its id or name')
    .option('--per-day <number>', 'how many a day at most', perDay)
    .option('--until <time>', 'when this ends', time)
    .option('--for <did>', 'a holder who may have one, instead of everybody; repeatable', collectWords)
    .option('--valid-days <number>', 'how long the credentials are valid', validDays)
    .option('--allow-reissue', 'let a holder have a second one while the first is good')
    .option('--leave-key', 'give the service your key to sign with; it keeps it sealed')
    .option('--bbs-key <file>', 'with --leave-key: a BBS+ secret key that the service does not hold yet')
    .option('--off', 'end it')
    .action(actionOf(terminal, payments, 'setAutoIssue'));
}

const perDay = countUpTo(paymentLimits.autoIssuePerDayMax);
const validDays = countUpTo(paymentLimits.autoIssueValidSecondsMax / 86_400, ' of days');
