/**
 * A running service with the demo's people, and the `symbolon` command as their tool: as a process of its own with
 * nothing of the caller's environment but the profile, or in this one where only words and failures matter.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { addListenCommands } from '@symbolon/cli/commands/listen/commands';
import { addOfferCommands } from '@symbolon/cli/commands/offer/commands';
import { addRequestCommands } from '@symbolon/cli/commands/request/commands';
import { addTemplateCommands } from '@symbolon/cli/commands/template/commands';
import { addTrustCommands } from '@symbolon/cli/commands/trust/commands';
import { addVcCommands } from '@symbolon/cli/commands/vc/commands';
import { addVerifyCommands } from '@symbolon/cli/commands/verify/commands';
import { addVpCommands } from '@symbolon/cli/commands/vp/commands';
import { addWalletCommands } from '@symbolon/cli/commands/wallet/commands';
import { exitCodes, failureOf } from '@symbolon/cli/terminal/failure';
import { createTerminal, type Terminal } from '@symbolon/cli/terminal/terminal';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { Command, CommanderError } from 'commander';
import type { Owner } from '../support/owner.ts';
import { type RunningService, type ServiceOrder, startService } from '../support/running-service.ts';
import { type Ended, type Environment, startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface CommandWorld {
  readonly service: RunningService;
  readonly env: Environment;
  /** A place for a file. */
  file(name: string): string;
  /** Runs a command to its end, as a process. */
  run(...args: string[]): Promise<Ended>;
  /** The same in this process, which is quicker; not for verdicts, which set the exit code of the process. */
  here(...args: string[]): Promise<Ended>;
  /** Runs a command that succeeds, in this process, and reads the JSON that it prints. */
  json(...args: string[]): Promise<JsonObject>;
  start(...args: string[]): ReturnType<typeof startSymbolon>;
}

export async function startCommandWorld(
  owner: Owner,
  settings: ServiceOrder['config'] = {},
): Promise<CommandWorld> {
  const service = await startService(owner, { config: { callbacks: { allowLoopback: true }, ...settings } });
  const folder = tempFolder(owner);
  const profile = path.join(service.folder, 'demo.json');
  const env = { SYMBOLON_PROFILE: profile };
  const here = (...args: string[]) =>
    runHere(args.includes('--profile') ? args : [...args, '--profile', profile]);
  return {
    service,
    env,
    file: (name) => path.join(folder, name),
    run: (...args) => symbolon(owner, args, env),
    start: (...args) => startSymbolon(owner, args, env),
    here,
    async json(...args) {
      const { code, out, err } = await here(...args, '--json');
      assert.equal(code, 0, `symbolon ${args.join(' ')}: ${err}`);
      return onlyJson(out);
    },
  };
}

/** The commands as `main.ts` runs them, with a terminal that remembers. */
async function runHere(args: readonly string[]): Promise<Ended> {
  const printed = { out: '', err: '' };
  const terminal = createTerminal({
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    isWatched: false,
    hasColours: false,
  });
  const program = credentialProgram(terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return { code: 0, signal: null, ...printed };
  } catch (error) {
    if (error instanceof CommanderError) return { code: exitCodes.usage, signal: null, ...printed };
    const { message, exitCode, facts } = failureOf(error);
    terminal.remark(message.split('\n'));
    if (args.includes('--json')) terminal.print(stringifyJson({ error: { message, ...facts } }));
    return { code: exitCode, signal: null, ...printed };
  }
}

/** Everything that acts for issuers, holders and verifiers. */
export function credentialProgram(terminal: Terminal): Command {
  const program = new Command('symbolon')
    .enablePositionalOptions()
    .showHelpAfterError('Run with --help to see what there is.')
    .configureOutput({ writeErr: (text) => terminal.remark(text.trimEnd().split('\n')) })
    .exitOverride();
  addListenCommands(program, terminal);
  addOfferCommands(program, terminal);
  addRequestCommands(program, terminal);
  addTemplateCommands(program, terminal);
  addTrustCommands(program, terminal);
  addVcCommands(program, terminal);
  addVerifyCommands(program, terminal);
  addVpCommands(program, terminal);
  addWalletCommands(program, terminal);
  return program;
}

/** The one line of JSON that was printed. */
export function onlyJson(out: string): JsonObject {
  assert.match(out, /^\{.*\}\n$/, 'one line of JSON');
  return parseJson(out) as JsonObject;
}

export const degree = {
  name: 'University degree',
  attributes: ['name:string:required', 'degree:string:required', 'birthDate:date', 'points:integer'],
  values: ['name=Aroha Ngata', 'degree=BSc Mathematics', 'birthDate=1990-05-17', 'points=250'],
};

const each = (option: string, values: readonly string[]): string[] =>
  values.flatMap((value) => [option, value]);

export const registerDegree = (world: CommandWorld): Promise<JsonObject> =>
  world.json('template', 'create', '--name', degree.name, ...each('--attribute', degree.attributes));

/** Applied for, issued and downloaded, all by command; answers the id. */
export async function issueDegree(world: CommandWorld, out: string, ...words: string[]): Promise<string> {
  const { vcId } = await world.json('vc', 'apply', degree.name, ...each('--set', degree.values));
  await world.json('vc', 'issue', String(vcId), ...words);
  await world.json('vc', 'download', String(vcId), '--out', out);
  return String(vcId);
}

/** What happened, why or what exactly, what to do: never one line, never a stack, never a value of an attribute. */
export function assertHelpful({ err, out }: Ended): void {
  assert.ok(err.split('\n').filter((line) => line !== '').length >= 2, err);
  assert.ok(!/\n\s+at /.test(err), err);
  for (const value of ['Aroha', 'Mathematics', 'priv', 'sym_']) assert.ok(!err.includes(value), err);
  assertPlain(out + err);
}

export const assertPlain = (text: string): void =>
  assert.ok(!text.includes('\u001b'), 'no escape codes in pipes');
