/**
 * `symbolon tx pay|show|wait` and, for keys that are on another machine, `build|sign|submit|decode` (`offline.ts`).
 */

import { readFailure } from '@symbolon/contract-kit/failure-description';
import { codeRows } from '@symbolon/core/ledger/terms/codes';
import { plainText } from '@symbolon/sdk/arguments/foreign-texts';
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { findReceipt, type Receipt, waitForReceipt } from '@symbolon/sdk/ledger/receipts';
import { clientLimits } from '@symbolon/sdk/limits/client-limits';
import { isShownAsHashed } from '@symbolon/sdk/transactions/signed-record';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import { type Command, InvalidArgumentError } from 'commander';
import { readAccountNames } from '../../profile/account-names.ts';
import { connect, type PartyWords, type SigningWords } from '../../profile/connection.ts';
import {
  addFeeOptions,
  addLedgerOptions,
  addSignerOptions,
  coinAmount,
  countUpTo,
  personOption,
} from '../../profile/options.ts';
import { CommandFailure, exitCodes, unsuccessful } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { printFields } from '../../terminal/layout.ts';
import { printJson, processTerminal, type Terminal, toned } from '../../terminal/terminal.ts';
import { paymentOf, receiptFacts, receiptFields, sendOperations } from '../../transactions/sending.ts';
import { addOfflineCommands } from './offline.ts';
import { executedLines, executedToJson, remarkOnContent, sentenceOf } from './rendering.ts';

export function addTxCommands(program: Command, terminal: Terminal = processTerminal): void {
  const tx = program.command('tx').description('pay, look at transactions, and sign them on another machine');

  addSignerOptions(
    addFeeOptions(tx.command('pay')).option('--input <text>', 'what a contract that is paid gets', ''),
    personOption('issuer'),
  )
    .description('pay coins to an account; an address that has none gets one')
    .argument('<to>', 'an address, a DID, or a person of the profile')
    .argument('<amount>', 'such as 1.5gas, or 1500000 in the smallest unit', coinAmount)
    .action((to: string, amount: bigint, words) => pay(to, amount, { ...words, terminal }));

  addLedgerOptions(tx.command('show'))
    .description('say what a transaction did, or why it failed')
    .argument('<hash>', 'its hash', transactionHash)
    .action((hash: string, words: PartyWords) => show(hash, words, terminal));

  const waiting = tx
    .command('wait')
    .option('--timeout <seconds>', 'how long', countUpTo(99_999), clientLimits.receiptTimeoutMs / 1_000);
  addLedgerOptions(waiting)
    .description('wait until a transaction is executed, then show it')
    .argument('<hash>', 'its hash', transactionHash)
    .action((hash: string, words) => wait(hash, words, terminal));

  addOfflineCommands(tx, terminal);
}

interface PayWords extends SigningWords {
  readonly input: string;
  readonly terminal: Terminal;
}

async function pay(to: string, amount: bigint, { terminal, ...words }: PayWords): Promise<void> {
  const { ledger: client, signer: openSigner, pins } = await connect(words, terminal);
  const names = await readAccountNames(words.profile);
  const destAddress = names.addressOf(to);
  const signer = await openSigner();
  const { operation, isNew } = await paymentOf(client, { destAddress, amount, input: words.input });
  const operations = [operation];
  const receipt = await sendOperations({ client, signer, operations, spends: amount, pins, words });
  if (words.json)
    return printJson(terminal, {
      to: destAddress,
      amount,
      newAccount: isNew,
      ...receiptFacts(receipt),
    });
  const paid = `${names.nameOf(signer.address)} has paid ${coinText(amount)} to ${names.nameOf(destAddress)}.`;
  const fields = { to: destAddress, ...receiptFields(receipt) };
  printFields(terminal, isNew ? `${paid} That account is new.` : paid, fields);
}

async function show(hash: string, words: PartyWords, terminal: Terminal): Promise<void> {
  const { ledger, ledgerUrl } = await connect(words, terminal);
  const names = await readAccountNames(words.profile);
  const receipt = await findReceipt(ledger, hash);
  if (receipt) return showReceipt(receipt, { words, ledger, terminal });
  const waiting = await unlessNotFound(ledger.getTransactionCache({ hash }));
  const record = waiting?.result?.transactions[0];
  if (!record) {
    throw new CommandFailure(
      `The node at ${ledgerUrl} does not know this transaction.
It was never submitted there, was dropped from the queue, or belongs to another chain.
Look at another node with --ledger <address>.`,
      exitCodes.notFound,
    );
  }
  const sentence = sentenceOf(record, names);
  const isWhatWasSigned = isShownAsHashed({ ...record, hash });
  if (words.json)
    return printJson(terminal, { transaction: hash, status: 'waiting', sentence, isWhatWasSigned });
  remarkOnContent({ ...record, hash }, terminal);
  const fields = { transaction: hash, status: 'waits to be executed' };
  printFields(terminal, toned(terminal, 'strong', sentence), fields);
}

interface Showing {
  readonly words: PartyWords;
  readonly ledger: LedgerClient;
  readonly terminal: Terminal;
  /** Whoever waits for a transaction hopes that it succeeds. */
  readonly isAwaited?: boolean;
}

async function showReceipt(
  { record }: Receipt,
  { words, ledger, terminal, isAwaited = false }: Showing,
): Promise<void> {
  const failedLine = words.json ? undefined : await findFailedLine(ledger, record);
  const facts = { record, names: await readAccountNames(words.profile), failedLine };
  const problem = isAwaited && unsuccessfulEnd(record);
  if (words.json) printJson(terminal, { ...executedToJson(facts), ...problem });
  else {
    remarkOnContent(record, terminal);
    terminal.print(executedLines(facts, terminal));
  }
}

function unsuccessfulEnd({ error_code: code }: Receipt['record']) {
  const name = codeRows.find((row) => row.code === code)?.name ?? 'failed';
  return (
    code !== 0 && unsuccessful('The transaction failed.', exitCodes.failed, { code: name, ledgerCode: code })
  );
}

/** Of a contract that threw: what stands in the line that the ledger names. */
async function findFailedLine(
  ledger: LedgerClient,
  { error_code: code, error_desc: description }: Receipt['record'],
): Promise<string | undefined> {
  const { contract: address, line } = readFailure(code, description);
  if (address === undefined || line === undefined) return undefined;
  // A node that cannot tell the code has told what happened all the same.
  const account = await ledger.getAccountBase({ address }).catch(() => undefined);
  const source = account?.result?.contract?.payload?.split(/\r\n?|\n/, line)[line - 1];
  return source === undefined ? undefined : `${line} | ${plainText(source.trim())}`;
}

async function wait(
  hash: string,
  words: PartyWords & { timeout: number },
  terminal: Terminal,
): Promise<void> {
  const { ledger } = await connect(words, terminal);
  ifInterrupted([
    'Interrupted. The transaction goes its way, waited for or not.',
    `Wait again: symbolon tx wait ${hash}`,
  ]);
  const receipt = await waitForReceipt(ledger, hash, { timeoutMs: words.timeout * 1_000 });
  await showReceipt(receipt, { words, ledger, terminal, isAwaited: true });
  if (receipt.code !== 0) process.exitCode = exitCodes.failed;
}

function transactionHash(text: string): string {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('A transaction hash is 64 hex digits.');
}
