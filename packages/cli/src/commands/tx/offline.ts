/**
 * `symbolon tx build|sign|submit|decode`: a transaction that is built on one machine, signed on another that need
 * not have a network, and submitted from anywhere. What is signed is shown before it is.
 */

import { given } from '@symbolon/core/basics/plain-values';
import {
  encodeTransaction,
  openTransaction,
  type SignedTransaction,
} from '@symbolon/core/ledger/terms/transaction';
import { transactionLimits } from '@symbolon/core/limits/consensus';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Pins } from '@symbolon/sdk/ledger/pins';
import { assertWithinCaps } from '@symbolon/sdk/transactions/transaction-caps';
import { transactionItem } from '@symbolon/sdk/transactions/transaction-texts';
import { chainIdOf, type OperationOrder, submitTransaction } from '@symbolon/sdk/transactions/transactions';
import { isJsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromJson } from '@symbolon/wire/ledger/transaction-json';
import { type Command, InvalidArgumentError } from 'commander';
import { readAccountNames } from '../../profile/account-names.ts';
import { connect, type PartyWords } from '../../profile/connection.ts';
import {
  addCapOptions,
  addFeeOptions,
  addLedgerOptions,
  amount as amountWord,
  coinAmount,
  type FeeWords,
  jsonOption,
  keyOption,
  personOption,
  profileOption,
} from '../../profile/options.ts';
import { CommandFailure, usageFailure } from '../../terminal/failure.ts';
import { parseFileText } from '../../terminal/json-file.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, type Terminal } from '../../terminal/terminal.ts';
import { buildWithinCaps, chainMeant, withinCaps } from '../../transactions/fee-caps.ts';
import { explained } from '../../transactions/refusals.ts';
import { paymentOf, receiptFacts, receiptFields, settleNoted } from '../../transactions/sending.ts';
import { readTextFile, readTransactionWord, withSignature, writeTransactionFile } from './file.ts';
import { signedLines, signedToJson } from './rendering.ts';

interface OfflineWords extends PartyWords {
  readonly out?: string;
}

export function addOfflineCommands(tx: Command, terminal: Terminal): void {
  const building = addFeeOptions(tx.command('build'))
    .requiredOption('--source <account>', 'the account that it comes from and that pays for it')
    .option('--operations <file>', "any operations instead of a payment, as the interface's JSON")
    .option('--out <file>', 'write it to a new file instead of printing it')
    .option('--nonce <number>', 'the number of the transaction; the next one, if left out', amountWord)
    .option('--gas-price <number>', "the chain's, if left out", amountWord)
    .option('--chain-id <number>', "the profile's or the node's, if left out", amountWord)
    .option('--not-after <block>', 'void after this block', amountWord)
    .option('--note <text>', 'a note on it, which everybody can read')
    .option('--signatures <number>', 'how many will sign it', signatureCount, 1);
  addLedgerOptions(building)
    .description('make a transaction that somebody signs elsewhere')
    .argument('[to]', 'whom to pay: an address, a DID, or a person of the profile')
    .argument('[amount]', 'such as 1.5gas, or 1500000 in the smallest unit', coinAmount)
    .action((to, amount, words) => build({ to, amount, words }, terminal));

  addCapOptions(tx.command('sign'))
    .description('sign a transaction; needs no network')
    .argument('<transaction>', 'a file of "tx build", a blob in hex, or - for standard input')
    .option('--out <file>', 'write it to a new file; without it a file is signed in its place')
    .addOption(personOption('issuer'))
    .addOption(keyOption())
    .addOption(profileOption())
    .addOption(jsonOption())
    .action((word: string, words: SignWords) => sign(word, words, terminal));

  addLedgerOptions(tx.command('submit').option('--no-wait', 'only hand it in'))
    .description('hand a signed transaction in and wait until it is executed')
    .argument('<transaction>', 'a signed file, or - for standard input')
    .action((word: string, words) => submit(word, words, terminal));

  tx.command('decode')
    .description('say what a transaction would do; needs no network')
    .argument('<transaction>', 'a file of "tx build", a blob in hex, or - for standard input')
    .addOption(profileOption())
    .addOption(jsonOption())
    .action(async (word: string, words: OfflineWords) => {
      const signed = await readTransactionWord(word);
      const names = await readAccountNames(words.profile);
      if (words.json) printJson(terminal, signedToJson(signed, names));
      else terminal.print(signedLines(signed, names, terminal));
    });
}

