/**
 * A payment judged and handed to the ledger, once: the intent is durable before the ledger is called, and an outcome
 * that is not known is asked for until the ledger tells, never guessed. Two callers with the same transaction cannot
 * both begin; whoever comes while it is under way, or after its process has died, brings the same one to its end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { type PaymentRefusal, refusePayment } from '@symbolon/core/faults/payment-refusals';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { paymentLimits } from '@symbolon/core/limits/payment-limits';
import {
  type ArrivedPayment,
  judgePayment,
  type PaidTerms,
  type PaymentTerms,
} from '@symbolon/core/payments/payment-rules';
import { refusalText } from '@symbolon/wire/http/family-words';
import { verifyEd25519 } from '../access/signatures.ts';
import type { Queries } from '../database/schema.ts';
import { sha256 } from '../issuance/credential-drafts.ts';
import type { LookedUpOutcome, SignedBlob, SubmitOutcome } from '../ledger/submissions.ts';
import type { Pursuit } from '../parts/pursuits.ts';
import { type PaymentLedger, wouldFail } from './payment-ledger.ts';
import type { PaymentParts } from './payment-parts.ts';
import {
  addSettlement,
  adoptSettlement,
  endSettlement,
  findSettlement,
  listLeftSettlements,
  type NewSettlement,
  type Settlement,
} from './settlement-rows.ts';
import { freeSponsorAccount } from './sponsor-rows.ts';

export const dayOf = (ms: number): number => Math.floor(ms / 86_400_000);

export type Judged = { readonly paid: PaidTerms } | { readonly refusal: PaymentRefusal };

/** By itself, against what is asked for, against what was settled, and against what the ledger says of the payer now. */
export async function verifyPayment(
  parts: PaymentParts,
  payment: ArrivedPayment,
  terms?: PaymentTerms,
): Promise<Judged> {
  const { keys, clock, money } = parts;
  const { chainId, gasPrice, baseReserve } = await money.ledger.terms();
  const judged = judgePayment(payment, terms, {
    keys,
    sha256,
    verify: verifyEd25519,
    chainId,
    gasPrice,
    nowSeconds: Math.floor(clock.nowMs() / 1_000),
    isSponsor: (address) => money.sponsor?.accounts.has(address) ?? false,
  });
  if ('refusal' in judged) return judged;
  const { paid } = judged;
  const refusal =
    (await judgeUse(parts, paid)) ??
    (await judgeFunds(parts, paid, baseReserve)) ??
    (await judgeTrial(parts, payment, paid));
  return refusal ? { refusal } : judged;
}

/** What is being settled, was settled, or was tried, is not settled again. */
async function judgeUse(
  { database }: PaymentParts,
  { hash }: PaidTerms,
): Promise<PaymentRefusal | undefined> {
  const known = await findSettlement(database.kysely, hash);
  return known && refusePayment('blobAlreadySettled', 'this transaction was handed in before');
}

/** What the ledger itself has to say to it. */
type LedgerTerms = Pick<
  PaidTerms,
  'payer' | 'feePayer' | 'asset' | 'amount' | 'feeLimit' | 'gasPrice' | 'nonce' | 'hash'
>;

async function judgeFunds(
  { money: { ledger }, profile }: PaymentParts,
  paid: LedgerTerms,
  baseReserve: bigint,
): Promise<PaymentRefusal | undefined> {
  const { payer, feePayer, asset, amount, feeLimit, nonce, hash } = paid;
  const sender = await ledger.account(feePayer);
  if (!sender) return refusePayment('insufficientFunds', 'the account is not on the ledger');
  if (nonce <= sender.nonce) return numberUsed(ledger, hash);
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
  return own.paysAlone ? undefined : needsMore;
}

/** Of accounts with several signers. */
export const needsMore = refusePayment(
  'invalidSignature',
  "the signature of the payer's key alone is not enough for its account",
);

/**
 * Tries it out on the ledger, where nothing else is against it: who has not signed, or has not the money, has nothing
 * tried out.
 */
async function judgeTrial(
  { money: { ledger } }: PaymentParts,
  { blob }: Pick<ArrivedPayment, 'blob'>,
  { payer, feePayer, feeLimit, gasPrice, hash }: LedgerTerms,
): Promise<PaymentRefusal | undefined> {
  const trial = await ledger.tryOut(blob, payer === feePayer ? 1 : 2);
  if ('code' in trial)
    return trial.code === codes.badNonce ? numberUsed(ledger, hash) : wouldFail(trial.code);
  const least = trial.feeLimit - paymentLimits.trialRoomGas * gasPrice;
  return feeLimit < least
    ? refusePayment('feeOutOfBounds', `fee_limit must be at least ${least}`)
    : undefined;
}

