/**
 * Publishing, rotating and ending keys, services and the name of one's own DID, and giving the identifier up. Each is
 * one transaction of the subject's account (core's `did-log.ts`). What would have no effect is refused here, before
 * anything is sent; two changes made at the same time cannot overwrite one another, because the ledger refuses the
 * second. A caller that holds no key builds the transaction with `buildDidTransaction` and has it signed elsewhere.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { equalBytes } from '@symbolon/core/basics/bytes';
import { didOfPublicKey, parseLedgerDid, parsePublicKeyMultibase } from '@symbolon/core/did/did';
import {
  applyDidChange,
  type DidState,
  encodePublishedKey,
  foldDidRecords,
  nextKeyNumber,
  type PublishedKey,
  publishedKeyId,
} from '@symbolon/core/did/did-document';
import {
  type DidChange,
  type DidLogTerms,
  encodeDidLogEntry,
  type KeyEnd,
  type KeyPublication,
  publishedKeyTypes,
  readDidChange,
  type ServicePublication,
} from '@symbolon/core/did/did-log';
import { didLogTransaction } from '@symbolon/core/did/did-log-transaction';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { didLogLimits, int64Max } from '@symbolon/core/limits/consensus';
import { nameProblem } from '@symbolon/core/names/look-alike-names';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { assertGiven, assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import type { Signer } from '../keys/signer.ts';
import { type DidHistory, type LogOwner, logMember, readOwnDidHistory } from '../ledger/did-history.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { assertPinForms } from '../ledger/pins.ts';
import { type Receipt, type WaitOptions, waitMembers } from '../ledger/receipts.ts';
import { pinsOf, type TransactionPins, transactionPinMembers } from './transaction-caps.ts';
import {
  buildTransaction,
  chainIdOf,
  nextNonce,
  settleTransaction,
  signTransaction,
  usualChainId,
} from './transactions.ts';

/** For whoever builds a transaction that changes a DID document. */
export interface DidOrderOptions extends TransactionPins {
  readonly profile?: NetworkProfile;
  /** A tenth above what the node evaluates, if left out. */
  readonly feeLimit?: bigint;
}
/** For whoever sends one, and waits for its receipt. */
export interface DidSendOptions extends DidOrderOptions, WaitOptions {}

const orderOptionMembers: MembersOf<DidOrderOptions> = {
  ...transactionPinMembers,
  profile: true,
  feeLimit: true,
};
const sendOptionMembers: MembersOf<DidSendOptions> = { ...orderOptionMembers, ...waitMembers };

/** Members of changes that may be left out. */
const optionalMembers: readonly string[] = ['validFrom', 'validUntil', 'endedMultibase', 'compromisedSince'];

/** Throws `invalidArgument` for what is misspelt or missing, before anything is asked. */
function assertOrder<Order extends object>(
  order: Order,
  known: MembersOf<Order>,
  options: DidSendOptions,
): void {
  assertMembers(order, known, 'the change');
  const needed = Object.keys(known).filter((name) => !optionalMembers.includes(name));
  assertGiven(order, needed, 'the change');
  assertMembers(options, sendOptionMembers, 'options of a change');
}

/** A key that is published in a DID document. */
export type KeyOrder = Omit<KeyPublication, 'change' | 'number'>;
/** A service that is published in a DID document. */
export type ServiceOrder = Omit<ServicePublication, 'change'>;

type Signed<Order> = { readonly signer: Signer } & Order;

/** A DID whose document was changed, and the transaction that did it. */
export interface DidChanged {
  readonly did: string;
  readonly receipt: Receipt;
}
/** The key as it stands in the DID document. */
export interface KeyPublished extends DidChanged {
  readonly number: number;
  /** The DID URL of the key. */
  readonly verificationMethod: string;
}

/** A key by its number, which is what is recorded. Whoever also names the key itself is safe from a wrong number. */
export interface EndedKey {
  readonly number: number;
  readonly endedMultibase?: string;
}
/** A key that has ended. */
export interface KeyEnded {
  /** The key that has ended. */
  readonly endedMultibase: string;
  /** Further numbers of the same key, under which it stands as before. */
  readonly remainsAs: readonly number[];
}

