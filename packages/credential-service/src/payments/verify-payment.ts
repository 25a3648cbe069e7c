/**
 * Whether a signed payment would do what it is for: by itself, against what is asked for, against what was settled
 * before, and against what the ledger says of the payer now. Nothing is stored and nothing is handed in.
 */
import { assert } from '@symbolon/core/basics/assert';
import { parseHex } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { type PaymentRefusal, refusePayment } from '@symbolon/core/faults/payment-refusals';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { judgePayment, type PaymentJudgement } from '@symbolon/core/payments/payment-rules';
import type { ArrivedPayment, PaidTerms, PaymentTerms } from '@symbolon/core/payments/payment-terms';
import { sha256 } from '@symbolon/host/work/sha256';
import { verifyEd25519 } from '../access/signatures.ts';
import type { SignedBlob } from '../ledger/hand-in.ts';
import { orFault } from '../ledger/ledger-faults.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import { type PaymentLedger, wouldFail } from './payment-ledger.ts';
import type { PaymentParts } from './payment-parts.ts';
import { findSettlement, type Settlement } from './settlement-rows.ts';

export async function verifyPayment(
  parts: PaymentParts,
  payment: ArrivedPayment,
  terms?: PaymentTerms,
): Promise<PaymentJudgement> {
  const { keys, clock, database, paymentLedger, sponsor } = parts;
  const { chainId, gasPrice, baseReserve } = await paymentLedger.terms();
  const judged = judgePayment(payment, terms, {
    keys,
    sha256,
    verify: verifyEd25519,
    chainId,
    gasPrice,
    nowSeconds: Math.floor(clock.nowMs() / 1_000),
    isSponsor: (address) => sponsor?.accounts.has(address) ?? false,
  });
  if ('refusal' in judged) return judged;
  if (await findSettlement(database.kysely, judged.paid.hash))
    return { refusal: refusePayment('blobAlreadySettled', 'this transaction was handed in before') };
  const refusal = await judgeOnLedger(parts, { ...judged.paid, blob: payment.blob, baseReserve });
  return refusal ? { refusal } : judged;
}

type LedgerParts = Pick<PaymentParts, 'paymentLedger' | 'profile'>;

interface LedgerTerms extends Omit<PaidTerms, 'payTo' | 'network' | 'publicKey'> {
  readonly blob: Uint8Array;
  /** What an account must keep. */
  readonly baseReserve: bigint;
}

/** It is tried out last: who has not signed, or has not the money, has nothing tried out. */
const judgeOnLedger = async (parts: LedgerParts, paid: LedgerTerms): Promise<PaymentRefusal | undefined> =>
  (await judgeFunds(parts, paid)) ?? (await judgeTrial(parts.paymentLedger, paid));

async function judgeFunds(
  { paymentLedger: ledger, profile }: LedgerParts,
  { payer, feePayer, asset, amount, feeLimit, nonce, hash, baseReserve }: LedgerTerms,
): Promise<PaymentRefusal | undefined> {
  const sender = await ledger.account(feePayer);
  if (!sender) return refusePayment('insufficientFunds', 'the account is not on the ledger');
  if (nonce <= sender.nonce) return nonceUsed(ledger, hash);
  if (nonce !== sender.nonce + 1n)
    return refusePayment('nonceNotNext', `the nonce must be ${sender.nonce + 1n}`);
  const isNative = asset === profile.nativeAsset.code;
  if (payer !== feePayer && sender.balance - baseReserve < feeLimit)
    return refusePayment('sponsorUnfunded', 'the account that pays the fee has too little');
  const own = payer === feePayer ? sender : await ledger.account(payer);
  const spent = (isNative ? amount : 0n) + (payer === feePayer ? feeLimit : 0n);
  if (!own || own.balance - baseReserve < spent)
    return refusePayment('insufficientFunds', 'the payer has too little of the native asset');
  if (!isNative && (await ledger.tokenBalance(asset, payer)) < amount)
    return refusePayment('insufficientFunds', 'the payer has too little of the token');
  return own.paysAlone ? undefined : needsMoreSigners;
}

export const needsMoreSigners = refusePayment(
  'invalidSignature',
  "the signature of the payer's key alone is not enough for its account",
);

async function judgeTrial(
  ledger: PaymentLedger,
  { blob, payer, feePayer, feeLimit, gasPrice, hash }: LedgerTerms,
): Promise<PaymentRefusal | undefined> {
  const trial = await ledger.tryOut(blob, payer === feePayer ? 1 : 2);
  if ('code' in trial) return trial.code === codes.badNonce ? nonceUsed(ledger, hash) : wouldFail(trial.code);
  const least = trial.feeLimit - paymentWorkLimits.trialRoomGas * gasPrice;
  return feeLimit < least
    ? refusePayment('feeOutOfBounds', `fee_limit must be at least ${least}`)
    : undefined;
}

/** By this transaction or by another: final only where the ledger has said that it was not this one. */
async function nonceUsed(ledger: PaymentLedger, hash: string): Promise<PaymentRefusal> {
  const { kind } = await ledger.outcomeOf(hash);
  if (kind === 'executed' || kind === 'failed')
    return refusePayment('blobAlreadySettled', 'the ledger has executed this transaction');
  return {
    ...refusePayment('nonceNotNext', 'the account has sent another transaction since: make a new one'),
    ...(kind === 'missing' && { isFinal: true }),
  };
}

/** The transaction of a settlement, which was decoded before it was stored. */
export function transactionOf({ signed }: Pick<Settlement, 'signed'>) {
  const blob = parseHex((JSON.parse(signed) as SignedBlob).blob);
  const transaction = blob && decodeTransaction(blob);
  assert(blob && transaction, 'what is settled is a transaction');
  return { blob, transaction };
}

/**
 * Whether the ledger as it is known would refuse it: the node that has refused it may be another's, or behind. Who gives
 * no answer confirms nothing.
 */
export async function isRefusalConfirmed(
  parts: LedgerParts,
  stored: Pick<Settlement, 'hash' | 'signed' | 'payer' | 'asset' | 'amount'>,
): Promise<boolean> {
  const { hash, payer, asset, amount } = stored;
  const { blob, transaction } = transactionOf(stored);
  const { sourceAddress: feePayer, nonce, feeLimit, gasPrice } = transaction;
  const paid = { blob, hash, payer, feePayer, asset, amount: BigInt(amount), feeLimit, gasPrice, nonce };
  const refusal = await orFault(async () => {
    const { baseReserve } = await parts.paymentLedger.terms();
    return judgeOnLedger(parts, { ...paid, baseReserve });
  });
  return refusal !== undefined && !(refusal instanceof Fault) && refusal.word !== 'blobAlreadySettled';
}
