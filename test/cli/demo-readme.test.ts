/**
 * The first five minutes of README.md, command by command: the commands are read from there and run in their order by
 * a shell, in a folder of their own. Only `npm` is replaced, by one that starts this checkout's program on free ports.
 * What is to be left running is, until everything else is done, and then gets its Ctrl-C.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readersEnvironment, replaceNpm, root } from '../support/document-shell.ts';
import { freePorts } from '../support/free-ports.ts';
import { openTerminal, type Terminal } from '../support/page-shell.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

/** Commands stand indented in the section, each with what a reader should know of it behind a number sign. */
function documentedCommands(section: RegExp): string[] {
  return (section.exec(readme)?.[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.trim());
}

/** With the link that a command before has printed. Nobody is at a terminal here to say yes. */
function filled(command: string, outputs: ReadonlyMap<string, string>): string {
  if (!command.includes("'LINK'")) return command;
  const link = /^ *link +(\S+)$/m.exec([...outputs.values()].join('\n'))?.[1];
  assert.ok(link, 'a link was printed');
  return command.replace("'LINK'", `'${link}' --yes`);
}

test('the first five minutes of the README work command by command', async (context) => {
  const folder = path.join(tempFolder(context), 'checkout');
  mkdirSync(folder);
  replaceNpm(folder);
  const env = readersEnvironment(folder);
  const commands = documentedCommands(/\n## The first five minutes\n([\s\S]*?)\nFrom here/);
  const names = commands.map((command) => command.replace(/ *#.*$/, ''));
  for (const wanted of ['npm start', 'npm run symbolon -- demo', 'npm run symbolon -- tail'])
    assert.ok(names.includes(wanted), wanted);
  const running: Terminal[] = [];
  const endRunning = async (): Promise<void> => {
    for (const { interrupt, printed } of running.splice(0).reverse())
      assert.equal(await interrupt(), 0, printed());
  };
  const outputs = new Map<string, string>();
  for (const [index, command] of commands.entries()) {
    if (command.includes('after Ctrl-C')) await endRunning();
    const started = openTerminal(context, filled(command, outputs), { folder, env });
    if (command.includes('leave it running')) {
      running.push(started);
      await until(`${command} to be up`, () => /Ctrl-C (stops|ends)/.test(started.printed()));
    } else {
      assert.equal(await started.ended, 0, `${command}\n${started.printed()}`);
      outputs.set(names[index] as string, started.printed());
    }
  }
  assert.equal(running.length, 0, 'the last command starts over');
  assert.match(outputs.get('npm run symbolon -- demo') ?? '', /NOT VERIFIED +status: credential revoked/);
  assert.match(outputs.get('npm run symbolon -- vc held') ?? '', /University degree/);
  const answered = outputs.get("npm run symbolon -- wallet answer 'LINK'") ?? '';
  assert.match(answered, /You would show:\n {2}degree: BSc Mathematics\n[\s\S]*^VERIFIED/m);
  assert.match(outputs.get('bash .symbolon/story.sh') ?? '', /"verified":false.*revoked in ledger/);
  assert.ok(!existsSync(path.join(folder, '.symbolon/dev')), 'reset leaves nothing');
});

test("the README's chain and service of one's own work as printed", async (context) => {
  const folder = path.join(tempFolder(context), 'checkout');
  mkdirSync(folder);
  replaceNpm(folder);
  const [ledger = '', socket = '', service = ''] = await freePorts(3);
  const env = {
    ...readersEnvironment(folder),
    SYMBOLON_LEDGER_PORT: ledger,
    SYMBOLON_LEDGER_SOCKET_PORT: socket,
    SYMBOLON_PORT: service,
    SYMBOLON_NODE_URL: `http://127.0.0.1:${ledger}`,
  };
  const commands = documentedCommands(/\nFrom here([\s\S]*?)\n## Test it/);
  assert.equal(commands.length, 6);
  const running: Terminal[] = [];
  for (const command of commands) {
    const started = openTerminal(context, command, { folder, env });
    if (command.includes('it says when it is ready')) {
      running.push(started);
      await until(`${command} to be ready`, () => / is ready\. Ctrl-C stops it\.\n/.test(started.printed()));
    } else assert.equal(await started.ended, 0, `${command}\n${started.printed()}`);
  }
  for (const { interrupt, printed } of running.reverse()) assert.equal(await interrupt(), 0, printed());
});
