/**
 * `symbolon profile add|list|use|show`: which node and service commands mean, and who acts there. Profiles are files of
 * the user's, or of the folder that one stands in (`profile/places.ts`). Secrets in them are never printed.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { collectWords } from '../../credentials/party-commands.ts';
import { httpUrl, jsonOption } from '../../profile/options.ts';
import { isProfileName } from '../../profile/places.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';

// Loaded when one of the commands is said.
const adding = () => import('./adding.ts');
const looking = () => import('./looking.ts');

interface JsonWords {
  readonly json?: boolean;
}

export function addProfileCommands(program: Command, terminal: Terminal = processTerminal): void {
  const profile = program
    .command('profile')
    .description('say which node and service commands mean, and who acts there');

  profile
    .command('add')
    .description('write a profile, for its owner alone')
    .argument('<name>', 'its name', profileName)
    .option('--service <address>', 'where the service listens', httpUrl)
    .option('--ledger <address>', 'where the node listens', httpUrl)
    .option('--person <name=file>', 'somebody who acts, such as issuer=my.key; repeatable', collectWords)
    .option('--api-key-of <person>', 'whose API key to take from SYMBOLON_API_KEY, or to ask for')
    .option('--from <file>', 'a profile as JSON, to which the rest is added')
    .option('--here', 'for this folder, in .symbolon/profiles, instead of for you everywhere')
    .option('--force', 'write over a profile of this name')
    .addOption(jsonOption())
    .action(async (name: string, words) => (await adding()).addProfile(name, words, terminal));

  profile
    .command('list')
    .description('list profiles, and say which one is current')
    .addOption(jsonOption())
    .action(async (words: JsonWords) => (await looking()).showProfiles(words, terminal));

  profile
    .command('use')
    .description('choose the profile that is meant when none is named')
    .argument('<name>', 'its name', profileName)
    .option('--here', 'in this folder alone')
    .addOption(jsonOption())
    .action(async (name: string, words) => (await looking()).useProfile(name, words, terminal));

  profile
    .command('show')
    .description('print a profile; of secrets only that they are there')
    .argument('[name]', 'its name or file; the current one, if left out')
    .addOption(jsonOption())
    .action(async (name: string | undefined, words: JsonWords) =>
      (await looking()).showProfile(name, words, terminal),
    );
}

export function profileName(text: string): string {
  if (isProfileName(text)) return text;
  throw new InvalidArgumentError('A name is up to 64 letters, digits, "-" and "_".');
}
