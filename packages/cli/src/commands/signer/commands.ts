/** `symbolon signer init|join|start|show`: a validator's key apart from its CometBFT. */
import { type Command, InvalidArgumentError } from 'commander';
import { jsonOption } from '../../profile/options.ts';
import { logOption } from '../../servers/server-log.ts';

// Loaded when one of the commands is said.
const making = () => import('./making.ts');

export function addSignerCommands(program: Command): void {
  const signer = program
    .command('signer')
    .description('sign for a validator in a process of its own, with a key in a file or a hardware module');

  signer
    .command('init')
    .description("make a signer's folder, and the key of its validator")
    .requiredOption('--data <folder>', 'where the signer lives; must not be there')
    .requiredOption('--connect <address>', "unix:///path, CometBFT's priv_validator_laddr")
    .option('--genesis <file>', "CometBFT's genesis.json, which names the chain; can be said later")
    .option('--hsm-module <file>', 'the library of a hardware module (PKCS#11), to have the key in there')
    .option('--hsm-token <label>', 'the token in it; its PIN is SYMBOLON_SIGNER_HSM_PIN')
    .option('--hsm-key <label>', 'the key in it, which is made if there is none', 'symbolon validator')
    .option(
      '--from-home <folder>',
      'move key and memory of a stopped CometBFT here, in the place of a new key',
    )
    .option('--key-file <file>', 'take the key of another signer, whose memory is lost; with --after')
    .option('--after <height>', 'sign nothing up to this height: for a key whose memory is lost', height)
    .addOption(jsonOption())
    .action(async (words) => (await making()).initSigner(words));

  signer
    .command('join')
    .description('say for which chain a signer signs')
    .requiredOption('--data <folder>', "the signer's folder")
    .requiredOption('--genesis <file>', "CometBFT's genesis.json, which names the chain")
    .addOption(jsonOption())
    .action(async (words) => (await making()).joinChain(words));

  signer
    .command('show')
    .description('the public key, the chain, and how far it has signed')
    .requiredOption('--data <folder>', "the signer's folder")
    .addOption(jsonOption())
    .action(async (words) => (await making()).showSigner(words));

  signer
    .command('start')
    .description('sign until it is told to stop')
    .requiredOption('--data <folder>', "the signer's folder")
    .addOption(logOption())
    .action(async (words) => (await import('./running.ts')).runSigner(words));
}

function height(text: string): bigint {
  if (!/^[1-9][0-9]{0,17}$/.test(text)) throw new InvalidArgumentError('It must be a height.');
  return BigInt(text);
}
