/**
 * `symbolon service init|start|status` and `symbolon service key create|list|revoke`: a credential service from its
 * folder to its API keys, and `reconcile`. Keys are looked after in the service's own database, so
 * these commands run where it is; a running service notices within seconds.
 */
import { apiScopes } from '@symbolon/wire/http/service-route';
import { type Command, Option } from 'commander';
import {
  httpUrl,
  jsonOption,
  portNumber,
  profileOption,
  serviceOption,
  time,
  urlOption,
} from '../../profile/options.ts';
import { logOption } from '../../servers/server-log.ts';
import { profileName } from '../profile/commands.ts';

// Loaded when one of the commands is said.
const keys = () => import('./keys.ts');

const data = () => new Option('--data <folder>', "the service's folder").makeOptionMandatory();

export function addServiceCommands(program: Command): void {
  const service = program.command('service').description('run and look after a credential service');

  service
    .command('init')
    .description('make the folder of a new service: settings, master key, database')
    .requiredOption('--data <folder>', 'where the service lives; must be empty')
    .option('--node <url>', 'the ledger node that it records to', httpUrl)
    .option('--port <number>', 'port of the interface, kept in the settings', portNumber)
    .option('--with-issuer <name>', 'make an issuer on it too; its node must be running', profileName)
    .option('--fund-from <file>', 'whose key pays for what begins here: the registrar, and the issuer')
    .addOption(jsonOption())
    .action(async (words) => (await import('./beginning.ts')).initService(words));

  service
    .command('start')
    .description('run the service of a folder until it is told to stop')
    .addOption(data())
    .option('--port <number>', 'port of the interface, this time; the settings keep theirs', portNumber)
    .option('--node <url>', 'the ledger node that it records to', httpUrl)
    .option('--begin-again', 'the database of the folder is gone: begin an empty one')
    .addOption(logOption())
    .action(async (words) => (await import('./running.ts')).runService(words));

  service
    .command('status')
    .description('ask a running service whether it can work')
    .addOption(profileOption())
    .addOption(serviceOption())
    .addOption(urlOption())
    .addOption(jsonOption())
    .action(async (words) => (await import('./status.ts')).showServiceStatus(words));

  service
    .command('reconcile')
    .description('record again what the ledger has lost of what the service recorded')
    .addOption(data())
    .option('--node <url>', 'the ledger node, if not the one of the settings', httpUrl)
    .option('--yes', 'yes, do it; without, it is only told what is lacking')
    .option(
      '--accept-other-chain',
      'go on with a ledger that is another chain: nothing that was recorded is on it or comes to it',
    )
    .addOption(jsonOption())
    .action(async (words) => (await import('./reconcile.ts')).runReconcile(words));

  addKeyCommands(service.command('key').description('make, list and revoke API keys'));
}

function addKeyCommands(key: Command): void {
  key
    .command('create')
    .description('make an API key; it is printed once and never again')
    .addOption(data())
    .addOption(
      new Option('--scope <names...>', 'what the key is good for').choices(apiScopes).makeOptionMandatory(),
    )
    .option('--did <did>', 'whom its bearer acts for')
    .option('--label <text>', 'a name for people', 'made by the command line')
    .option('--expires <time>', 'when the key ends', time)
    .addOption(jsonOption())
    .action(async (words) => (await keys()).createKey(words));

  key
    .command('list')
    .description('list API keys, without their secrets')
    .addOption(data())
    .addOption(jsonOption())
    .action(async (words) => (await keys()).listKeys(words));

  key
    .command('revoke')
    .description('end an API key, for good')
    .argument('<id>', 'the eight characters after "sym_"')
    .addOption(data())
    .addOption(jsonOption())
    .action(async (id, words) => (await keys()).revokeKey(id, words));
}
