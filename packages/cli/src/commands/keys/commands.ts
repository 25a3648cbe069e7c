/**
 * `symbolon keys new|show|export|address`: keys of accounts. A private key is only ever written to a new file of its
 * owner's, never printed; with a password on it (docs/key-files.md) the file is useless without that.
 */
import { addressOfDid } from '@symbolon/core/did/did';
import type { Signer } from '@symbolon/sdk/keys/signer';
import { type Command, InvalidArgumentError } from 'commander';
import { didOfEncodedKey } from '../../profile/account-names.ts';
import { type KeyForm, makeKeyFile, openKey, saveKeyFile } from '../../profile/key-file.ts';
import { keyFormat } from '../../profile/key-format.ts';
import { askNewPassword, newPasswordVariable } from '../../profile/keys-password.ts';
import { jsonOption } from '../../profile/options.ts';
import { fieldLines } from '../../terminal/layout.ts';
import { printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';

interface JsonWords {
  readonly json?: boolean;
}

export function addKeysCommands(program: Command, terminal: Terminal = processTerminal): void {
  const keys = program.command('keys').description('make keys of accounts and look at them');

  keys
    .command('new')
    .description('make a key; prints its address and DID, never the key')
    .requiredOption('--out <file>', 'the new file that the key is written to')
    .option('--encrypt', 'under a password, which is asked for or taken from SYMBOLON_KEY_PASSWORD')
    .addOption(jsonOption())
    .action((words) => makeKey(words, terminal));

  keys
    .command('show')
    .description('the address, public key and DID of a key file')
    .argument('<file>', 'the key file')
    .addOption(jsonOption())
    .action(async (file: string, { json }: JsonWords) => {
      const { signer, form } = await openKey(file);
      printKey({ ...signer, file, form }, { json, terminal });
    });

  keys
    .command('export')
    .description('write the key of a file into a new file, under a password of its own')
    .argument('<file>', 'the key file, in any form')
    .requiredOption('--out <file>', 'the new file that the key is written to')
    .option('--family', "in the weaker form that other tools of the ledger's family read")
    .addOption(jsonOption())
    .action((file: string, words) => exportKey(file, words, terminal));

  keys
    .command('address')
    .description('the address of a public key or DID')
    .argument('<public key>', 'an encoded public key, or a DID', publicKeyOrDid)
    .addOption(jsonOption())
    .action((address: string, { json }: JsonWords) =>
      json ? printJson(terminal, { address }) : terminal.print(address),
    );
}

async function makeKey(
  { out, encrypt = false, json }: JsonWords & { out: string; encrypt?: boolean },
  terminal: Terminal,
): Promise<void> {
  const order = encrypt
    ? ({ form: 'own', password: await askNewPassword() } as const)
    : ({ form: 'bare' } as const);
  const signer = await makeKeyFile(out, order);
  if (!json) terminal.print(`A new key is in ${out}, for its owner alone.`);
  printKey({ ...signer, file: out, form: order.form }, { json, terminal });
  const advice = encrypt
    ? 'Keep the file and the password, apart: without either the key is lost.'
    : ['Whoever has this file is you: keep a copy in a safe place.', '--encrypt puts a password on it.'];
  terminal.remark(advice);
}

const familyWarning = [
  'WARNING: this form is easier to guess passwords of, and does not show when it was changed.',
  'Delete the file once the other tool has read it.',
];

async function exportKey(
  file: string,
  { out, family = false, json }: JsonWords & { out: string; family?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { signer, privateKey, form: given } = await openKey(file);
  const form = family ? 'family' : 'own';
  const sources = given === 'bare' ? {} : { variable: newPasswordVariable };
  await saveKeyFile(out, privateKey, { form, password: await askNewPassword(sources) });
  if (!json) terminal.print(`The key of ${file} is in ${out}, too, for its owner alone.`);
  printKey({ ...signer, file: out, form }, { json, terminal });
  if (family) terminal.remark(familyWarning);
}

const formWords: Readonly<Record<KeyForm, string>> = {
  own: 'yes',
  family: "yes, in the weaker form of the ledger's family",
  bare: 'no',
};

function printKey(
  { address, publicKey, file, form }: Signer & { file: string; form: KeyForm },
  { json, terminal }: JsonWords & { terminal: Terminal },
): void {
  const did = didOfEncodedKey(publicKey) ?? '';
  const encrypted = form !== 'bare';
  if (json) printJson(terminal, { address, publicKey, did, file, encrypted, form });
  else
    terminal.print(
      fieldLines(terminal, { address, 'public key': publicKey, DID: did, encrypted: formWords[form] }),
    );
}

/** What was given is not repeated: it may be the private one. */
function publicKeyOrDid(text: string): string {
  if (/^priv\w{40,}$/.test(text))
    throw new InvalidArgumentError(
      'This is a private key. It stands in the history of your shell now: do not use it.',
    );
  const address = text.startsWith('did:') ? addressOfDid(text, keyFormat) : keyFormat.signerOf(text)?.address;
  if (address !== undefined) return address;
  throw new InvalidArgumentError('It must be an encoded public key or a DID of this network.');
}