interface SignWords extends OfflineWords, FeeWords {}

interface BuildWords extends SignWords {
  readonly source: string;
  readonly operations?: string;
  readonly nonce?: bigint;
  readonly gasPrice?: bigint;
  readonly chainId?: bigint;
  readonly notAfter?: bigint;
  readonly note?: string;
  readonly signatures: number;
}

interface BuildOrder {
  readonly to: string | undefined;
  readonly amount: bigint | undefined;
  readonly words: BuildWords;
}

async function build(order: BuildOrder, terminal: Terminal): Promise<void> {
  const { words } = order;
  const names = await readAccountNames(words.profile);
  const { ledger, pins } = await connect(words, terminal);
  const operations = await operationsOf(order, ledger, names.addressOf);
  const transaction = await explained('The ledger would refuse this.', async () => {
    const terms = {
      source: names.addressOf(words.source),
      operations,
      signatureCount: words.signatures,
      chainId: words.chainId ?? (await chainMeant(ledger, pins)),
      ...given({ nonce: words.nonce, gasPrice: words.gasPrice, ceilLedgerSeq: words.notAfter }),
      ...(words.note !== undefined && { metadata: Buffer.from(words.note, 'utf8') }),
    };
    return buildWithinCaps(ledger, terms, { pins, words });
  });
  const unsigned = unsignedOf(transaction);
  if (words.out !== undefined) await writeTransactionFile(words.out, unsigned);
  if (words.json) {
    const described = signedToJson(unsigned, names);
    return printJson(terminal, { ...described, item: transactionItem(unsigned), file: words.out ?? null });
  }
  terminal.remark(signedLines(unsigned, names, terminal));
  const next = words.out ?? '<file>';
  terminal.remark(`Sign it where the key is: symbolon tx sign ${shellWord(next)} --key <key file>`);
  terminal.print(words.out ?? stringifyJson(transactionItem(unsigned)));
}

function unsignedOf(transaction: Transaction): SignedTransaction {
  const unsigned = openTransaction(encodeTransaction(transaction), [], sha256);
  if (unsigned) return unsigned;
  throw usageFailure('The operations do not make a transaction.');
}

async function operationsOf(
  { to, amount, words }: BuildOrder,
  client: LedgerClient,
  addressOf: (word: string) => string,
): Promise<readonly OperationOrder[]> {
  const { operations: file } = words;
  if (file !== undefined && to === undefined) return readOperations(file);
  if (file === undefined && to !== undefined && amount !== undefined) {
    const payment = { destAddress: addressOf(to), amount };
    // Whoever gives all terms needs no node.
    const isAlone = words.feeLimit !== undefined && words.gasPrice !== undefined;
    return [isAlone ? { payCoin: payment } : (await paymentOf(client, payment)).operation];
  }
  throw usageFailure('Give whom to pay and how much, or --operations <file>, and not both.');
}

/** A list of operations, or a whole transaction of which only they are taken. */
async function readOperations(file: string): Promise<readonly OperationOrder[]> {
  const json = parseFileText(file, await readTextFile(file));
  const list = isJsonObject(json) ? json.operations : json;
  const read = Array.isArray(list)
    ? transactionFromJson({ operations: list })
    : { error: 'it is no list', path: '' };
  const why = isReadError(read) ? read.error : read.operations.length === 0 ? 'it is empty' : undefined;
  if (why !== undefined || isReadError(read))
    throw usageFailure(
      `${file} does not hold operations: ${why}.\nIt is a list such as [{"type":7,"pay_coin":{"dest_address":"…","amount":1}}].`,
    );
  return read.operations;
}