/** By this transaction or by another: final only where the ledger has said that it was not this one. */
async function numberUsed(ledger: PaymentLedger, hash: string): Promise<PaymentRefusal> {
  const { kind } = await ledger.outcomeOf(hash);
  if (kind === 'executed' || kind === 'failed')
    return refusePayment('blobAlreadySettled', 'the ledger has executed this transaction');
  return {
    ...refusePayment('nonceNotNext', 'the account has sent another transaction since: make a new one'),
    ...(kind === 'missing' && { isFinal: true }),
  };
}

/**
 * Whether the ledger as it is known would refuse it: the node that has refused it may be another's, or behind. Who gives
 * no answer confirms nothing.
 */
async function isRefusalConfirmed(parts: PaymentParts, stored: StoredTerms): Promise<boolean> {
  const { hash, payer, asset, amount, signed } = stored;
  const blob = parseHex((JSON.parse(signed) as SignedBlob).blob);
  const transaction = blob && decodeTransaction(blob);
  assert(blob && transaction, 'what is settled is a transaction');
  const { sourceAddress: feePayer, nonce, feeLimit, gasPrice } = transaction;
  const paid = { hash, payer, feePayer, asset, amount: BigInt(amount), feeLimit, gasPrice, nonce };
  try {
    const { baseReserve } = await parts.money.ledger.terms();
    const refusal = (await judgeFunds(parts, paid, baseReserve)) ?? (await judgeTrial(parts, { blob }, paid));
    return refusal !== undefined && refusal.word !== 'blobAlreadySettled';
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

export interface SettlementOrder {
  readonly payment: ArrivedPayment;
  readonly paid: PaidTerms;
  readonly paymentId?: string;
  /** Where the service pays the fee: its signature, and the blob it prepared. */
  readonly sponsored?: {
    readonly blobId: string;
    readonly coSignature: NonNullable<SignedBlob['coSignature']>;
  };
}

/** The row that stands for it from now on. */
export function newSettlement(
  { payment, paid, paymentId, sponsored }: SettlementOrder,
  { worker, now }: { readonly worker: string; readonly now: number },
): NewSettlement {
  const [{ signature }] = payment.signatures;
  const signed: SignedBlob = {
    blob: encodeHex(payment.blob),
    publicKey: paid.publicKey,
    signature: encodeHex(signature),
    ...(sponsored && { coSignature: sponsored.coSignature }),
  };
  return {
    hash: paid.hash,
    signed: JSON.stringify(signed),
    validBefore: payment.validBefore,
    payer: paid.payer,
    payTo: paid.payTo,
    asset: paid.asset,
    amount: paid.amount.toString(),
    paymentId: paymentId ?? null,
    blobId: sponsored?.blobId ?? null,
    sponsoredFee: sponsored ? Number(paid.feeLimit) : null,
    day: dayOf(now),
    worker,
    now,
  };
}

/** What a settlement has come to; without an end it is under way, and asking again may tell. */
export type SettlementResult =
  | { readonly kind: 'executed' }
  | { readonly kind: 'failed'; readonly refusal: PaymentRefusal }
  | { readonly kind: 'unknown' };

/** Done in the same durable step as the end of a settlement. */
export type Alongside = (queries: Queries, result: SettlementEnding) => Promise<void>;

/** Begins a settlement that belongs to nothing else; false when there is one already. */
export async function beginSettlement(parts: PaymentParts, order: SettlementOrder): Promise<boolean> {
  const { database, clock, worker, crashPoint } = parts;
  const row = newSettlement(order, { worker, now: clock.nowMs() });
  const isNew = await addSettlement(database.kysely, row);
  if (isNew) crashPoint('settlementStored');
  return isNew;
}

type StoredTerms = Pick<Settlement, 'hash' | 'signed' | 'validBefore' | 'payer' | 'asset' | 'amount'>;

/** What is stored of a settlement, and what is done along with its end. */
export interface StoredSettlement {
  readonly settlement: StoredTerms;
  readonly alongside?: Alongside;
}

export type SettlementEnding = Exclude<SettlementResult, { kind: 'unknown' }>;

/** Asks the ledger for it and hands it in until there is an end, however long that takes. */
export const settleToItsEnd =
  (parts: PaymentParts, stored: StoredSettlement) =>
  async ({ signal }: Pick<Pursuit, 'signal'>): Promise<SettlementEnding> => {
    let isMissed = false;
    let refusals = 0;
    for (;;) {
      const result = await settleOnce(parts, stored, { signal, isMissed, refusals });
      if (result.kind === 'executed' || result.kind === 'failed') return result;
      isMissed = result.kind === 'missed';
      refusals = result.kind === 'refused' ? refusals + 1 : 0;
      const { missedPauseMs, settlePauseMs } = paymentLimits;
      await sleep(result.kind === 'unknown' ? settlePauseMs : missedPauseMs, undefined, { signal });
    }
  };

interface Attempt {
  readonly signal: AbortSignal;
  /** Its time was over a moment ago already, and the ledger did not know it. */
  readonly isMissed: boolean;
  /** How often in turn it was refused without anything in the known ledger that speaks against it. */
  readonly refusals: number;
}

/**
 * Asks first, and hands the same bytes in only in time. What is too late has failed when the ledger has said twice that
 * it does not know it: a ledger that was away may be reading just now what was handed in before.
 */
async function settleOnce(
  parts: PaymentParts,
  { settlement, alongside }: StoredSettlement,
  { signal, isMissed, refusals }: Attempt,
): Promise<SettlementResult | { readonly kind: 'missed' | 'refused' }> {
  const { money, clock, crashPoint } = parts;
  const { hash, signed, validBefore } = settlement;
  const known = await money.ledger.outcomeOf(hash);
  if (known.kind !== 'missing') return record(parts, { hash, outcome: known }, alongside);
  if (validBefore <= Math.floor(clock.nowMs() / 1_000)) {
    if (!isMissed) return { kind: 'missed' };
    const refusal = refusePayment('blobExpired', 'it never reached the ledger, and its time is over');
    return end(parts, { hash, result: { kind: 'failed', refusal } }, alongside);
  }
  const outcome = await money.ledger.submit(JSON.parse(signed) as SignedBlob, signal);
  crashPoint('settlementExecuted');
  const isAtTheDoor = outcome.kind === 'failed' && !outcome.isRecorded;
  if (isAtTheDoor && refusals < paymentLimits.refusalsMax && !(await isRefusalConfirmed(parts, settlement)))
    return { kind: 'refused' };
  return record(parts, { hash, outcome }, alongside);
}

const pursuitOf = (hash: string): string => `settlement ${hash}`;

/** Brings one of the facilitator's to its end, with whoever is at it; unknown when that takes longer than a caller waits. */
export async function joinSettlement(
  parts: PaymentParts,
  settlement: StoredSettlement['settlement'],
): Promise<SettlementResult> {
  try {
    return await parts.pursuits.join(pursuitOf(settlement.hash), settleToItsEnd(parts, { settlement }));
  } catch (error) {
    // It may be on the ledger, so no failure of ours may say that it is not.
    if (error instanceof Fault) return { kind: 'unknown' };
    throw error;
  }
}

export const refusedByLedger = (code: number): PaymentRefusal =>
  refusePayment('settlementFailed', `the ledger refused it with code ${code}`);

interface Ended {
  readonly hash: string;
  readonly outcome: SubmitOutcome | LookedUpOutcome;
}

function record(
  parts: PaymentParts,
  { hash, outcome }: Ended,
  alongside?: Alongside,
): Promise<SettlementResult> {
  switch (outcome.kind) {
    case 'executed':
      return end(parts, { hash, result: { kind: 'executed' } }, alongside);
    case 'failed': {
      const refusal = refusedByLedger(outcome.code);
      return end(parts, { hash, result: { kind: 'failed', refusal } }, alongside);
    }
    case 'stale': {
      const refusal = refusePayment('nonceNotNext', 'the account has sent another transaction first');
      return end(parts, { hash, result: { kind: 'failed', refusal } }, alongside);
    }
    default:
      return Promise.resolve({ kind: 'unknown' });
  }
}

interface End {
  readonly hash: string;
  readonly result: SettlementEnding;
}

async function end(
  { database, clock, crashPoint }: PaymentParts,
  { hash, result }: End,
  alongside?: Alongside,
): Promise<SettlementResult> {
  const failure = result.kind === 'failed' ? { failure: refusalText(result.refusal) } : {};
  await database.transaction(async (queries) => {
    // Somebody else may have been faster; then what goes along with it is done, too.
    const ended = await endSettlement(queries, { hash, state: result.kind, ...failure, now: clock.nowMs() });
    if (!ended) return;
    if (ended.blobId !== null) await freeSponsorAccount(queries, ended.blobId);
    await alongside?.(queries, result);
  });
  crashPoint('settlementRecorded');
  return result;
}

/** Settlements of the facilitator whose process is gone, and those of this one that nobody is at. */
export async function recoverSettlements(parts: PaymentParts): Promise<void> {
  const { database, worker, pursuits } = parts;
  const found = await listLeftSettlements(database.kysely, worker);
  const left = found.filter(({ hash }) => !pursuits.isUnderWay(pursuitOf(hash)));
  await Promise.all(
    left.map(async (settlement) => {
      await adoptSettlement(database.kysely, settlement.hash, worker);
      await pursuits.resume(pursuitOf(settlement.hash), settleToItsEnd(parts, { settlement }));
    }),
  );
}
