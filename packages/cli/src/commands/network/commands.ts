/** `symbolon network …`: a network of validators on this machine, from its keys to its table. */

import { validatorLimits } from '@symbolon/core/limits/consensus';
import { isVersion } from '@symbolon/core/names/template-names';
import { type Command, InvalidArgumentError } from 'commander';
import { countUpTo, jsonOption, portNumber } from '../../profile/options.ts';

// Loaded when one of the commands is said.
const running = () => import('./running.ts');
const validating = () => import('./validating.ts');
const joining = () => import('./joining.ts');

const usualFolder = '.symbolon/network';
const pacesMax = 60_000;

export function addNetworkCommands(program: Command): void {
  const network = program
    .command('network')
    .description('make and run a network of validators on this machine');
  const add = (name: string, description: string): Command =>
    network
      .command(name)
      .description(description)
      .option('--dir <folder>', 'the folder of the network', usualFolder)
      .addOption(jsonOption());
  const one = (name: string, description: string): Command =>
    add(name, description).argument('[node]', 'its number; all, if left out', nodeNumber);

  add('init', 'make the folder of a new network: keys, genesis documents and homes of all its nodes')
    .option('--validators <number>', 'how many there are', countUpTo(validatorLimits.countMax), 4)
    .option('--block-ms <number>', 'how long validators wait after a block', countUpTo(pacesMax), 1_000)
    .option('--snapshot-every <number>', 'blocks between two snapshots of the state', countUpTo(1e9), 1_000)
    .option('--ports-from <number>', 'where the ports begin; from 20000 on, if left out', portNumber)
    .action(async (words) => (await import('./making.ts')).initNetwork(words));
  add('up', 'start what does not run, and show how the nodes are until Ctrl-C stops them')
    .option('--detach', 'end when they answer, and leave them running')
    .action(async (words) => (await running()).bringUp(words));
  add('status', 'how the nodes are: height, lag, peers, power, app hash').action(async (words) =>
    (await running()).showNetworkStatus(words),
  );
  one('start', 'start a node that does not run').action(async (index, words) =>
    (await running()).startNodes(index, words),
  );
  one('stop', 'end a node in order').action(async (index, words) =>
    (await running()).endNodes(index, { ...words, signal: 'SIGTERM' }),
  );
  one('kill', 'end a node at once, as a power cut would: an experiment').action(async (index, words) =>
    (await running()).endNodes(index, { ...words, signal: 'SIGKILL' }),
  );
  add('add-validator', 'have another node validate: a new one, or one that there is')
    .argument('[node]', 'the number of one that there is; a new one is made, if left out', nodeNumber)
    .option('--pardon', 'lift the jail of one that was proved to have signed twice')
    .action(async (index, words) => (await validating()).addValidator(index, words));
  add('remove-validator', 'have a node validate no longer; it runs on and follows')
    .argument('<node>', 'its number', nodeNumber)
    .option('--yes', 'yes, also where no block can be made without it')
    .action(async (index, words) => (await validating()).removeValidator(index, words));
  add('snapshot', 'have a node take a snapshot of its state, for nodes that join')
    .argument('[node]', 'its number; the furthest, if left out', nodeNumber)
    .action(async (index, words) => (await joining()).snapshotNetwork(index, words));
  add('join', 'a node that begins with a snapshot of the others, and not with the first block')
    .argument(
      '[node]',
      'the number of one whose blocks are given up; a new one is made, if left out',
      nodeNumber,
    )
    .option(
      '--height <number>',
      'a block that you trust; that of the snapshot, if left out',
      countUpTo(2 ** 48),
    )
    .option('--hash <hex>', 'its hash in CometBFT', blockHash)
    .option('--yes', 'yes, remove the blocks of that node')
    .action(async (index, words) => (await joining()).joinNetwork(index, words));
  add('upgrade', 'plan the block after which only newer programs go on')
    .option('--after <number>', 'the last block of older programs', countUpTo(2 ** 48))
    .option('--to <version>', 'the oldest version that goes on', versionWord)
    .option('--cancel', 'plan none any longer')
    .action(async (words) => (await import('./upgrading.ts')).planUpgrade(words));
}

function versionWord(text: string): string {
  if (isVersion(text)) return text;
  throw new InvalidArgumentError('It must be a version such as 1.2.0.');
}

function blockHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be 64 hex digits.');
}

const nodeNumber = countUpTo(9_999);
