/** `symbolon account show|balance|history|metadata|create|set-metadata`: accounts of a chain, looked at and changed. */

import { utf8Length } from '@symbolon/core/basics/bytes';
import { didLogKey } from '@symbolon/core/did/did-log';
import { operationLimits } from '@symbolon/core/limits/consensus';
import { plainText } from '@symbolon/sdk/arguments/foreign-texts';
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { clientLimits } from '@symbolon/sdk/limits/client-limits';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import { accountCreationOrder } from '@symbolon/sdk/transactions/transactions';
import type { JsonObject } from '@symbolon/wire/json/json';
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
import { CommandFailure, exitCodes, usageFailure } from '../../terminal/failure.ts';
import { fieldLines, printFields, printTable } from '../../terminal/layout.ts';
import { printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';
import {
  bothUnits,
  chainFacts,
  receiptFacts,
  receiptFields,
  sendOperations,
} from '../../transactions/sending.ts';
import { showHistory } from './history.ts';

export function addAccountCommands(program: Command, terminal: Terminal = processTerminal): void {
  const account = program.command('account').description('look at accounts, make them, write their metadata');
  const looking = (name: string, description: string): Command =>
    addLedgerOptions(account.command(name))
      .description(description)
      .argument('<account>', 'an address, a DID, or a person of the profile');

  looking('show', 'what the chain knows of an account').action((word: string, words: PartyWords) =>
    showAccount(word, words, terminal),
  );
  looking('balance', 'what it has').action((word: string, words: PartyWords) =>
    showBalance(word, words, terminal),
  );
  looking('history', 'transactions that concern it, the newest first')
    .option('--limit <number>', 'how many to show', countUpTo(999_999), 20)
    .option('--blocks <number>', 'how many blocks to look through', countUpTo(999_999), 1_000)
    .action((word: string, words) => showHistory(word, words, terminal));
  looking('metadata', 'what is written on it')
    .option('--entry <name>', 'only this one, and its value whole')
    .action((word: string, words) => showMetadata(word, words, terminal));

  const signing = (name: string, description: string): Command =>
    addSignerOptions(addFeeOptions(account.command(name)), personOption('issuer')).description(description);

  signing('create', 'put a new account on the chain, paid by whoever signs')
    .argument('<account>', 'its address or DID, such as "symbolon keys new" printed')
    .option('--balance <amount>', 'what it begins with, such as 1.5gas; the least, if left out', coinAmount)
    .action((word: string, words) => createAccount(word, words, terminal));
  signing('set-metadata', 'write an entry of your own account, or delete one')
    .argument('<key>', 'the name of the entry', metadataKey)
    .argument('[value]', 'its value')
    .option('--delete', 'delete the entry')
    .action((key: string, value: string | undefined, words) =>
      setMetadata(key, value, { ...words, terminal }),
    );
}

const notThere = (address: string): CommandFailure =>
  new CommandFailure(
    `The account ${address} is not on this chain.
An account begins with its first payment.
Pay something in: symbolon tx pay ${address} <amount>. Or is another chain meant? Then name its node with --ledger.`,
    exitCodes.notFound,
  );

async function findAccount(client: LedgerClient, address: string) {
  const reply = await unlessNotFound(client.getAccount({ address }));
  if (!reply?.result) throw notThere(address);
  return reply.result;
}

async function open(word: string, words: PartyWords, terminal: Terminal) {
  const { ledger } = await connect(words, terminal);
  const { addressOf } = await readAccountNames(words.profile);
  const address = addressOf(word);
  return { ledger, address, account: await findAccount(ledger, address) };
}

async function showAccount(word: string, words: PartyWords, terminal: Terminal): Promise<void> {
  const { address, account } = await open(word, words, terminal);
  const { assets, metadatas, contract, priv } = account;
  if (words.json) return printJson(terminal, account as JsonObject);
  const signers = (priv?.signers ?? []).map((it) => `${it?.address} (weight ${it?.weight ?? 0})`);
  const kind = contract?.payload ? `contract, ${utf8Length(contract.payload)} bytes of code` : 'account';
  terminal.print(
    fieldLines(terminal, {
      address,
      kind,
      balance: bothUnits(BigInt(account.balance ?? 0)),
      nonce: account.nonce ?? 0,
      'signs with': `own key (weight ${priv?.master_weight ?? 0}), threshold ${priv?.thresholds?.tx_threshold ?? 0}`,
      'co-signers': signers.length === 0 ? undefined : signers.join(', '),
      assets: assets?.length ?? 0,
      metadata: metadatas?.length ?? 0,
      'DID document': metadatas?.some(({ key }) => key === didLogKey) ? 'with published keys' : undefined,
    }),
  );
  const holdings = (assets ?? []).map(({ amount: held, key }) => [
    `  ${held ?? 0}`,
    plainText(key?.code ?? ''),
    `of ${key?.issuer ?? ''}`,
  ]);
  if (holdings.length > 0) printTable(terminal, holdings);
}

async function showBalance(word: string, words: PartyWords, terminal: Terminal): Promise<void> {
  const { address, account } = await open(word, words, terminal);
  const balance = BigInt(account.balance ?? 0);
  if (words.json) return printJson(terminal, { address, balance });
  terminal.print(bothUnits(balance));
}

interface MetadataWords extends PartyWords {
  readonly entry?: string;
}

async function showMetadata(word: string, words: MetadataWords, terminal: Terminal): Promise<void> {
  const { entry: key } = words;
  const { address, account } = await open(word, words, terminal);
  const entries = (account.metadatas ?? []).filter((entry) => key === undefined || entry.key === key);
  if (key !== undefined && entries.length === 0)
    throw new CommandFailure(
      `The account ${address} has no metadata of this name.\nLeave --entry out to see all.`,
      exitCodes.notFound,
    );
  if (words.json) return printJson(terminal, { address, metadata: entries as JsonObject[] });
  if (entries.length === 0) return terminal.remark('Nothing is written on this account.');
  // One value whole, as it is for a pipe, harmless for a screen; of several the beginnings.
  const value = entries[0]?.value ?? '';
  if (key !== undefined) return terminal.print(value);
  printTable(
    terminal,
    entries.map((it) => [plainText(it.key ?? ''), `version ${it.version ?? 0}`, plainText(it.value ?? '')]),
  );
}

interface CreateWords extends SigningWords {
  readonly balance?: bigint;
}

async function createAccount(word: string, words: CreateWords, terminal: Terminal): Promise<void> {
  const { ledger: client, signer: openSigner, pins } = await connect(words, terminal);
  const { addressOf } = await readAccountNames(words.profile);
  const destAddress = addressOf(word);
  const signer = await openSigner();
  const initBalance = words.balance ?? (await leastBalance(client));
  const receipt = await sendOperations({
    client,
    signer,
    operations: [accountCreationOrder(destAddress, initBalance)],
    spends: initBalance,
    pins,
    words,
  });
  if (words.json)
    return printJson(terminal, { address: destAddress, balance: initBalance, ...receiptFacts(receipt) });
  const fields = { address: destAddress, ...receiptFields(receipt) };
  printFields(terminal, `The account is on the chain, with ${coinText(initBalance)}.`, fields);
}

/** What an account must keep is the node's word, and what is paid in is not the node's to choose. */
async function leastBalance(client: LedgerClient): Promise<bigint> {
  const { baseReserve } = await chainFacts(client);
  if (baseReserve >= 0n && baseReserve <= clientLimits.reserveMax) return baseReserve;
  throw new CommandFailure(
    `The node says that an account must keep ${bothUnits(baseReserve)}; nothing was signed.
That is more than is paid in without being asked for.
If it is right, say --balance ${baseReserve}. If not, ask another node with --ledger <address>.`,
  );
}

interface MetadataOrder extends SigningWords {
  readonly delete?: boolean;
  readonly terminal: Terminal;
}

async function setMetadata(key: string, value: string | undefined, words: MetadataOrder): Promise<void> {
  const { terminal, delete: deleteFlag = false } = words;
  if (deleteFlag === (value !== undefined))
    throw usageFailure('Give a value to write, or --delete, and not both.');
  if (key === didLogKey)
    throw usageFailure(
      `The entry "${key}" is the account's DID document.\nOverwritten by hand it would be lost.\nChange it with: symbolon did`,
    );
  const { ledger: client, signer: openSigner, pins } = await connect(words, terminal);
  const signer = await openSigner();
  const body = deleteFlag ? { key, deleteFlag } : { key, value: metadataValue(value ?? '') };
  const receipt = await sendOperations({
    client,
    signer,
    operations: [{ setMetadata: body }],
    spends: 0n,
    pins,
    words,
  });
  if (words.json) return printJson(terminal, { address: signer.address, key, ...receiptFacts(receipt) });
  const fields = { account: signer.address, ...receiptFields(receipt) };
  printFields(terminal, deleteFlag ? 'The entry is deleted.' : 'The entry is written.', fields);
}

function metadataKey(text: string): string {
  const bytes = utf8Length(text);
  const { metadataKeyBytesMax } = operationLimits;
  if (bytes >= 1 && bytes <= metadataKeyBytesMax) return text;
  throw new InvalidArgumentError(`It must be 1 to ${metadataKeyBytesMax} bytes long.`);
}

function metadataValue(text: string): string {
  const { metadataValueBytesMax } = operationLimits;
  if (utf8Length(text) <= metadataValueBytesMax) return text;
  throw usageFailure(
    `The value is too long: ${utf8Length(text)} bytes.\nThe chain takes ${metadataValueBytesMax} at most.\nWrite its hash instead, or several entries.`,
  );
}
