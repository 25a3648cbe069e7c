/**
 * `symbolon issuer init`: everything that somebody needs to issue credentials on a service, in one step that can be
 * repeated. What the steps are is `issuer/set-up-issuer.ts`.
 */
import { given } from '@symbolon/core/basics/plain-values';
import { type Command, Option } from 'commander';
import { withAdvice } from '../../credentials/party-commands.ts';
import type { IssuerPlaces, IssuerWords } from '../../issuer/issuer-words.ts';
import { exists } from '../../machine/files.ts';
import { connect } from '../../profile/connection.ts';
import { jsonOption, ledgerOption, serviceOption } from '../../profile/options.ts';
import { demoProfile, profilePlace } from '../../profile/places.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { profileName } from '../profile/commands.ts';
import { withRecords } from '../service/records.ts';

interface InitWords extends Omit<IssuerWords, 'name'> {
  readonly service?: string;
  readonly ledger?: string;
}

export function addIssuerCommands(program: Command, terminal: Terminal = processTerminal): void {
  const issuer = program.command('issuer').description('become an issuer on a service');

  issuer
    .command('init')
    .description(
      'key, API key, funds, BBS+ key and profile of an issuer: does what is missing, can be repeated',
    )
    .argument('[name]', 'of its profile', profileName, 'issuer')
    .option('--key <file>', "the account's key; one is made, if left out")
    .addOption(new Option('--encrypt', 'put a password on the key that is made').conflicts('key'))
    .option('--data <folder>', 'the folder of the service, where it is on this machine and yours')
    .option('--fund-from <file>', 'whose key pays, such as the genesis key of your own chain')
    .addOption(serviceOption())
    .addOption(ledgerOption())
    .addOption(jsonOption())
    .action((name: string, words: InitWords) => withAdvice(() => init({ ...words, name }, terminal)));
}

type NamedWords = InitWords & Pick<IssuerWords, 'name'>;

async function init(words: NamedWords, terminal: Terminal): Promise<void> {
  const { tellSetUp, placesOfFolder, nextWords } = await import('../../issuer/issuer-words.ts');
  const { data, service: serviceUrl, ledger: ledgerUrl } = words;
  const made =
    data === undefined
      ? await tellSetUp(words, await placesOfService(words, terminal), terminal)
      : await withRecords(data, (records, config) => {
          const places = { ...placesOfFolder(records, config), ...given({ serviceUrl, ledgerUrl }) };
          return tellSetUp(words, places, terminal);
        });
  if (words.json) return printJson(terminal, made);
  const first = data === undefined ? [] : [`Start the service, if it does not run: ${startWords(data)}`];
  terminal.remark([...first, `Next: ${nextWords(made)}`]);
}

const startWords = (data: string): string => `symbolon service start --data ${shellWord(data)}`;

/**
 * Those of the words, else of an earlier run's profile, else the usual ones on this machine. An API key of the
 * environment goes where it may, as with every command.
 */
async function placesOfService(
  { name, service, ledger }: NamedWords,
  terminal: Terminal,
): Promise<IssuerPlaces> {
  const { serviceDesk } = await import('../../issuer/issuer-desk.ts');
  const { file } = profilePlace('user', name);
  const profile = (await exists(file)) ? file : demoProfile;
  const { serviceUrl, ledgerUrl, apiKey } = await connect(
    { profile, ...given({ service, ledger }) },
    terminal,
  );
  return { desk: serviceDesk(serviceUrl, apiKey), serviceUrl, ledgerUrl };
}
