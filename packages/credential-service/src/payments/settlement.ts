/**
 * A payment judged and handed to the ledger, once: the intent is durable before the ledger is called, and an outcome
 * that is not known is asked for later, never guessed. Two callers with the same transaction cannot both begin.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeHex } from '@symbolon/core/bytes';
import { paymentLimits } from '@symbolon/core/payments/payment-limits';
import { type PaymentRefusal, refusePayment } from '@symbolon/core/payments/payment-refusals';
import {
  type ArrivedPayment,
  judgePayment,
  type PaidTerms,
  type PaymentTerms,
} from '@symbolon/core/payments/payment-rules';
import { refusalText } from '@symbolon/wire/family-words';
import { sha256 } from '../handlers/credential-drafts.ts';
import { verifyEd25519 } from '../handlers/signatures.ts';
import type { LookedUpOutcome, SignedBlob, SubmitOutcome } from '../ledger/submissions.ts';
import type { ServiceParts } from '../service-parts.ts';
import type { Queries } from '../store/schema.ts';
import {
  addSettlement,
  endSettlement,
  listStaleSettlements,
  type NewSettlement,
  type Settlement,
} from '../store/settlements.ts';

export const dayOf = (ms: number): number => Math.floor(ms / 86_400_000);

export type Judged = { readonly paid: PaidTerms } | { readonly refusal: PaymentRefusal };

/** By itself, against what is asked for, and against what the ledger says of the payer now. */
export async function verifyPayment(
  parts: ServiceParts,
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
    ...(money.sponsor && { sponsor: money.sponsor.signer.address }),
  });
  if ('refusal' in judged) return judged;
  const refusal = await judgeFunds(parts, judged.paid, baseReserve);
  return refusal ? { refusal } : judged;
}

async function judgeFunds(
  { money: { ledger }, profile }: ServiceParts,
  paid: PaidTerms,
  baseReserve: bigint,
): Promise<PaymentRefusal | undefined> {
  const { payer, feePayer, asset, amount, feeLimit, nonce, hash } = paid;
  const sender = await ledger.account(feePayer);
  if (!sender) return refusePayment('insufficientFunds', 'the account is not on the ledger');
  if (nonce <= sender.nonce) {
    const { kind } = await ledger.outcomeOf(hash);
    return kind === 'executed' || kind === 'failed'
      ? refusePayment('blobAlreadySettled', 'the ledger has executed this transaction')
      : refusePayment('nonceNotNext', 'the account has sent another transaction since: make a new one');
  }
  if (nonce !== sender.nonce + 1n)
    return refusePayment('nonceNotNext', `the nonce must be ${sender.nonce + 1n}`);
  const isNative = asset === profile.nativeAsset.code;
  const own = payer === feePayer ? sender : await ledger.account(payer);
  const spent = (isNative ? amount : 0n) + (payer === feePayer ? feeLimit : 0n);
  if (!own || own.balance - baseReserve < spent)
    return refusePayment('insufficientFunds', 'the payer has too little of the native asset');
  if (!isNative && (await ledger.tokenBalance(asset, payer)) < amount)
    return refusePayment('insufficientFunds', 'the payer has too little of the token');
  return undefined;
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
  now: number,
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
    now,
  };
}

/** What a settlement has come to; without an end it is under way, and asking again may tell. */
export type SettlementResult =
  | { readonly kind: 'executed' }
  | { readonly kind: 'failed'; readonly refusal: PaymentRefusal }
  | { readonly kind: 'unknown' };

/** Done in the same durable step as the end of a settlement. */
export type Alongside = (
  queries: Queries,
  result: Exclude<SettlementResult, { kind: 'unknown' }>,
) => Promise<void>;

/** Begins a settlement that belongs to nothing else; false when there is one already. */
export async function beginSettlement(parts: ServiceParts, order: SettlementOrder): Promise<boolean> {
  const isNew = await addSettlement(parts.database.kysely, newSettlement(order, parts.clock.nowMs()));
  if (isNew) parts.crashPoint('settlementStored');
  return isNew;
}

/** Hands in what is stored and records what became of it. */
export async function settleStored(
  parts: ServiceParts,
  { hash, signed }: Pick<Settlement, 'hash' | 'signed'>,
  alongside?: Alongside,
): Promise<SettlementResult> {
  const outcome = await submitPatiently(parts, JSON.parse(signed) as SignedBlob);
  parts.crashPoint('settlementExecuted');
  return record(parts, { hash, outcome }, alongside);
}

/** A ledger that is busy, or has another transaction of the account in its queue, knows more a moment later. */
async function submitPatiently({ money }: ServiceParts, signed: SignedBlob): Promise<SubmitOutcome> {
  const deadline = performance.now() + paymentLimits.settleWaitMs;
  for (;;) {
    const outcome = await money.ledger.submit(signed);
    if (outcome.kind !== 'unknown' || performance.now() > deadline) return outcome;
    await sleep(paymentLimits.settlePauseMs);
  }
}

/** Finds out about a settlement that broke off: asks first, and hands the same bytes in again only in time. */
export async function resumeSettlement(
  parts: ServiceParts,
  { hash, signed, validBefore }: Settlement,
  alongside?: Alongside,
): Promise<SettlementResult> {
  const { money, clock } = parts;
  const outcome = await money.ledger.outcomeOf(hash);
  if (outcome.kind !== 'missing') return record(parts, { hash, outcome }, alongside);
  if (validBefore > Math.floor(clock.nowMs() / 1_000))
    return settleStored(parts, { hash, signed }, alongside);
  const refusal = refusePayment('blobExpired', 'it never reached the ledger, and its time is over');
  return end(parts, { hash, result: { kind: 'failed', refusal } }, alongside);
}

interface Ended {
  readonly hash: string;
  readonly outcome: SubmitOutcome | LookedUpOutcome;
}

function record(
  parts: ServiceParts,
  { hash, outcome }: Ended,
  alongside?: Alongside,
): Promise<SettlementResult> {
  switch (outcome.kind) {
    case 'executed':
      return end(parts, { hash, result: { kind: 'executed' } }, alongside);
    case 'failed': {
      const detail = `the ledger refused it with code ${outcome.code}`;
      const refusal = refusePayment('settlementFailed', detail);
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
  readonly result: Exclude<SettlementResult, { kind: 'unknown' }>;
}

async function end(
  { database, clock, crashPoint }: ServiceParts,
  { hash, result }: End,
  alongside?: Alongside,
): Promise<SettlementResult> {
  const failure = result.kind === 'failed' ? { failure: refusalText(result.refusal) } : {};
  await database.transaction(async (queries) => {
    // Somebody else may have been faster; then what goes along with it is done, too.
    const isFirst = await endSettlement(queries, {
      hash,
      state: result.kind,
      ...failure,
      now: clock.nowMs(),
    });
    if (isFirst) await alongside?.(queries, result);
  });
  crashPoint('settlementRecorded');
  return result;
}

/** Settlements of the facilitator that broke off. */
export async function recoverSettlements(parts: ServiceParts, leaseMs?: number): Promise<void> {
  const { database, clock } = parts;
  for (const settlement of await listStaleSettlements(database.kysely, clock.nowMs(), leaseMs))
    await resumeSettlement(parts, settlement);
}
