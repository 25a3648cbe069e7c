/**
 * What a signed transaction pays, and whether that is what was asked for (`docs/payments.md`). Strict on purpose: one
 * operation, one meaning, nothing beside it that could make the ledger do more, less or later than what is judged here.
 * Whether the payer has the money and whether the transaction was used before is the ledger's to say, not this file's.
 */
import { encodeHex, parseHex, type Sha256 } from '../basics/bytes.ts';
import { asObject, parseAmount, parseObject } from '../basics/plain-values.ts';
import { type PaymentRefusal, refusePayment } from '../faults/payment-refusals.ts';
import type { KeyFormat, KeySigner } from '../keys/keys.ts';
import { bodiesOf, operationTypes } from '../ledger/operations/index.ts';
import { decodeTransaction } from '../ledger/terms/transaction.ts';
import { paymentLimits } from '../limits/payments.ts';
import type { Operation, Transaction } from '../proto/ledger_pb.ts';

/** The one way of paying: exactly the amount, by a transaction that the payer has signed. */
export const paymentScheme = 'exact';

export interface PaymentSignature {
  /** Encoded, or the 32 bytes in hex. */
  readonly publicKey: string;
  readonly signature: Uint8Array;
}

/** A payment as it arrived, whatever wrapping it had. */
export interface ArrivedPayment {
  readonly scheme: string;
  readonly network: string;
  readonly blob: Uint8Array;
  readonly signatures: readonly PaymentSignature[];
  /** Seconds since 1970 after which it must not be handed in. */
  readonly validBefore: number;
  /** What its own wrapping says that it pays, as far as that goes. */
  readonly accepted?: Partial<PaymentTerms>;
}

/** What is asked for. `asset` is the code of the native asset, or the address of a token contract. */
export interface PaymentTerms {
  /** The one way of paying, if left out. */
  readonly scheme?: string;
  readonly network: string;
  readonly payTo: string;
  readonly asset: string;
  readonly amount: bigint;
  /** Whose money it must be; anybody's, if left out. */
  readonly payer?: string;
}

/** What is paid, and by whom. */
export type MovedTerms = Required<Omit<PaymentTerms, 'scheme'>>;

/** What a transaction pays. */
export interface PaidTerms extends MovedTerms {
  /** Of the transaction, in hex. */
  readonly hash: string;
  readonly nonce: bigint;
  readonly feeLimit: bigint;
  readonly gasPrice: bigint;
  /** Whose account pays the fee and whose nonce is used: the payer's own, or a sponsor's. */
  readonly feePayer: string;
  /** The payer's, encoded: it has signed. */
  readonly publicKey: string;
}

export interface PaymentContext {
  readonly keys: KeyFormat;
  readonly sha256: Sha256;
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
  readonly chainId: bigint;
  /** The lowest that the chain takes. */
  readonly gasPrice: bigint;
  readonly nowSeconds: number;
  /** Whether an account may pay fees for others; none may, if left out. */
  readonly isSponsor?: (address: string) => boolean;
}

export type PaymentJudgement = { readonly paid: PaidTerms } | { readonly refusal: PaymentRefusal };

const mismatch = (detail: string) => refusePayment('payloadRequirementsMismatch', detail);

/** Judges a payment against what is asked for; without terms only by itself, and answers what it pays. */
export function judgePayment(
  payment: ArrivedPayment,
  terms: PaymentTerms | undefined,
  context: PaymentContext,
): PaymentJudgement {
  const refusal = judgeWrapping(payment, context);
  if (refusal) return { refusal };
  const transaction = decodeTransaction(payment.blob);
  if (!transaction) {
    return {
      refusal: refusePayment('payloadDecodeFailed', 'the blob is not a transaction of this ledger'),
    };
  }
  const read = readPaid(transaction, payment, context);
  if ('refusal' in read) return read;
  const signed = judgeSigner(payment, read.paid, context);
  if ('refusal' in signed) return signed;
  const against =
    judgeFee(transaction, context) ?? judgeTerms(read.paid, payment.accepted) ?? judgeTerms(read.paid, terms);
  return against ? { refusal: against } : { paid: { ...read.paid, ...signed } };
}

