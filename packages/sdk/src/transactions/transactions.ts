/**
 * Sending a transaction: build, sign, submit, wait (`docs/sdk.md`). Each step stands alone; `sendTransaction` does all
 * of them. What is signed is made here, never taken from the node: the node is asked for nonce and fee only where the
 * caller leaves them out, and what it says of the fee is believed up to a cap.
 */
import { create, type DescMessage, equals, type MessageInitShape } from '@bufbuild/protobuf';
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { given } from '@symbolon/core/basics/plain-values';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import {
  encodeTransaction,
  openTransaction,
  type SignedTransaction,
} from '@symbolon/core/ledger/terms/transaction';
import { int64Max } from '@symbolon/core/limits/consensus';
import {
  type Operation,
  OperationSchema,
  SignatureSchema,
  type Transaction,
  TransactionSchema,
} from '@symbolon/core/proto/ledger_pb';
import { assertMembers, assertNames, type MembersOf } from '../arguments/exact-arguments.ts';
import { LedgerError, SdkError, unexpectedReply } from '../errors/errors.ts';
import type { Signer } from '../keys/signer.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { assertPinForms } from '../ledger/pins.ts';
import {
  type Receipt,
  TransactionFailed,
  type WaitOptions,
  waitForReceipt,
  waitMembers,
} from '../ledger/receipts.ts';
import { assertAsSigned } from './signed-record.ts';
import { type Cost, type CostOrder, costWithinCaps, transactionPinMembers } from './transaction-caps.ts';

/** One operation; its type number may be left out, because its body says it. */
export type OperationOrder = MessageInitShape<typeof OperationSchema>;

/** Limit and price are what the node evaluates, if left out; it may not evaluate more than the caps. */
export interface TransactionOrder extends CostOrder {
  readonly source: string;
  readonly operations: readonly OperationOrder[];
  /** The one after the account's last, if left out: right for whoever sends one transaction after the other. */
  readonly nonce?: bigint;
  /** How many signatures the evaluated fee must cover; 1 if left out. */
  readonly signatureCount?: number;
  readonly metadata?: Uint8Array;
  readonly exprCondition?: string;
  readonly ceilLedgerSeq?: bigint;
  /** The chain that is meant, 0 if left out: a node of another is refused, because the key may have money there. */
  readonly chainId?: bigint;
}

const orderMembers: MembersOf<TransactionOrder> = {
  ...transactionPinMembers,
  source: true,
  operations: true,
  nonce: true,
  signatureCount: true,
  metadata: true,
  exprCondition: true,
  ceilLedgerSeq: true,
  feeLimit: true,
  gasPrice: true,
  withRoom: true,
};
const what = 'the transaction';

/** Builds a transaction: what is left out of the order, the node is asked for. */
export async function buildTransaction(client: LedgerClient, order: TransactionOrder): Promise<Transaction> {
  assertMembers(order, orderMembers, what);
  assertPinForms(order, what);
  const { source, feeLimitMax, gasPriceMax, withRoom, signatureCount = 1, ...terms } = order;
  const operations = order.operations.map(withType);
  const hasCost = order.feeLimit !== undefined && order.gasPrice !== undefined;
  const asks = !hasCost || order.nonce === undefined;
  const [nonce, chainId] = await Promise.all([
    order.nonce ?? nextNonce(client, source),
    asks ? chainIdOf(client, order.chainId ?? usualChainId) : order.chainId,
  ]);
  const fields = given({ ...terms, sourceAddress: source, nonce, chainId, operations });
  const transaction = create(TransactionSchema, fields);
  if (hasCost) return transaction;
  const evaluated = await evaluateFee(client, encode(transaction), signatureCount);
  return { ...transaction, ...costWithinCaps(evaluated, order, operations) };
}

/**
 * The one after the account's last. A node that says too much gets a transaction that waits for the ones before it, so
 * its sender hears of no receipt; it can be executed when these have been, and asking for its hash shows whether it was.
 */
export async function nextNonce(client: LedgerClient, address: string): Promise<bigint> {
  const { result } = await client.getAccountBase({ address });
  // A field that is 0 is left out of the reply.
  const nonce = BigInt(result?.nonce ?? 0);
  if (!result) throw unexpectedReply('getAccountBase', ['result']);
  if (nonce < 0n || nonce >= int64Max) throw unexpectedReply('getAccountBase', ['result.nonce']);
  return nonce + 1n;
}

/** The chain that is meant where nobody says: chains have this id unless their genesis says otherwise. */
export const usualChainId = 0n;

/** The id of the node's chain; where one is meant, a node of another is refused. */
export async function chainIdOf(client: Pick<LedgerClient, 'getLedger'>, meant?: bigint): Promise<bigint> {
  const { result } = await client.getLedger({});
  if (!result) throw unexpectedReply('getLedger', ['result']);
  const chainId = BigInt(result.header.chain_id ?? 0);
  const members = ['result.header.chain_id'];
  if (chainId < 0n) throw unexpectedReply('getLedger', members);
  if (meant !== undefined && chainId !== meant) {
    const hint = 'Nothing was signed. Name a node of the chain that you mean, or mean its chain: chainId.';
    throw new SdkError('notAsOrdered', `the node is of chain ${chainId}, and chain ${meant} is meant`, {
      hint,
      members,
    });
  }
  return chainId;
}

