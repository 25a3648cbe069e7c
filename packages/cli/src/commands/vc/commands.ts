/**
 * `symbolon vc apply|held|download|status|list|show|issue|reject|suspend|reinstate|revoke`: the life of a credential,
 * from a holder's application to the issuer's revocation. Signatures are made here; issuing many from a table is
 * `bulk/`.
 */
import { type Command, Option } from 'commander';
import {
  actionOf,
  addPageOptions,
  addPartyOptions,
  identifierOption,
} from '../../credentials/party-commands.ts';
import { shownIdentifierOption } from '../../credentials/short-ids.ts';
import { addCapOptions, stateOption, time } from '../../profile/options.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { addBulkCommands } from '../bulk/commands.ts';
import { valueWord } from './values.ts';

// Loaded when one of the commands is said.
const applying = () => import('./applying.ts');
const holding = () => import('./holding.ts');
const issuing = () => import('./issuing.ts');

const states = ['Pending', 'Approved', 'Issued', 'Rejected', 'Suspended', 'Revoked'];

export function addVcCommands(program: Command, terminal: Terminal = processTerminal): void {
  const vc = program.command('vc').description('apply for, issue, revoke and fetch credentials');
  addHolderCommands(vc, terminal);
  addIssuerCommands(vc, terminal);
  addBulkCommands(vc, terminal);
}

function addHolderCommands(vc: Command, terminal: Terminal): void {
  addPartyOptions(vc.command('apply'), 'holder')
    .description('apply for a credential')
    .argument('<template>', 'the id or name of its template')
    .option('--set <name=value>', 'a value; repeatable', valueWord)
    .option('--file <file>', 'values as JSON: {"name": "…"}')
    .action(actionOf(terminal, applying, 'apply'));

  addPartyOptions(vc.command('held'), 'holder')
    .description('list the credentials that were issued to you')
    .action(actionOf(terminal, holding, 'listHeld'));

  addPartyOptions(vc.command('download'), 'holder')
    .description('fetch a credential that was issued, into a file for you alone')
    .argument('<id>', 'the id that the application got, or what "vc held" shows of it', shownIdentifierOption)
    .option('--out <file>', 'where to write it', 'credential.json')
    .option('--force', 'write over a file that is there')
    .option('--issuer-copy', "the issuer's copy instead of the holder's; with --as issuer")
    .action(actionOf(terminal, holding, 'download'));

  addPartyOptions(vc.command('status'), 'holder')
    .description('say what the ledger knows about a credential')
    .argument('<id>', 'its id, or what a list shows of it', shownIdentifierOption)
    .option('--issuer <did>', 'who issued it, where the service does not know')
    .action(actionOf(terminal, holding, 'showStatus'));
}

function addIssuerCommands(vc: Command, terminal: Terminal): void {
  addPageOptions(addPartyOptions(vc.command('list'), 'issuer'))
    .description('list applications for your templates, oldest first')
    .addOption(stateOption(states))
    .option('--template <template>', 'only those for this template: its id or name')
    .action(actionOf(terminal, issuing, 'list'));

  const onOne = (name: string, description: string) =>
    addPartyOptions(vc.command(name), 'issuer')
      .description(description)
      .argument('<id>', 'its id', identifierOption);

  addPartyOptions(vc.command('show'), 'issuer')
    .description('print an application with what the holder applied with')
    .argument('<id>', 'its id, or what "vc list" shows of it', shownIdentifierOption)
    .action(actionOf(terminal, issuing, 'show'));
  onOne('issue', 'approve an application, sign the credential and record it')
    .option('--valid-until <time>', 'when it expires; in a year, if left out', time)
    .option('--valid-from <time>', 'when it begins; now, if left out', time)
    .option('--set <name=value>', 'a value instead of the one applied with; repeatable', valueWord)
    .option('--bbs-key <multibase>', 'your public BBS+ key, where the profile has none')
    .option('--holder <did>', 'whose it must be; of anybody else nothing is signed')
    .action(actionOf(terminal, issuing, 'issue'));
  onOne('reject', 'turn an application down')
    .requiredOption('--reason <text>', 'why; the holder reads it')
    .action(actionOf(terminal, issuing, 'reject'));
  const changing = (change: 'suspend' | 'reinstate' | 'revoke', description: string) =>
    addCapOptions(onOne(change, description))
      .option('--reason <text>', 'why; only its hash goes to the ledger')
      // Another word for --reason, for whoever is used to it.
      .addOption(new Option('--remark <text>').hideHelp().conflicts('reason'))
      .option('--registry <address>', 'the contract that keeps it, where the profile pins another one')
      .action(actionOf(terminal, issuing, change));
  changing('suspend', 'suspend a credential, until you reinstate it');
  changing('reinstate', 'end the suspension of a credential');
  changing('revoke', 'revoke a credential, for good');
}