/**
 * Judges a payment that was taken before, when somebody comes with it again: whether it is theirs to come with and what
 * they ask for. Its time and its fee were judged when it was taken.
 */
export function judgeAgain(
  payment: ArrivedPayment,
  paid: MovedTerms,
  { terms, ...context }: Pick<PaymentContext, 'keys' | 'verify'> & { readonly terms?: PaymentTerms },
): PaymentRefusal | undefined {
  const refusal = judgeKind(payment, context);
  if (refusal) return refusal;
  const signed = judgeSigner(payment, paid, context);
  if ('refusal' in signed) return signed.refusal;
  return judgeTerms(paid, payment.accepted) ?? judgeTerms(paid, terms);
}

type UnsignedTerms = Omit<PaidTerms, 'publicKey'>;

function judgeKind(
  { scheme, network }: ArrivedPayment,
  { keys }: Pick<PaymentContext, 'keys'>,
): PaymentRefusal | undefined {
  if (scheme !== paymentScheme)
    return refusePayment('unsupportedScheme', `the scheme must be ${paymentScheme}`);
  return network === keys.profile.networkId
    ? undefined
    : refusePayment('unsupportedNetwork', `the network must be ${keys.profile.networkId}`);
}

function judgeWrapping(payment: ArrivedPayment, context: PaymentContext): PaymentRefusal | undefined {
  const { validBefore, blob } = payment;
  const { nowSeconds } = context;
  const refusal = judgeKind(payment, context);
  if (refusal) return refusal;
  if (!Number.isSafeInteger(validBefore) || validBefore <= nowSeconds) {
    return refusePayment('blobExpired', 'validBefore has passed');
  }
  return blob.length > paymentLimits.blobBytesMax
    ? refusePayment('payloadDecodeFailed', `a payment has at most ${paymentLimits.blobBytesMax} bytes`)
    : undefined;
}

function readPaid(
  transaction: Transaction,
  { blob }: ArrivedPayment,
  { keys, sha256, chainId, isSponsor }: PaymentContext,
): { readonly paid: UnsignedTerms } | { readonly refusal: PaymentRefusal } {
  const refused = (detail: string) => ({ refusal: mismatch(detail) });
  const { sourceAddress, operations, nonce, feeLimit, gasPrice } = transaction;
  if (transaction.chainId !== chainId)
    return { refusal: refusePayment('unsupportedNetwork', 'the chain id is that of another chain') };
  if (transaction.metadata.length > 0 || transaction.exprCondition !== '' || transaction.ceilLedgerSeq !== 0n)
    return refused('the transaction must have no metadata, no condition and no last block');
  const [operation, ...others] = operations;
  if (!operation || others.length > 0) return refused('the transaction must have exactly one operation');
  if (operation.type !== operationTypes.payCoin || !operation.payCoin)
    return refused('the operation must be pay_coin');
  if (bodiesOf(operation).length > 1) return refused('the operation must have one body');
  if (operation.metadata.length > 0 || operation.exprCondition !== '')
    return refused('the operation must have no metadata and no condition');
  const payer = operation.sourceAddress || sourceAddress;
  if (payer !== sourceAddress && !isSponsor?.(sourceAddress))
    return refused('the operation must be of the account that sends the transaction');
  const moved = readMoved(operation.payCoin, keys.profile.nativeAsset.code);
  if (!moved) return refused('the operation is neither a native payment nor a transfer of a token');
  if (!keys.isAddress(moved.payTo) || !keys.isAddress(payer)) return refused('an address is not valid');
  const network = keys.profile.networkId;
  const hash = encodeHex(sha256(blob));
  return { paid: { ...moved, payer, network, hash, nonce, feeLimit, gasPrice, feePayer: sourceAddress } };
}