/** The bytes that are hashed and sent, with a signature of each signer over them. */
export async function signTransaction(
  transaction: Transaction,
  signers: readonly Signer[],
): Promise<SignedTransaction> {
  if (signers.length === 0) throw invalidOrder('a transaction needs a signer');
  const blob = encode(transaction);
  const signatures = await Promise.all(
    signers.map(async ({ publicKey, sign }) =>
      create(SignatureSchema, { publicKey, signData: await sign(blob) }),
    ),
  );
  const signed = openTransaction(blob, signatures, sha256);
  // Half a surrogate pair, for one, is encoded as something else without complaint.
  if (!signed || !equals(TransactionSchema, signed.transaction, transaction)) {
    throw invalidOrder('the transaction does not mean the same once it is encoded');
  }
  return signed;
}

/**
 * Hands a signed transaction in and resolves to its hash. Never repeated: when the connection breaks, the node may
 * have it or not, and the error says so with the hash to ask for.
 */
export async function submitTransaction(client: LedgerClient, signed: SignedTransaction): Promise<string> {
  const hash = encodeHex(signed.hash);
  const signatures = signed.signatures.map(({ publicKey, signData }) => ({
    public_key: publicKey,
    sign_data: encodeHex(signData),
  }));
  try {
    const item = { transaction_blob: encodeHex(signed.blob), signatures };
    const { result } = await client.submitTransaction({ items: [item] });
    if (result?.hash !== hash) throw unexpectedReply('submitTransaction', ['result.hash']);
    return hash;
  } catch (cause) {
    if (!(cause instanceof SdkError)) throw cause;
    const hint =
      'Before sending again, ask for this hash with waitForReceipt. Sent again unchanged, it cannot run twice.';
    const { members } = cause;
    const why = `transaction ${hash} was sent, but it is unknown whether it arrived`;
    throw new SdkError('outcomeUnknown', `${why}: ${cause.reason}`, {
      hint,
      cause,
      transactionHash: hash,
      members,
    });
  }
}

/**
 * Submits what was signed and waits for its receipt, which must be that transaction's; one that waits already is waited
 * for. One that was executed without success is thrown, receipt included.
 */
export async function settleTransaction(
  client: LedgerClient,
  signed: SignedTransaction,
  options: WaitOptions = {},
): Promise<Receipt> {
  const hash = await submitTransaction(client, signed).catch((error) => {
    if (error instanceof LedgerError && error.code === codes.alreadyExists) return encodeHex(signed.hash);
    throw error;
  });
  const receipt = await waitForReceipt(client, hash, options);
  assertAsSigned(receipt, signed);
  if (receipt.code !== 0) throw new TransactionFailed(receipt);
  return receipt;
}

/** A transaction, and who signs it. */
export interface SendOrder extends Omit<TransactionOrder, 'source' | 'signatureCount'> {
  readonly signers: readonly [Signer, ...Signer[]];
  /** The first signer's account, if left out. */
  readonly source?: string;
}

const { signatureCount: _counted, ...sendMembers } = { ...orderMembers, signers: true } as const;

/** Builds, signs, submits and waits. */
export async function sendTransaction(
  client: LedgerClient,
  sending: SendOrder,
  options: WaitOptions = {},
): Promise<Receipt> {
  assertMembers(sending, sendMembers, what);
  assertMembers(options, waitMembers, 'options of waiting');
  const { signers, ...order } = sending;
  const source = order.source ?? signers[0].address;
  const transaction = await buildTransaction(client, { ...order, source, signatureCount: signers.length });
  return settleTransaction(client, await signTransaction(transaction, signers), options);
}

/** What the node says that a transaction costs; throws its refusal where it would fail. */
export async function evaluateFee(
  client: LedgerClient,
  blob: Uint8Array,
  signatureCount: number,
): Promise<Cost> {
  const item = { transaction_blob: encodeHex(blob), signature_number: signatureCount };
  const { result } = await client.testTransaction({ items: [item] });
  const evaluated = result?.txs?.[0]?.transaction_env.transaction;
  if (!evaluated) throw unexpectedReply('testTransaction', ['result.txs']);
  // A field that is 0 is left out of the reply.
  return { feeLimit: BigInt(evaluated.fee_limit ?? 0), gasPrice: BigInt(evaluated.gas_price ?? 0) };
}

const operationNames = Object.keys(operationTypes) as (keyof typeof operationTypes)[];

function withType(order: OperationOrder, index: number): Operation {
  assertMessage(OperationSchema, order, `operation ${index}`);
  const operation = create(OperationSchema, order);
  if (operation.type !== 0) return operation;
  const bodies = operationNames.filter((name) => operation[name] !== undefined);
  if (bodies.length !== 1)
    throw invalidOrder(`operation ${index} has ${bodies.length} bodies instead of one`);
  return { ...operation, type: operationTypes[bodies[0]] };
}

/** A member of an operation that its schema does not know would not be signed, and nobody would hear of it. */
function assertMessage(schema: DescMessage, arrived: unknown, place: string): void {
  assertNames(arrived, ['$typeName', '$unknown', ...schema.fields.map(({ localName }) => localName)], place);
  for (const field of schema.fields) {
    const value = (arrived as Readonly<Record<string, unknown>>)[field.localName];
    if (!field.message || value === undefined) continue;
    for (const one of [value].flat()) assertMessage(field.message, one, `${place}, ${field.localName}`);
  }
}

function encode(transaction: Transaction): Uint8Array {
  try {
    return encodeTransaction(transaction);
  } catch (cause) {
    throw invalidOrder('the transaction cannot be encoded', cause);
  }
}

function invalidOrder(message: string, cause?: unknown): SdkError {
  const hint =
    'Amounts, nonce and fees are bigint within 64 bits, texts are well-formed; each operation has one body.';
  return new SdkError('invalidArgument', message, { hint, cause });
}

/** An account that its own key rules. */
export const accountCreationOrder = (destAddress: string, initBalance: bigint): OperationOrder => ({
  createAccount: { destAddress, initBalance, priv: { masterWeight: 1n, thresholds: { txThreshold: 1n } } },
});