const publicationMembers: MembersOf<Signed<KeyOrder>> = {
  signer: true,
  type: true,
  publicKeyMultibase: true,
  validFrom: true,
  validUntil: true,
};

/** Publishes a key in the signer's DID document, under the next number. */
export async function publishKey(
  client: LedgerClient,
  order: Signed<KeyOrder>,
  options: DidSendOptions = {},
): Promise<KeyPublished> {
  assertOrder(order, publicationMembers, options);
  const { signer, ...key } = order;
  const history = await ownHistoryOf(client, signer, options);
  return sendPublication(client, { signer, key, history }, options);
}

/** Ends one key and publishes its successor, both or neither. */
export async function rotateKey(
  client: LedgerClient,
  order: Signed<EndedKey & KeyOrder>,
  options: DidSendOptions = {},
): Promise<KeyPublished & KeyEnded> {
  assertOrder(order, { ...publicationMembers, number: true, endedMultibase: true }, options);
  const { signer, number, endedMultibase, ...key } = order;
  const history = await ownHistoryOf(client, signer, options);
  const ended = keyNamed(history, { number, endedMultibase });
  const publication = { signer, key, history, end: { change: 'endKey', number } } as const;
  return { ...(await sendPublication(client, publication, options)), ...ended };
}

/** Ends a key of the signer's DID: nothing that it signs from then on counts. */
export async function endKey(
  client: LedgerClient,
  ending: Signed<EndedKey & Omit<KeyEnd, 'change'>>,
  options: DidSendOptions = {},
): Promise<DidChanged & KeyEnded> {
  assertOrder(ending, { signer: true, number: true, endedMultibase: true, compromisedSince: true }, options);
  const { signer, endedMultibase, ...end } = ending;
  const history = await ownHistoryOf(client, signer, options);
  const ended = keyNamed(history, { number: end.number, endedMultibase });
  const order = { signer, changes: [{ change: 'endKey', ...end }], history } as const;
  const changed = await sendChanges(client, order, options);
  // Whoever has the secret has it under every number, so they have all ended then.
  return { ...changed, ...ended, ...(end.compromisedSince !== undefined && { remainsAs: [] }) };
}

/** The key that has this number in one's own log; the one that was named, if any was. */
function keyNamed({ entries }: DidHistory, { number, endedMultibase: named }: EndedKey): KeyEnded {
  const state = foldDidRecords(entries);
  const key = state.keys.get(number);
  if (!key && entries.length === 0)
    throw invalidOrder(`there is no key ${number}, because the account has no log`, [logMember]);
  if (!key) throw invalidOrder(`there is no key ${number}`);
  const { type, publicKey } = key;
  const meant = named === undefined ? publicKey : parsePublicKeyMultibase(publishedKeyTypes[type], named);
  if (meant && equalBytes(meant, publicKey)) {
    const remainsAs = livingNumbers(state, key).filter((one) => one !== number);
    return { endedMultibase: encodePublishedKey(type, publicKey), remainsAs };
  }
  const hint = 'Nothing was signed. Look at the document for the number of the key that you mean.';
  throw new SdkError('notAsOrdered', `key ${number} is another key than the one that was named`, { hint });
}

/** Publishes a service in the signer's DID document. */
export async function publishService(
  client: LedgerClient,
  order: Signed<ServiceOrder>,
  options: DidSendOptions = {},
): Promise<DidChanged> {
  assertOrder(order, { signer: true, id: true, type: true, serviceEndpoint: true }, options);
  const { signer, ...service } = order;
  return sendChanges(client, { signer, changes: [{ change: 'publishService', ...service }] }, options);
}

/** Takes a service out of the signer's DID document. */
export async function endService(
  client: LedgerClient,
  order: Signed<{ readonly id: string }>,
  options: DidSendOptions = {},
): Promise<DidChanged> {
  assertOrder(order, { signer: true, id: true }, options);
  const { signer, id } = order;
  return sendChanges(client, { signer, changes: [{ change: 'endService', id }] }, options);
}

