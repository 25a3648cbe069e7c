/**
 * `symbolon trust list add|remove|show`: lists of issuers that a verifier trusts, kept by the service for the one who
 * acts, and used as `--trust @NAME` wherever a verdict is asked for.
 */
import { nameProblem } from '@symbolon/core/names/look-alike-names';
import { tidyName } from '@symbolon/core/names/template-names';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { type Command, InvalidArgumentError } from 'commander';
import { addPartyOptions, collectWords, withConnection } from '../../credentials/party-commands.ts';
import { lookUpTemplate } from '../../credentials/template-lookup.ts';
import { didOption, listNameOption } from '../../credentials/trust-options.ts';
import type { PartyWords } from '../../profile/connection.ts';
import { columns, printTable } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printable, printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';

interface AddWords extends PartyWords {
  readonly name?: string;
  readonly template?: readonly string[];
}

export function addTrustCommands(program: Command, terminal: Terminal = processTerminal): void {
  const trust = program.command('trust').description('say which issuers you trust');
  const list = trust.command('list').description('lists of trusted issuers, kept by the service');

  addPartyOptions(list.command('add'), 'verifier')
    .description('put an issuer on a list, or change what the list says of it')
    .argument('<list>', 'the name of the list; it is made if there is none', listNameOption)
    .argument('<did>', 'the issuer', didOption)
    .option('--name <text>', 'what you call the issuer; verdicts show it', nameWord)
    .option(
      '--template <template>',
      'trusted for this template alone: its id or name; repeatable',
      collectWords,
    )
    .action((list: string, did: string, words: AddWords) =>
      withConnection(words, terminal, async (connection) => {
        const templates: string[] = [];
        for (const one of words.template ?? [])
          templates.push((await lookUpTemplate(connection, one)).templateId);
        const { name } = words;
        const kept = await connection.service.setTrustedIssuer({
          list,
          did,
          ...(name !== undefined && { name }),
          ...(templates.length > 0 && { templates }),
        });
        tellList(terminal, words, kept);
      }),
    );

  addPartyOptions(list.command('remove'), 'verifier')
    .description('take an issuer off a list; a list without issuers is gone')
    .argument('<list>', 'the name of the list', listNameOption)
    .argument('<did>', 'the issuer', didOption)
    .action((name: string, did: string, words: PartyWords) =>
      withConnection(words, terminal, async ({ service }) => {
        const removed = await service.removeTrustedIssuer({ name, did });
        if (words.json) return printJson(terminal, removed);
        terminal.print(`${did} is no longer on the list ${name}.`);
      }),
    );

  addPartyOptions(list.command('show'), 'verifier')
    .description('print a list; without a name, which lists there are')
    .argument('[list]', 'the name of the list', listNameOption)
    .action((name: string | undefined, words: PartyWords) =>
      withConnection(words, terminal, async ({ service }) => {
        if (name !== undefined) return tellList(terminal, words, await service.getTrustList({ name }));
        const { lists } = await service.listTrustLists();
        if (words.json) return printJson(terminal, { lists });
        if (lists.length === 0)
          terminal.remark('There is no list. Make one: symbolon trust list add NAME DID');
        else
          terminal.print(
            columns(
              terminal,
              lists.map((one) => [`  ${one.name}`, `${one.issuers} trusted`]),
            ),
          );
      }),
    );
}

type TrustList = CredentialReply<'getTrustList'>;

function tellList(terminal: Terminal, { json }: PartyWords, { name, issuers }: TrustList): void {
  if (json) return printJson(terminal, { name, issuers });
  const rows = issuers.map((issuer) => [
    `  ${issuer.did}`,
    printable(issuer.name ?? 'without a name'),
    issuer.templates ? `for ${issuer.templates.join(', ')}` : 'for every template',
  ]);
  terminal.print(`The list ${name}:`);
  printTable(terminal, rows);
  terminal.remark(`Use it: symbolon verify FILE --trust ${shellWord(`@${name}`)}`);
}

function nameWord(text: string): string {
  const name = tidyName(text);
  const problem = nameProblem(name);
  if (problem === undefined) return name;
  throw new InvalidArgumentError(`It ${printable(problem)}.`);
}
