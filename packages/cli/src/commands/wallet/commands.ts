/**
 * `symbolon wallet add|list|show|apply|applications|present|answer|accept`: a holder's credentials in the holder's own hands. It is the wallet that
 * `symbolon mcp` serves to agents, in the same folder; here its owner is at the terminal and says yes or no.
 */

import { openidWalletLimits } from '@symbolon/sdk/limits/client-limits';
import type { Command } from 'commander';
import { actionOf, addPartyOptions } from '../../credentials/party-commands.ts';
import { coinAmount, countUpTo, walletOption } from '../../profile/options.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { valueWord } from '../vc/values.ts';

// Loaded when one of the commands is said.
const accepting = () => import('./accepting.ts');
const adding = () => import('./adding.ts');
const answering = () => import('./answering.ts');
const applying = () => import('./applications.ts');
const looking = () => import('./looking.ts');

export function addWalletCommands(program: Command, terminal: Terminal = processTerminal): void {
  const wallet = program
    .command('wallet')
    .description('keep your credentials, and answer those who ask for something of them');
  const command = (name: string) => addPartyOptions(wallet.command(name), 'holder').addOption(walletOption());

  command('add')
    .description('keep a credential of a file, or what waits for you at the service, if it is genuine')
    .argument('[file]', 'a credential, as "vc download" writes it')
    .option('--from-service', 'what waits at the service, too')
    .action(actionOf(terminal, adding, 'add'));

  command('list')
    .description('list your credentials, with what the ledger says of each')
    .action(actionOf(terminal, looking, 'list'));

  command('show')
    .description('print a credential with its values')
    .argument('<id>', 'its id, or as much of it as no other has')
    .action(actionOf(terminal, looking, 'show'));

  command('apply')
    .description('apply for a credential; what is issued at once is kept')
    .argument('<template>', 'the id or name of its template')
    .option('--set <name=value>', 'a value; repeatable', valueWord)
    .option('--file <file>', 'values as JSON: {"name": "…"}')
    .option(
      '--pay-up-to <amount>',
      'the most Gas that it may cost, its fee included; else nothing',
      coinAmount,
    )
    .action(actionOf(terminal, adding, 'applyAndKeep'));

  command('applications')
    .description('list what you have applied for at the service, and why something was rejected')
    .action(actionOf(terminal, applying, 'applications'));

  const presenting = (named: Command) =>
    named
      .argument('<link>', 'the link of the request, or its id; - reads it from standard input')
      .option('--credential <id>', 'which credential to show, where several would do')
      .option('--yes', 'show it without being asked')
      .option('--decline', 'of a request by OpenID: tell them that you show nothing')
      .option('--again', 'of a request by OpenID: show a copy that was shown before, where no other is left')
      .option('--ca <file>', 'of a request by OpenID: certificates of who may vouch for hosts, too')
      .action(actionOf(terminal, answering, 'answer'));
  presenting(
    command('present').description('show something to whoever asks, after you have seen what that is'),
  );
  presenting(command('answer').description('the same as present'));

  command('accept')
    .description('accept a credential that an issuer offers you, after you have seen what it says')
    .argument('<link>', 'the link of the offer; - reads it from standard input, unseen by others')
    .option('--pin-file <file>', 'where the PIN stands that the issuer told you; else you are asked')
    .option(
      '--copies <number>',
      'of an offer by OpenID: so many, each with a key of its own',
      countUpTo(openidWalletLimits.copiesMax),
    )
    .option('--yes', 'accept it without being asked')
    .action(actionOf(terminal, accepting, 'accept'));
}
