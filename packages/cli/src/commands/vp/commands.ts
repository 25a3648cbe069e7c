/**
 * `symbolon vp create|show`: a presentation that shows of a credential only what was said. It is derived here, so that
 * nobody else sees the whole credential; `--by-service` has the service do it. What they do is `creating.ts`.
 */
import type { Command } from 'commander';
import { addDisclosureOptions, namesOption } from '../../credentials/disclosure-options.ts';
import { actionOf, addPartyOptions, withAdvice } from '../../credentials/party-commands.ts';
import { jsonOption } from '../../profile/options.ts';
import { printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';

export function addVpCommands(program: Command, terminal: Terminal = processTerminal): void {
  const vp = program.command('vp').description('make and look at presentations of credentials');

  const create = addPartyOptions(vp.command('create'), 'holder')
    .description('show of a credential what you choose, and nothing else')
    .argument('<file>', 'the credential, as "symbolon vc download" wrote it');
  addDisclosureOptions(create, { reveal: 'reveal', what: 'attributes to show' })
    .option(
      '--telling-range <names>',
      'attributes whose range may be so narrow that it tells the value; repeatable',
      namesOption,
    )
    .option('--challenge <text>', 'what the verifier gave you, so that nobody can use it again')
    .option('--domain <text>', 'whom it is for')
    .option('--out <file>', 'where to write it; standard output, if left out')
    .option('--force', 'write over a file that is there')
    .option('--by-service', 'have the service derive it: quicker, and the service sees the credential')
    .option('--facts <file>', 'issuer keys fetched earlier, so that no network is needed')
    .action(actionOf(terminal, () => import('./creating.ts'), 'create'));

  vp.command('show')
    .description('say what a presentation shows, proves and hides')
    .argument('<file>', 'the presentation')
    .addOption(jsonOption())
    .action((file: string, { json }: { json?: boolean }) => withAdvice(() => show(file, { json, terminal })));
}

interface ShowOrder {
  readonly json: boolean | undefined;
  readonly terminal: Terminal;
}

async function show(file: string, { json, terminal }: ShowOrder): Promise<void> {
  const { readPresentationFile } = await import('../../credentials/document-files.ts');
  const {
    contentJson,
    contentLines,
    presentedCredentials: contentsOf,
  } = await import('../../credentials/presentation-contents.ts');
  const credentials = contentsOf(await readPresentationFile(file));
  if (json) return printJson(terminal, { credentials: credentials.map(contentJson) });
  terminal.print(
    credentials.flatMap((one, index) => [...(index > 0 ? [''] : []), ...contentLines(terminal, one)]),
  );
  terminal.remark('This is what it says. Whether that holds: symbolon verify FILE');
}
