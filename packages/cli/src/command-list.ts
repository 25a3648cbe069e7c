/**
 * Which commands there are, by the groups of the help: the line that the help says of each, and where it comes from. The
 * lines stand here so that the help needs none of the commands; a test holds them against the commands' own.
 */
import type { Command } from 'commander';

export interface ListedCommand {
  /** The name, and the words that may follow it. */
  readonly term: string;
  readonly description: string;
  readonly load: () => Promise<(program: Command) => unknown>;
}

export const commandGroups: Readonly<Record<string, readonly ListedCommand[]>> = {
  'Begin:': [
    {
      term: 'dev [options]',
      description: 'run everything in one process, with demo data',
      load: async () => (await import('./commands/demo/dev-command.ts')).addDevCommand,
    },
    {
      term: 'demo [options]',
      description: 'play the whole life of a credential on the running demo',
      load: async () => (await import('./commands/demo/commands.ts')).addDemoCommand,
    },
    {
      term: 'profile',
      description: 'say which node and service commands mean, and who acts there',
      load: async () => (await import('./commands/profile/commands.ts')).addProfileCommands,
    },
    {
      term: 'doctor [options]',
      description: 'look at machine, folders, node and service, and say what is wrong',
      load: async () => (await import('./commands/doctor/commands.ts')).addDoctorCommand,
    },
    {
      term: 'reset [options]',
      description: "remove the demo's data, so that the next start begins anew",
      load: async () => (await import('./commands/reset/commands.ts')).addResetCommand,
    },
    {
      term: 'completion <shell>',
      description: 'print what lets a shell complete commands and options',
      load: async () => (await import('./commands/completion/commands.ts')).addCompletionCommand,
    },
  ],
  'Credentials:': [
    {
      term: 'issuer',
      description: 'become an issuer on a service',
      load: async () => (await import('./commands/issuer/commands.ts')).addIssuerCommands,
    },
    {
      term: 'template',
      description: 'register and look at templates of credentials',
      load: async () => (await import('./commands/template/commands.ts')).addTemplateCommands,
    },
    {
      term: 'offer',
      description: 'offer a credential with a link; no application first',
      load: async () => (await import('./commands/offer/commands.ts')).addOfferCommands,
    },
    {
      term: 'vc',
      description: 'apply for, issue, revoke and fetch credentials',
      load: async () => (await import('./commands/vc/commands.ts')).addVcCommands,
    },
    {
      term: 'vp',
      description: 'make and look at presentations of credentials',
      load: async () => (await import('./commands/vp/commands.ts')).addVpCommands,
    },
    {
      term: 'verify [options] <file>',
      description: 'verify a presentation, or a backup',
      load: async () => (await import('./commands/verify/commands.ts')).addVerifyCommands,
    },
    {
      term: 'request [options]',
      description: 'ask a wallet to show something',
      load: async () => (await import('./commands/request/commands.ts')).addRequestCommands,
    },
    {
      term: 'trust',
      description: 'say which issuers you trust',
      load: async () => (await import('./commands/trust/commands.ts')).addTrustCommands,
    },
    {
      term: 'listen [options]',
      description: 'receive callbacks on this machine, check them and hand them on',
      load: async () => (await import('./commands/listen/commands.ts')).addListenCommands,
    },
    {
      term: 'wallet',
      description: 'keep your credentials, and answer those who ask for something of them',
      load: async () => (await import('./commands/wallet/commands.ts')).addWalletCommands,
    },
    {
      term: 'mcp [options]',
      description: 'serve a wallet to an agent over the Model Context Protocol, on standard input and output',
      load: async () => (await import('./commands/mcp/commands.ts')).addMcpCommand,
    },
  ],
  'Ledger:': [
    {
      term: 'did',
      description: 'look at DID documents, and publish and end your own keys and name',
      load: async () => (await import('./commands/did/commands.ts')).addDidCommands,
    },
    {
      term: 'keys',
      description: 'make keys of accounts and look at them',
      load: async () => (await import('./commands/keys/commands.ts')).addKeysCommands,
    },
    {
      term: 'account',
      description: 'look at accounts, make them, write their metadata',
      load: async () => (await import('./commands/account/commands.ts')).addAccountCommands,
    },
    {
      term: 'tx',
      description: 'pay, look at transactions, and sign them on another machine',
      load: async () => (await import('./commands/tx/commands.ts')).addTxCommands,
    },
    {
      term: 'contract',
      description: 'begin, check, test, deploy, upgrade and call contracts',
      load: async () => (await import('./commands/contract/commands.ts')).addContractCommands,
    },
    {
      term: 'tail [options]',
      description: 'print blocks, transactions and events of the service as they happen, until Ctrl-C',
      load: async () => (await import('./commands/tail/commands.ts')).addTailCommand,
    },
  ],
  'Run and look after:': [
    {
      term: 'node',
      description: 'run and examine a ledger node',
      load: async () => (await import('./commands/node/commands.ts')).addNodeCommands,
    },
    {
      term: 'network',
      description: 'make and run a network of validators on this machine',
      load: async () => (await import('./commands/network/commands.ts')).addNetworkCommands,
    },
    {
      term: 'validator',
      description: 'one validator of a network whose others are elsewhere',
      load: async () => (await import('./commands/validator/commands.ts')).addValidatorCommands,
    },
    {
      term: 'signer',
      description: 'sign for a validator in a process of its own, with a key in a file or a hardware module',
      load: async () => (await import('./commands/signer/commands.ts')).addSignerCommands,
    },
    {
      term: 'chain',
      description: 'move a development chain (node init --development): its time, its state, its coins',
      load: async () => (await import('./commands/chain/commands.ts')).addChainCommands,
    },
    {
      term: 'service',
      description: 'run and look after a credential service',
      load: async () => (await import('./commands/service/commands.ts')).addServiceCommands,
    },
    {
      term: 'config',
      description: 'check and print the settings of node and service',
      load: async () => (await import('./commands/config/commands.ts')).addConfigCommands,
    },
    {
      term: 'backup [options]',
      description: 'copy a node, a service or the demo into a folder, also while they run',
      load: async () => (await import('./commands/backup/commands.ts')).addBackupCommand,
    },
    {
      term: 'restore [options]',
      description: 'make a folder from a backup, as it was',
      load: async () => (await import('./commands/backup/commands.ts')).addRestoreCommand,
    },
  ],
};

export const nameOf = ({ term }: ListedCommand): string => term.split(' ', 1)[0] ?? '';