/** What the account wants to be called. Verdicts show it as its own word, unless it looks like another's name. */
export async function publishName(
  client: LedgerClient,
  order: Signed<{ readonly name: string }>,
  options: DidSendOptions = {},
): Promise<DidChanged> {
  assertOrder(order, { signer: true, name: true }, options);
  const { signer, name } = order;
  return sendChanges(client, { signer, changes: [{ change: 'publishName', name }] }, options);
}

/** Takes the name away under which the signer's DID is known. */
export async function endName(
  client: LedgerClient,
  order: { readonly signer: Signer },
  options: DidSendOptions = {},
): Promise<DidChanged> {
  assertOrder(order, { signer: true }, options);
  return sendChanges(client, { signer: order.signer, changes: [{ change: 'endName' }] }, options);
}

/** Gives the identifier up: its document has no keys from then on, and no change has any effect. */
export async function deactivateDid(
  client: LedgerClient,
  order: { readonly signer: Signer },
  options: DidSendOptions = {},
): Promise<DidChanged> {
  assertOrder(order, { signer: true }, options);
  return sendChanges(client, { signer: order.signer, changes: [{ change: 'deactivate' }] }, options);
}

async function sendPublication(
  client: LedgerClient,
  {
    signer,
    key,
    history,
    end,
  }: Signed<{
    readonly key: KeyOrder;
    readonly history: DidHistory;
    readonly end?: DidChange;
  }>,
  options: DidSendOptions,
): Promise<KeyPublished> {
  const state = foldDidRecords(history.entries);
  assertNotPublished(state, key);
  const number = nextKeyNumber(state);
  const changes: DidChange[] = [...(end ? [end] : []), { change: 'publishKey', number, ...key }];
  const { did, receipt } = await sendChanges(client, { signer, changes, history }, options);
  return { did, receipt, number, verificationMethod: publishedKeyId(did, { type: key.type, number }) };
}

/**
 * A second number of a key would outlive the end of the first, and whoever ends one believes that the key has ended.
 */
function assertNotPublished(state: DidState, { type, publicKeyMultibase }: KeyOrder): void {
  const publicKey = parsePublicKeyMultibase(publishedKeyTypes[type], publicKeyMultibase);
  const [first] = publicKey ? livingNumbers(state, { type, publicKey }) : [];
  if (first !== undefined) throw invalidOrder(`this key is published already, as number ${first}`);
}

/** The numbers under which a key stands and has not ended. */
const livingNumbers = (
  { keys }: DidState,
  { type, publicKey }: Pick<PublishedKey, 'type' | 'publicKey'>,
): readonly number[] =>
  [...keys.values()]
    .filter((key) => key.endedAt === undefined && key.type === type && equalBytes(key.publicKey, publicKey))
    .map(({ number }) => number);

async function sendChanges(
  client: LedgerClient,
  { signer, changes, history }: Signed<Pick<DidOrder, 'changes' | 'history'>>,
  options: DidSendOptions,
): Promise<DidChanged> {
  const { timeoutMs, pollIntervalMs, ...orderOptions } = options;
  const did = didOf(signer, options);
  const transaction = await buildDidTransaction(client, { did, changes, history }, orderOptions);
  const signed = await signTransaction(transaction, [signer]);
  return { did, receipt: await settleTransaction(client, signed, { timeoutMs, pollIntervalMs }) };
}

function didOf({ publicKey }: Signer, { profile = zetrixProfile }: DidOrderOptions): string {
  const key = createKeyFormat(profile, sha256).parsePublicKey(publicKey);
  if (!key) throw invalidOrder('the signer has no public key of this network');
  return didOfPublicKey(key, profile);
}

const ownHistoryOf = (client: LedgerClient, signer: Signer, options: DidOrderOptions): Promise<DidHistory> =>
  readOwnDidHistory(client, subjectOf(didOf(signer, options), options));

