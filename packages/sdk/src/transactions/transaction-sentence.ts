/**
 * A transaction as one sentence: what a person wants to read first, in a terminal or an explorer. Names of accounts,
 * templates and credentials are the reader's, never the transaction's. Texts in a transaction are anybody's: what could
 * steer a terminal or turn a line around is replaced, and long ones are cut.
 */
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import type { JsonValue } from '@symbolon/wire/json/json';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromRecord } from '@symbolon/wire/ledger/transaction-json';
import { operationSaying } from '../sentences/operation-sayings.ts';
import { issuanceSaying } from '../sentences/registry-sayings.ts';
import {
  joinedParts,
  plainWords,
  type Saying,
  type SentencePart,
  sayingParts,
} from '../sentences/sentence-parts.ts';
import { englishSentence, type SentenceWords } from '../sentences/sentence-words.ts';
import {
  createTeller,
  type KnownRegistries,
  type KnownToken,
  type NameGiver,
  type Teller,
} from '../sentences/teller.ts';

export interface SentenceOptions {
  /** How the reader calls an account; its shortened address, if left out or where there is no name. */
  readonly nameOf?: NameGiver;
  readonly nameOfTemplate?: NameGiver;
  readonly nameOfCredential?: NameGiver;
  /** The registries of credentials. Without them their calls are told like those of any contract. */
  readonly registries?: KnownRegistries | undefined;
  /** Whether an account has a contract, where the reader knows: an input for one that has none calls nothing. */
  readonly hasCode?: (address: string) => boolean | undefined;
  /** The token of a contract, where the reader knows it; transfers of others are calls like any other. */
  readonly tokenOf?: (address: string) => KnownToken | undefined;
  /** Whether the ledger has executed it: then its registry has checked who issued what was handed in. */
  readonly isExecuted?: boolean;
  /** Of another language; English, if left out. */
  readonly words?: SentenceWords;
  readonly amountText?: (amount: bigint) => string;
  readonly profile?: NetworkProfile;
}

const shownOperationsMax = 3;

/** For instance: "zt1abcd…123456 pays 1.5 Gas to zt1efgh…123456." */
export const describeTransaction = (transaction: Transaction, options: SentenceOptions = {}): string =>
  describeTransactionParts(transaction, options)
    .map(({ text }) => text)
    .join('');

/** The same sentence in parts that know what they stand for, for pages that make links of them. */
export function describeTransactionParts(
  transaction: Transaction,
  options: SentenceOptions = {},
): readonly SentencePart[] {
  const { words = englishSentence, isExecuted = false } = options;
  const teller = tellerOf(options);
  const { sourceAddress, operations } = transaction;
  const payment = isExecuted && operations.length === 1 ? operations[0]?.payCoin : undefined;
  const issuance = payment && issuanceSaying(payment, teller);
  const subject = issuance?.issuer ?? teller.account(sourceAddress);
  const deeds = issuance ? [issuance.saying] : deedsOf(transaction, teller);
  const told = deeds.flatMap((deed, at) => [
    ...(at === 0 ? [] : [plainWords(at === deeds.length - 1 ? words.and : words.comma)]),
    ...sayingParts(deed, words),
  ]);
  const [before = '', between = '', after = ''] = words.sentence.split(/\{[a-z]+\}/);
  return joinedParts([plainWords(before), subject, plainWords(between), ...told, plainWords(after)]).filter(
    ({ kind, text }) => kind !== 'words' || text !== '',
  );
}

/** What the first operations do, and how many more there are. */
function deedsOf({ sourceAddress, operations }: Transaction, teller: Teller): readonly Saying[] {
  if (operations.length === 0) return [{ says: 'nothing' }];
  const shown = operations
    .slice(0, shownOperationsMax)
    .map((operation) => operationSaying(operation, sourceAddress, teller));
  const rest = operations.length - shown.length;
  if (rest === 0) return shown;
  const more: Saying =
    rest === 1 ? { says: 'oneMore' } : { says: 'more', with: { count: plainWords(String(rest)) } };
  return [...shown, more];
}

const nameless = (): undefined => undefined;

function tellerOf({
  nameOf = nameless,
  nameOfTemplate = nameless,
  nameOfCredential = nameless,
  registries,
  hasCode = nameless,
  tokenOf = nameless,
  profile = zetrixProfile,
  amountText = (amount) => coinText(amount, profile),
}: SentenceOptions): Teller {
  return createTeller({
    nameOf,
    nameOfTemplate,
    nameOfCredential,
    registries,
    hasCode,
    tokenOf,
    profile,
    amountText,
  });
}

/** The transaction in a record of history, of the queue or of a decoded blob; undefined where there is none to read. */
export function transactionOfRecord(record: { readonly transaction?: unknown }): Transaction | undefined {
  const transaction = transactionFromRecord(record.transaction as JsonValue | undefined);
  return isReadError(transaction) ? undefined : transaction;
}

/** An amount of the network's coin in its large unit, exactly: 1500000 is "1.5 Gas". */
export function coinText(amount: bigint, profile: NetworkProfile = zetrixProfile): string {
  const { decimals } = profile.nativeAsset;
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`} Gas`;
}
