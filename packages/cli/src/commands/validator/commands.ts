/** `symbolon validator init|genesis|join|change|units`: one validator of a network whose others are elsewhere. */
import { validatorLimits } from '@symbolon/core/limits/consensus';
import { type Command, InvalidArgumentError } from 'commander';
import { usualPower } from '../../network/make-network.ts';
import { addressOrDid, countUpTo, jsonOption, portNumber } from '../../profile/options.ts';

// Loaded when one of the commands is said.
const making = () => import('./making.ts');

const pacesMax = 60_000;

export function addValidatorCommands(program: Command): void {
  const validator = program
    .command('validator')
    .description('one validator of a network whose others are elsewhere');
  const add = (name: string, description: string): Command =>
    validator.command(name).description(description).addOption(jsonOption());

  add('init', 'make the keys of a validator, and what it tells the others of itself')
    .requiredOption('--data <folder>', 'where it lives; must not be there')
    .requiredOption('--name <name>', 'what it is called: small letters, digits and hyphens')
    .requiredOption('--at <host>', 'where the others reach it: host or host:port')
    .option('--signer <folder>', 'the folder of its signer, which has its key; else CometBFT has it')
    .option('--power <number>', 'its power', countUpTo(validatorLimits.powerMax), usualPower)
    .option('--snapshot-every <number>', 'blocks between two snapshots of the state', countUpTo(1e9), 1_000)
    .option('--ports-from <number>', 'where its ports begin; the usual ones, if left out', portNumber)
    .action(async (words) => (await making()).initValidator(words));
  add('genesis', 'put a network together of what its validators tell of themselves')
    .requiredOption('--member <files...>', 'member.json of each of them')
    .requiredOption('--council <address>', 'the account whose word says who validates', addressOrDid)
    .requiredOption('--genesis-account <address>', 'the account that owns all Gas', addressOrDid)
    .option('--block-ms <number>', 'how long validators wait after a block', countUpTo(pacesMax), 1_000)
    .requiredOption('--out <file>', 'where the founding document goes; must not be there')
    .action(async (words) => (await making()).foundNetwork(words));
  add('join', 'make the node of a validator, or of one who only follows, in a network')
    .requiredOption('--data <folder>', 'the folder that "validator init" made')
    .requiredOption('--founding <file>', 'the founding document of the network')
    .action(async (words) => (await making()).joinNetworkOf(words));
  add('change', 'write down who validates from now on, for the council to sign')
    .requiredOption('--data <folder>', 'the folder of your validator, whose node must be running')
    .option('--add <files...>', 'member.json of who validates from now on, or with another power')
    .option('--remove <who...>', 'who validates no longer: the key, or member.json')
    .option('--pardon <who...>', 'whose jail is lifted: the key, or member.json')
    .requiredOption('--out <file>', 'where the operation goes; must not be there')
    .action(async (words) => (await import('./changing.ts')).changeValidators(words));
  validator
    .command('units')
    .description('write the units with which systemd runs it')
    .requiredOption('--data <folder>', 'its folder')
    .option('--signer <folder>', 'the folder of its signer')
    .option('--user <name>', 'as whom node and CometBFT run', userName, 'symbolon')
    .option('--signer-user <name>', 'as whom the signer runs', userName, 'symbolon-signer')
    .option('--symbolon <file>', 'where this program is', '/usr/local/bin/symbolon')
    .option('--cometbft <file>', 'where CometBFT is', '/usr/local/bin/cometbft')
    .option('--out <folder>', 'where they go; printed, if left out')
    .action(async (words) => (await import('./units.ts')).writeUnits(words));
}

function userName(text: string): string {
  if (/^[a-z_][a-z0-9_-]{0,30}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the name of a user of this machine.');
}
