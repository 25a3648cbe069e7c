/**
 * The `symbolon` command: parses words, calls a command, turns failures into one message and an exit code. What
 * the commands do lives beside it, one file each.
 */
import { stringifyJson } from '@symbolon/wire/json';
import { Command, CommanderError } from 'commander';
import { exitCodes, failureOf } from './failure.ts';

type AddCommands = (program: Command) => unknown;

/** Where each command comes from. Only the one that is asked for is loaded; help and mistyped words need them all. */
const commands: Readonly<Record<string, () => Promise<AddCommands>>> = {
  dev: async () => (await import('./dev.ts')).addDevCommand,
  demo: async () => (await import('./demo/demo-command.ts')).addDemoCommand,
  template: async () => (await import('./template-commands.ts')).addTemplateCommands,
  vc: async () => {
    const [{ addVcCommands }, { addBulkCommands }] = await Promise.all([
      import('./vc-commands.ts'),
      import('./bulk/bulk-commands.ts'),
    ]);
    return (to) => addBulkCommands(addVcCommands(to));
  },
  vp: async () => (await import('./vp-commands.ts')).addVpCommands,
  verify: async () => (await import('./verify-commands.ts')).addVerifyCommands,
  request: async () => (await import('./request-commands.ts')).addRequestCommands,
  listen: async () => (await import('./listen-commands.ts')).addListenCommands,
  did: async () => (await import('./did-commands.ts')).addDidCommands,
  keys: async () => (await import('./keys-commands.ts')).addKeysCommands,
  account: async () => (await import('./account-commands.ts')).addAccountCommands,
  tx: async () => (await import('./tx-commands.ts')).addTxCommands,
  contract: async () => (await import('./contract-commands.ts')).addContractCommands,
  tail: async () => (await import('./tail-commands.ts')).addTailCommand,
  mcp: async () => (await import('./mcp/mcp-command.ts')).addMcpCommand,
  node: async () => (await import('./node-commands.ts')).addNodeCommands,
  service: async () => (await import('./service-commands.ts')).addServiceCommands,
  config: async () => (await import('./config-commands.ts')).addConfigCommands,
  doctor: async () => (await import('./doctor-commands.ts')).addDoctorCommand,
  backup: async () => (await import('./backup/backup-commands.ts')).addBackupCommand,
  restore: async () => (await import('./backup/backup-commands.ts')).addRestoreCommand,
  reset: async () => (await import('./reset-commands.ts')).addResetCommand,
};

/** A value that does not fit may be a key that was pasted into the wrong place. */
const withoutValues = (text: string): string =>
  text
    .replace(/(argument|value) '[\s\S]*?' (is invalid|from env)/, '$1 $2')
    .replace(/(but got \d+): [\s\S]*?\.\n/, '$1.\n');

const program = new Command('symbolon')
  .description('A ledger node and the verifiable-credential service that records to it')
  .version('0.1.0')
  // Commands may have an option of the same name as one of the program, such as --version.
  .enablePositionalOptions()
  .showHelpAfterError('Run with --help to see what there is.')
  .configureOutput({ outputError: (text, write) => write(withoutValues(text)) })
  .exitOverride();

const asked = process.argv[2] ?? '';
const isVersion = asked === '--version' || asked === '-V';
const wanted = Object.hasOwn(commands, asked) ? [asked] : isVersion ? [] : Object.keys(commands);
for (const name of wanted) (await commands[name]?.())?.(program);

try {
  await program.parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else {
    const { message, exitCode, facts } = failureOf(error);
    process.stderr.write(`${message}\n`);
    // Whoever reads JSON reads standard output, and needs more than words.
    if (process.argv.includes('--json'))
      process.stdout.write(`${stringifyJson({ error: { message, ...facts } })}\n`);
    process.exitCode = exitCode;
  }
}