/** Native: an amount and no input. A token: no amount, and the input that moves it. */
function readMoved(
  { destAddress, amount, input }: NonNullable<Operation['payCoin']>,
  native: string,
): Pick<PaidTerms, 'payTo' | 'asset' | 'amount'> | undefined {
  if (input === '') return amount > 0n ? { payTo: destAddress, asset: native, amount } : undefined;
  if (amount !== 0n) return undefined;
  const transfer = readTransfer(input);
  return transfer && { payTo: transfer.to, asset: destAddress, amount: transfer.value };
}

/** The input of a token's transfer, in its one compact form: a member given twice would be read twice differently. */
export function readTransfer(input: string): { readonly to: string; readonly value: bigint } | undefined {
  if (input.length > paymentLimits.inputCharsMax) return undefined;
  const call = parseObject(input);
  if (!call || JSON.stringify(call) !== input || !hasExactly(call, ['method', 'params'])) return undefined;
  const params = asObject(call.params);
  if (call.method !== 'transfer' || !params || !hasExactly(params, ['to', 'value'])) return undefined;
  const { to, value } = params;
  if (typeof to !== 'string' || typeof value !== 'string') return undefined;
  const amount = parseAmount(value);
  return amount === undefined || amount === 0n ? undefined : { to, value: amount };
}

const hasExactly = (value: object, names: readonly string[]): boolean =>
  JSON.stringify(Object.keys(value).sort()) === JSON.stringify(names);

function judgeSigner(
  { blob, signatures }: ArrivedPayment,
  { payer }: Pick<UnsignedTerms, 'payer'>,
  { keys, verify }: Pick<PaymentContext, 'keys' | 'verify'>,
): { readonly publicKey: string } | { readonly refusal: PaymentRefusal } {
  const [given, ...others] = signatures;
  const wrong = (detail: string) => ({ refusal: refusePayment('invalidSignature', detail) });
  if (!given || others.length > 0) return wrong('there must be exactly one signature, that of the payer');
  const signer = signerOf(given.publicKey, keys);
  if (signer?.address !== payer) return wrong('the signature is not by the account that pays');
  return verify(signer.publicKey, blob, given.signature)
    ? { publicKey: keys.encodePublicKey(signer.publicKey) }
    : wrong('the signature does not fit the transaction');
}

const rawKeyBytes = 32;

/** Of either form of a key. */
function signerOf(text: string, keys: KeyFormat): KeySigner | undefined {
  const bytes = text.length === 2 * rawKeyBytes ? parseHex(text) : undefined;
  return bytes ? { publicKey: bytes, address: keys.addressOf(bytes) } : keys.signerOf(text);
}

function judgeFee({ feeLimit, gasPrice }: Transaction, context: PaymentContext): PaymentRefusal | undefined {
  const isInBounds =
    gasPrice >= context.gasPrice &&
    gasPrice <= paymentLimits.gasPriceMax &&
    feeLimit >= 0n &&
    feeLimit <= paymentLimits.feeLimitMax;
  if (isInBounds) return undefined;
  const { feeLimitMax, gasPriceMax } = paymentLimits;
  const bounds = `gas_price must be ${context.gasPrice} to ${gasPriceMax}, fee_limit at most ${feeLimitMax}`;
  return refusePayment('feeOutOfBounds', bounds);
}

/** Every term that is asked for must be met. */
function judgeTerms(paid: MovedTerms, asked: Partial<PaymentTerms> = {}): PaymentRefusal | undefined {
  const isOther = (name: keyof MovedTerms): boolean =>
    asked[name] !== undefined && asked[name] !== paid[name];
  if (asked.scheme !== undefined && asked.scheme !== paymentScheme)
    return refusePayment('unsupportedScheme', 'another scheme is asked for');
  if (isOther('network')) return refusePayment('unsupportedNetwork', 'another network is asked for');
  if (isOther('payTo')) return mismatch('it pays somebody else');
  if (isOther('asset')) return mismatch('it pays with another asset');
  if (isOther('amount')) return mismatch(`it pays ${paid.amount} instead of ${asked.amount}`);
  return isOther('payer') ? mismatch('it is not the payer who must pay') : undefined;
}
