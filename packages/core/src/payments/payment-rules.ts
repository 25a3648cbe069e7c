/**
 * What a signed transaction pays, and whether that is what was asked for (`docs/payments.md`). Strict on purpose: one
 * operation, one meaning, nothing beside it that could make the ledger do more, less or later than what is judged here.
 * Whether the payer has the money and whether the transaction was used before is the ledger's to say, not this file's.
 */
import { encodeHex, parseHex, type Sha256 } from '../basics/bytes.ts';
import { type PaymentRefusal, refusePayment } from '../faults/payment-refusals.ts';
import type { KeyFormat, KeySigner } from '../keys/keys.ts';
import { bodiesOf } from '../ledger/operations/index.ts';
import { operationTypes } from '../ledger/terms/operation-types.ts';
import { decodeTransaction } from '../ledger/terms/transaction.ts';
import { paymentLimits } from '../limits/payments.ts';
import type { Operation, Transaction } from '../proto/ledger_pb.ts';
import {
  type ArrivedPayment,
  type MovedTerms,
  type PaidTerms,
  type PaymentTerms,
  paymentScheme,
} from './payment-terms.ts';
import { readTransfer } from './token-transfer.ts';

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
