/**
 * The `symbolon` program: which commands there are, how they are grouped in the help, and how mistyped words are
 * answered. What the commands do is in `commands/`, one folder each; one run is `run-program.ts`.
 */
import type { EventEmitter } from 'node:events';
import { Command, type Option } from 'commander';
import { addHelpExamples } from './help-examples.ts';
import { processTerminal, widen } from './terminal/terminal.ts';

type AddCommands = (program: Command) => unknown;

/**
 * Where each command comes from, by the groups of the help. Only the one that is asked for is loaded; help, completion and
 * mistyped words need them all.
 */
const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<AddCommands>>>>> = {
  'Begin:': {
    dev: async () => (await import('./commands/demo/dev.ts')).addDevCommand,
    demo: async () => (await import('./commands/demo/commands.ts')).addDemoCommand,
    profile: async () => (await import('./commands/profile/commands.ts')).addProfileCommands,
    doctor: async () => (await import('./commands/doctor/commands.ts')).addDoctorCommand,
    reset: async () => (await import('./commands/reset/commands.ts')).addResetCommand,
    completion: async () => (await import('./commands/completion/commands.ts')).addCompletionCommand,
  },
  'Credentials:': {
    issuer: async () => (await import('./commands/issuer/commands.ts')).addIssuerCommands,
    template: async () => (await import('./commands/template/commands.ts')).addTemplateCommands,
    offer: async () => (await import('./commands/offer/commands.ts')).addOfferCommands,
    vc: async () => (await import('./commands/vc/commands.ts')).addVcCommands,
    vp: async () => (await import('./commands/vp/commands.ts')).addVpCommands,
    verify: async () => (await import('./commands/verify/commands.ts')).addVerifyCommands,
    request: async () => (await import('./commands/request/commands.ts')).addRequestCommands,
    trust: async () => (await import('./commands/trust/commands.ts')).addTrustCommands,
    listen: async () => (await import('./commands/listen/commands.ts')).addListenCommands,
    wallet: async () => (await import('./commands/wallet/commands.ts')).addWalletCommands,
    mcp: async () => (await import('./commands/mcp/commands.ts')).addMcpCommand,
  },
  'Ledger:': {
    did: async () => (await import('./commands/did/commands.ts')).addDidCommands,
    keys: async () => (await import('./commands/keys/commands.ts')).addKeysCommands,
    account: async () => (await import('./commands/account/commands.ts')).addAccountCommands,
    tx: async () => (await import('./commands/tx/commands.ts')).addTxCommands,
    contract: async () => (await import('./commands/contract/commands.ts')).addContractCommands,
    tail: async () => (await import('./commands/tail/commands.ts')).addTailCommand,
  },
  'Run and look after:': {
    node: async () => (await import('./commands/node/commands.ts')).addNodeCommands,
    chain: async () => (await import('./commands/chain/commands.ts')).addChainCommands,
    service: async () => (await import('./commands/service/commands.ts')).addServiceCommands,
    config: async () => (await import('./commands/config/commands.ts')).addConfigCommands,
    backup: async () => (await import('./commands/backup/commands.ts')).addBackupCommand,
    restore: async () => (await import('./commands/backup/commands.ts')).addRestoreCommand,
  },
};

/** A value that does not fit may be a key that was pasted into the wrong place. */
export const withoutValues = (text: string): string =>
  text
    .replace(/command-argument value '[\s\S]*?' is invalid for argument '(.*?)'\./, "'$1' does not fit.")
    .replace(/option '(.*?)' argument '[\s\S]*?' is invalid\./, "'$1' does not fit.")
    .replace(/(argument|value) '[\s\S]*?' (is invalid|from env)/, '$1 $2')
    .replace(/(but got \d+): [\s\S]*?\.\n/, '$1.\n');

const textLines = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

/** The program with the command that the words ask for, or with all of them. */
export async function createProgram(words: readonly string[] = []): Promise<Command> {
  const program = new Command('symbolon')
    .description('A ledger node and the verifiable-credential service that records to it')
    .version('0.1.0')
    // Commands may have an option of the same name as one of the program, such as --version.
    .enablePositionalOptions()
    .configureHelp({ minWidthToWrap: 20 })
    .showHelpAfterError('Run with --help to see what there is.')
    .commandsGroup('Begin:')
    .configureOutput({
      writeOut: (text) => processTerminal.print(textLines(text)),
      writeErr: (text) => processTerminal.remark(textLines(text)),
      outputError: (text, write) => write(withoutValues(text)),
    })
    .exitOverride();
  const asked = words[0] ?? '';
  const isVersion = asked === '--version' || asked === '-V';
  const isOne =
    asked !== 'completion' && Object.values(groups).some((commands) => Object.hasOwn(commands, asked));
  for (const [group, commands] of Object.entries(groups))
    for (const [name, load] of Object.entries(commands)) {
      if (isVersion || (isOne && name !== asked)) continue;
      (await load())(program);
      program.commands.find((command) => command.name() === name)?.helpGroup(group);
    }
  addHelpExamples(program);
  addWideOption(program);
  refuseRepetition(program);
  return program;
}

/** Whatever prints a result prints it whole on request. */
function addWideOption(command: Command): void {
  if (command.options.some(({ long }) => long === '--json'))
    command.option('--wide', 'shorten nothing to fit the screen').on('option:wide', widen);
  for (const child of command.commands) addWideOption(child);
}

/** Of two values that an option takes one of, nobody can say which was meant; what adds up says so in its help. */
function refuseRepetition(command: Command): void {
  // A command is one, though its types do not say so.
  const events = command as unknown as EventEmitter;
  for (const option of command.options) {
    if (!takesOneValue(option)) continue;
    // Before the value is kept, so that a kept one is from an earlier place on the command line.
    events.prependListener(`option:${option.name()}`, () => {
      if (command.getOptionValueSource(option.attributeName()) === 'cli')
        command.error(`error: option '${option.flags}' is given twice: it takes one value`);
    });
  }
  for (const child of command.commands) refuseRepetition(child);
}

const takesOneValue = ({ required, optional, variadic, description }: Option): boolean =>
  (required || optional) && !variadic && !/\brepeatable\b/.test(description);