/** Changes of a DID document. */
export interface DidOrder {
  readonly did: string;
  readonly changes: readonly DidChange[];
  /** The account that pays, if not the subject's own; the subject signs in any case. */
  readonly source?: string;
  /** Read from the node, if left out, and then every entry must be signed by the subject's own key. */
  readonly history?: DidHistory;
}

const didOrderMembers: MembersOf<DidOrder> = { did: true, changes: true, source: true, history: true };

/** The transaction that makes these changes. It must be signed as it is: its terms are part of what it records. */
export async function buildDidTransaction(
  client: LedgerClient,
  order: DidOrder,
  options: DidOrderOptions = {},
): Promise<Transaction> {
  assertMembers(order, didOrderMembers, 'the change');
  assertMembers(options, orderOptionMembers, 'options of a change');
  assertPinForms(options, 'options of a change');
  const owner = subjectOf(order.did, options);
  const { address: subject } = owner;
  const history = order.history ?? (await readOwnDidHistory(client, owner));
  assertEffective(history, order.changes);
  const source = order.source === subject ? undefined : order.source;
  const previous = history.entries.at(-1)?.hash;
  const version = history.metadataVersion + 1;
  if (version > didLogLimits.entriesMax) throw invalidOrder('the log of this identifier is full');
  const withTerms = (terms: DidLogTerms): Transaction => {
    const entry = { version, ...(previous === undefined ? {} : { previous }), terms, changes: order.changes };
    const text = encodeDidLogEntry(entry);
    if (text.length > didLogLimits.entryCharsMax) throw invalidOrder('these are too many changes at once');
    return didLogTransaction(text, entry, subject);
  };
  const accountTerms = {
    ...(source === undefined ? {} : { source }),
    nonce: await nextNonce(client, source ?? subject),
    chainId: await chainIdOf(client, options.chainId ?? usualChainId),
  };
  // As long as any: the fee grows with the text, and the terms are part of the text.
  const widest = withTerms({ ...accountTerms, feeLimit: int64Max, gasPrice: int64Max });
  const { feeLimit, gasPrice } = await buildTransaction(client, {
    ...pinsOf(options),
    feeLimit: options.feeLimit,
    source: widest.sourceAddress,
    nonce: widest.nonce,
    chainId: widest.chainId,
    operations: widest.operations,
    signatureCount: source === undefined ? 1 : 2,
    withRoom: true,
  });
  return withTerms({ ...accountTerms, feeLimit, gasPrice });
}

/** Tries the changes out on what is recorded: the time of the block is not known, but it is not before the last one. */
function assertEffective(history: DidHistory, changes: readonly DidChange[]): void {
  if (changes.length === 0 || changes.length > didLogLimits.changesPerEntryMax)
    throw invalidOrder(`one transaction makes 1 to ${didLogLimits.changesPerEntryMax} changes`);
  let state: DidState = foldDidRecords(history.entries);
  const time = Math.max(Math.floor(Date.now() / 1_000), history.entries.at(-1)?.timeSeconds ?? 0);
  for (const change of changes) {
    const problem = change.change === 'publishName' ? nameProblem(change.name) : undefined;
    if (problem !== undefined) throw invalidOrder(`the name ${problem}`);
    if (!readDidChange(change)) throw invalidOrder(`a change (${change.change}) is malformed`);
    const next = applyDidChange(state, change, time);
    if (typeof next === 'string') throw invalidOrder(next);
    state = next;
  }
}

function subjectOf(did: string, { profile = zetrixProfile }: DidOrderOptions): LogOwner {
  const publicKey = parseLedgerDid(did, profile);
  if (!publicKey) throw invalidOrder('this is not an identifier of this network');
  return { address: createKeyFormat(profile, sha256).addressOf(publicKey), publicKey };
}

function invalidOrder(message: string, members: readonly string[] = []): SdkError {
  const hint = 'Nothing was sent. Look at the document as it is now, then order a change of it.';
  return new SdkError('invalidArgument', message, { hint, members });
}