async function sign(word: string, words: SignWords, terminal: Terminal): Promise<void> {
  const given = await readTransactionWord(word);
  const names = await readAccountNames(words.profile);
  const { pins, signer: openSigner } = await connect(words, terminal);
  const signer = await openSigner();
  terminal.remark(signedLines(given, names, terminal));
  if (given.signatures.some(({ publicKey }) => publicKey === signer.publicKey))
    throw new CommandFailure(`${signer.address} has signed this already; nothing was written.`);
  const { transaction } = given;
  assertChainMeant(transaction, pins);
  // Whoever made the file is believed no more than a node is.
  await withinCaps({ pins, words }, async (caps) =>
    assertWithinCaps(transaction, caps, transaction.operations),
  );
  // The very bytes that came and were shown, whichever of the two layouts they have.
  const signed = withSignature(given, signer.publicKey, await signer.sign(given.blob));
  const isFile = word !== '-' && !/^[0-9a-fA-F]{64,}$/.test(word);
  const file = words.out ?? (isFile ? word : undefined);
  if (file !== undefined) await writeTransactionFile(file, signed, { replaces: words.out === undefined });
  if (words.json) {
    const described = signedToJson(signed, names);
    return printJson(terminal, { ...described, item: transactionItem(signed), file: file ?? null });
  }
  terminal.remark(
    `Signed by ${signer.address}. Hand it in: symbolon tx submit ${file === undefined ? '<file>' : shellWord(file)}`,
  );
  terminal.print(file ?? stringifyJson(transactionItem(signed)));
}

/** A transaction for another chain than the profile's is not what its owner means. */
function assertChainMeant({ chainId }: Transaction, pins: Pins): void {
  if (pins.chainId === undefined || pins.chainId === chainId) return;
  throw new CommandFailure(
    `This transaction is for another chain; nothing was signed or sent.
It says chain ${chainId}, and the profile is pinned to chain ${pins.chainId}.
Build it anew for that chain, or name another profile with --profile.`,
  );
}

interface SubmitWords extends OfflineWords {
  readonly wait: boolean;
}

async function submit(word: string, words: SubmitWords, terminal: Terminal): Promise<void> {
  const signed = await readTransactionWord(word);
  if (signed.signatures.length === 0)
    throw usageFailure(
      'Nobody has signed this transaction; nothing was sent.\nSign it with: symbolon tx sign <file> --key <key file>',
    );
  const { ledger, ledgerUrl, pins } = await connect(words, terminal);
  assertChainMeant(signed.transaction, pins);
  const names = await readAccountNames(words.profile);
  const receipt = await explained('The ledger refuses this; nothing has changed.', async () => {
    const chainId = await chainIdOf(ledger);
    const meant = signed.transaction.chainId;
    if (meant !== chainId && meant !== 0n)
      throw new CommandFailure(
        `This transaction is for another chain; nothing was sent.
It says chain ${meant}, and the node at ${ledgerUrl} is of chain ${chainId}.
Name a node of that chain with --ledger <address>, or build it anew for this one.`,
      );
    return words.wait ? settleNoted(ledger, signed) : submitTransaction(ledger, signed);
  });
  if (typeof receipt === 'string') {
    if (words.json) return printJson(terminal, { transaction: receipt, status: 'waiting' });
    terminal.remark(`Handed in. See what becomes of it: symbolon tx wait ${shellWord(receipt)}`);
    return terminal.print(receipt);
  }
  if (words.json) return printJson(terminal, { ...receiptFacts(receipt), status: 'executed' });
  printFields(terminal, signedToJson(signed, names).sentence as string, receiptFields(receipt));
}

function signatureCount(text: string): number {
  const count = Number(text);
  if (/^[1-9][0-9]{0,3}$/.test(text) && count <= transactionLimits.signaturesMax) return count;
  throw new InvalidArgumentError(`It must be 1 to ${transactionLimits.signaturesMax}.`);
}
