/**
 * What a server says is data: every command that asks one is run against a node and service whose every text tries to
 * take the terminal over. Whatever they say, what is printed is printable, and every line is ours.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import { helpExamples } from '@symbolon/cli/help-examples';
import { keyFormat } from '@symbolon/cli/profile/key-format';
import { demoPerson, demoRoles } from '@symbolon/demo/people';
import {
  forgedWord,
  type HostileServer,
  printedProblems,
  startHostileServer,
  type Temper,
} from '../support/hostile-server.ts';
import { socketEvents } from '../support/hostile-socket.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { plainEnvironment } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { ManyCommands, PrintedByCommand } from './many-commands.ts';

/** They serve, or ask no server; `tail` is told when to end, `listen` and `mcp` have tests of their own. */
const leftOut = new Set(['dev', 'reset', 'listen', 'mcp', 'node start', 'service start', 'tail']);

const driver = path.resolve(import.meta.dirname, 'many-commands.ts');
const identifier = `did:zid:${'ab'.repeat(32)}`;

let server: HostileServer;
let folder: string;
let commands: (readonly string[])[];

const owner = ownerOfSuite();

before(async () => {
  folder = tempFolder(owner);
  server = await startHostileServer(owner);
  const people = await Promise.all(demoRoles.map((role) => demoPerson(role, keyFormat)));
  const persons = people.map(({ role, did, privateKey }) => [role, { did, privateKey, apiKey: 'sym_key' }]);
  const profile = path.join(folder, 'profile.json');
  const places = { service: server.url, ledger: server.url };
  writeFileSync(profile, JSON.stringify({ ...places, ...Object.fromEntries(persons) }), { mode: 0o600 });
  writeFileSync(path.join(folder, 'my.key'), `${people[0]?.privateKey}\n`, { mode: 0o600 });
  writeFileSync(path.join(folder, 'values.json'), '{"name":"Mira"}');
  writeFileSync(path.join(folder, 'graduates.csv'), `did,name\n${identifier},Mira\n`);
  const address = people[1]?.address ?? '';
  const filled = (words: string): string[] =>
    [...words.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
      .map(([, double, single, bare]) => double ?? single ?? bare ?? '')
      .map((word) =>
        word
          .replace(/^(ID|DID)$/, identifier)
          .replace(/^ADDRESS$/, address)
          .replace(/^HASH$/, 'ab'.repeat(32)),
      );
  const lines = Object.entries(helpExamples)
    .filter(([name]) => !leftOut.has(name))
    .flatMap(([, examples]) => examples.map(filled));
  const addressed = (words: string[]): string[] => {
    const [group = '', name = ''] = words;
    if (group === 'node') return [...words, ...(name === 'status' ? ['--ledger', server.url] : [])];
    if (group === 'service') return [...words, ...(name === 'status' ? ['--service', server.url] : [])];
    const isLocal =
      ['config', 'backup', 'restore'].includes(group) ||
      /^(keys|contract (check|test))/.test(words.join(' '));
    return isLocal ? words : [...words, '--profile', profile];
  };
  commands = lines.map(addressed);
  // As many lines as the hostile node has to tell.
  const tail = ['tail', '--count', String(socketEvents), '--socket', server.socketUrl];
  commands.push([...tail, '--profile', profile]);
  commands.push(
    ...commands.filter((words) => !words.includes('--json')).map((words) => [...words, '--json']),
  );
});

async function run(
  temper: Temper,
  lines: ManyCommands['commands'],
  isTerminal = false,
): Promise<PrintedByCommand[]> {
  server.temper = temper;
  const env = { ...plainEnvironment(), NODE_NO_WARNINGS: '1' };
  const child = spawn(process.execPath, [driver], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ commands: lines, isTerminal } satisfies ManyCommands));
  return JSON.parse(await text(child.stdout));
}

const problemsOf =
  (isTerminal: boolean) =>
  ({ words, out, err }: PrintedByCommand): string[] =>
    [out, err]
      .flatMap((printed) => printedProblems(printed, { isTerminal }))
      .map((problem) => `symbolon ${words.join(' ')}: ${problem}`);

describe('texts of servers', () => {
  for (const temper of ['reply', 'refusal', 'known refusal', 'nonsense'] as const)
    test(`stay data where a server answers with a ${temper}`, async () => {
      const printed = await run(temper, commands);
      assert.deepEqual(printed.flatMap(problemsOf(false)), []);
      const telling = printed.filter(({ out, err }) => `${out}${err}`.includes(forgedWord));
      if (temper !== 'nonsense')
        assert.ok(telling.length >= 10, `only ${telling.length} commands say anything`);
    });

  test('move nothing and colour nothing on a terminal: every sequence is our own', async () => {
    const printed = await run('reply', commands, true);
    assert.deepEqual(printed.flatMap(problemsOf(true)), []);
    const coloured = printed.filter(({ out, err }) => `${out}${err}`.includes('\u001b['));
    assert.ok(coloured.length >= 3, `only ${coloured.length} commands have colours`);
    const tails = printed.filter(({ words, out }) => words[0] === 'tail' && out.includes(forgedWord));
    assert.ok(tails.length > 0, 'no tail tells what the node says');
  });
});
