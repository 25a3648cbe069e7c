/**
 * A transaction as one sentence: what a person wants to read first, in a terminal or an explorer. Names of accounts
 * are the reader's (`nameOf`). Texts in a transaction are anybody's: what could steer a terminal or turn a line
 * around is replaced, and long ones are cut.
 */
import { didLogKey } from '@symbolon/core/did/did-log';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import type { Operation, Transaction } from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonValue, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromRecord } from '@symbolon/wire/ledger/transaction-json';
import { plainText } from '../arguments/foreign-texts.ts';

export interface SentenceOptions {
  /** How the reader calls an account; its shortened address, if left out. */
  readonly nameOf?: (address: string) => string;
  readonly profile?: NetworkProfile;
}

const shownOperationsMax = 3;
/** A call's input is only looked into for the name of its method. */
const readInputMax = 65_536;

/** For instance: "zt1abcd…123456 pays 1.5 Gas to zt1efgh…123456." */
export function describeTransaction(transaction: Transaction, options: SentenceOptions = {}): string {
  const { sourceAddress, operations } = transaction;
  const nameOf = options.nameOf ?? shortAddress;
  const told = { nameOf, profile: options.profile ?? zetrixProfile };
  if (operations.length === 0) return `${nameOf(sourceAddress)} does nothing.`;
  const parts = operations
    .slice(0, shownOperationsMax)
    .map((operation) => describeOperation(operation, sourceAddress, told));
  const rest = operations.length - parts.length;
  if (rest > 0) parts.push(`does ${rest} more ${rest === 1 ? 'thing' : 'things'}`);
  const last = parts.pop();
  const list = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  return `${nameOf(sourceAddress)} ${list}.`;
}

/** The transaction in a record of history, of the queue or of a decoded blob; undefined where there is none to read. */
export function transactionOfRecord(record: { readonly transaction?: unknown }): Transaction | undefined {
  const transaction = transactionFromRecord(record.transaction as JsonValue | undefined);
  return isReadError(transaction) ? undefined : transaction;
}

type Told = Required<SentenceOptions>;

function describeOperation(operation: Operation, transactionSource: string, told: Told): string {
  const { sourceAddress } = operation;
  const isOther = sourceAddress !== '' && sourceAddress !== transactionSource;
  return `${isOther ? `for ${told.nameOf(sourceAddress)} ` : ''}${describeBody(operation, told)}`;
}

function describeBody(operation: Operation, told: Told): string {
  const { createAccount, issueAsset, payAsset, payCoin, log, upgradeContract } = operation;
  if (payCoin) return describePayment(payCoin, told);
  if (createAccount) return describeCreation(createAccount, told);
  if (operation.setMetadata) return describeMetadata(operation.setMetadata);
  if (issueAsset) return `issues ${issueAsset.amount} of the asset ${quoted(issueAsset.code)}`;
  if (payAsset) {
    const { asset, destAddress, input } = payAsset;
    const what = `${asset?.amount ?? 0n} of the asset ${quoted(asset?.key?.code ?? '')}`;
    const call = input === '' ? '' : `, calling ${methodOf(input)}`;
    return `sends ${what} to ${told.nameOf(destAddress)}${call}`;
  }
  if (log) return `notes under the topic ${quoted(log.topic)}`;
  if (operation.setPrivilege || operation.setSignerWeight || operation.setThreshold)
    return 'changes who may sign for the account';
  if (upgradeContract) return `upgrades the contract ${told.nameOf(upgradeContract.destAddress)}`;
  return `does something unknown (operation type ${operation.type})`;
}

function describePayment({ destAddress, amount, input }: NonNullable<Operation['payCoin']>, told: Told) {
  const to = told.nameOf(destAddress);
  if (input === '') return `pays ${coinText(amount, told.profile)} to ${to}`;
  const coins = amount === 0n ? '' : ` with ${coinText(amount, told.profile)}`;
  return `calls ${methodOf(input)} of the contract ${to}${coins}`;
}

function describeCreation(body: NonNullable<Operation['createAccount']>, { nameOf, profile }: Told): string {
  const coins = body.initBalance === 0n ? '' : ` with ${coinText(body.initBalance, profile)}`;
  if (body.contract?.payload) return `puts a contract on the chain${coins}`;
  return `creates the account ${nameOf(body.destAddress)}${coins}`;
}

function describeMetadata({ key, deleteFlag }: NonNullable<Operation['setMetadata']>): string {
  if (key === didLogKey) return 'changes its DID document';
  return `${deleteFlag ? 'deletes' : 'writes'} the metadata ${quoted(key)}`;
}

/** Contracts of this family take `{"method":…}`; whatever else is a call all the same. */
function methodOf(input: string): string {
  const asked = input.length <= readInputMax ? parseJsonOrNothing(input) : undefined;
  const method = isJsonObject(asked) ? asked.method : undefined;
  return typeof method === 'string' && method !== '' ? quoted(method) : 'main';
}

/** An amount of the network's coin in its large unit, exactly: 1500000 is "1.5 Gas". */
export function coinText(amount: bigint, profile: NetworkProfile = zetrixProfile): string {
  const { decimals } = profile.nativeAsset;
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`} Gas`;
}

const shortAddress = (address: string): string =>
  address.length <= 16
    ? plainText(address)
    : `${plainText(address.slice(0, 8))}…${plainText(address.slice(-6))}`;

const quoted = (text: string): string => `"${plainText(text)}"`;
