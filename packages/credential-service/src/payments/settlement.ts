/**
 * A payment handed to the ledger, once: the intent is durable before the ledger is called, and an outcome that is not
 * known is asked for until the ledger tells, never guessed. Two callers with the same transaction cannot both begin;
 * whoever comes while it is under way, or after its process has died, brings the same one to its end. What has become
 * of a settlement is told from what is stored and from the ledger itself, whose record of a transaction decides.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { dayOf } from '@symbolon/core/basics/calendar';
import { Fault } from '@symbolon/core/faults/faults';
import { type PaymentRefusalWord, refusePayment } from '@symbolon/core/faults/payment-refusals';
import type { ArrivedPayment, PaidTerms } from '@symbolon/core/payments/payment-terms';
import { refusalText } from '@symbolon/wire/http/family-words';
import type { Call } from '@symbolon/wire/http/service-route';
import type { SettlementOutcome } from '@symbolon/wire/payments/facilitator-replies';
import type { Queries } from '../database/schema.ts';
import type { HandInOutcome, LookedUpOutcome, SignedBlob } from '../ledger/hand-in.ts';
import { orFault } from '../ledger/ledger-faults.ts';
import type { Pursuit } from '../ledger/pursuits.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import type { PaymentParts } from './payment-parts.ts';
import {
  addSettlement,
  adoptSettlement,
  claimDelivery,
  endDelivery,
  endSettlement,
  findDeliveryClaim,
  listLeftSettlements,
  type NewSettlement,
  type Settlement,
} from './settlement-rows.ts';
import { freeSponsorAccount } from './sponsor-rows.ts';
import { isRefusalConfirmed, transactionOf } from './verify-payment.ts';

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
  { clock, worker }: Pick<PaymentParts, 'clock' | 'worker'>,
  { payment, paid, paymentId, sponsored }: SettlementOrder,
): NewSettlement {
  const now = clock.nowMs();
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

/** Begins a settlement that belongs to nothing else; undefined when there is one already. */
export async function beginSettlement(
  parts: PaymentParts,
  order: SettlementOrder,
): Promise<NewSettlement | undefined> {
  const row = newSettlement(parts, order);
  if (!(await addSettlement(parts.database.kysely, row))) return undefined;
  parts.crashPoint('settlementStored');
  return row;
}

/** What is stored of a settlement and needed to bring it to its end. */
type StoredTerms = Pick<Settlement, 'hash' | 'signed' | 'validBefore' | 'payer' | 'asset' | 'amount'>;

/** An outcome that does not change any more. */
export type FinalOutcome = Exclude<SettlementOutcome, { kind: 'unknown' }>;

const failed = (word: PaymentRefusalWord, detail: string): FinalOutcome => ({
  kind: 'failed',
  failure: refusalText(refusePayment(word, detail)),
});

/** Asks the ledger for it and hands it in until there is an outcome, however long that takes. Records nothing. */
export async function settleOnLedger(
  parts: PaymentParts,
  settlement: StoredTerms,
  signal: AbortSignal,
): Promise<FinalOutcome> {
  /** Its time was over a moment ago already, and the ledger did not know it. */
  let isMissed = false;
  /** How often in turn it was refused without anything in the known ledger that speaks against it. */
  let refusals = 0;
  for (;;) {
    const result = await settleOnce(parts, settlement, { signal, isMissed, refusals });
    if (result.kind === 'executed' || result.kind === 'failed') return result;
    isMissed = result.kind === 'missed';
    refusals = result.kind === 'refused' ? refusals + 1 : 0;
    const { missedPauseMs, settlePauseMs } = paymentWorkLimits;
    await sleep(result.kind === 'unknown' ? settlePauseMs : missedPauseMs, undefined, { signal });
  }
}

/**
 * Asks first, and hands the same bytes in only in time. What is too late has failed when the ledger has said twice that
 * it does not know it: a ledger that was away may be reading just now what was handed in before.
 */
async function settleOnce(
  parts: PaymentParts,
  settlement: StoredTerms,
  {
    signal,
    isMissed,
    refusals,
  }: { readonly signal: AbortSignal; readonly isMissed: boolean; readonly refusals: number },
): Promise<SettlementOutcome | { readonly kind: 'missed' | 'refused' }> {
  const { paymentLedger, clock, crashPoint } = parts;
  const { hash, signed, validBefore } = settlement;
  const known = await paymentLedger.outcomeOf(hash);
  if (known.kind !== 'missing') return settlementOutcome(known);
  if (validBefore <= Math.floor(clock.nowMs() / 1_000))
    return isMissed
      ? failed('blobExpired', 'it never reached the ledger, and its time is over')
      : { kind: 'missed' };
  const outcome = await paymentLedger.submit(JSON.parse(signed) as SignedBlob, signal);
  crashPoint('settlementExecuted');
  const isRefused = outcome.kind === 'failed' && !outcome.isRecorded;
  if (isRefused && refusals < paymentWorkLimits.refusalsMax && !(await isRefusalConfirmed(parts, settlement)))
    return { kind: 'refused' };
  return settlementOutcome(outcome);
}

function settlementOutcome(outcome: HandInOutcome | LookedUpOutcome): SettlementOutcome {
  switch (outcome.kind) {
    case 'executed':
      return { kind: 'executed' };
    case 'failed':
      return failed('settlementFailed', `the ledger refused it with code ${outcome.code}`);
    case 'stale':
      return failed('nonceNotNext', 'the account has sent another transaction first');
    default:
      return { kind: 'unknown' };
  }
}

/** Part of the caller's transaction. False when somebody else was faster: then what belongs to it is done, too. */
export async function recordOutcome(
  queries: Queries,
  { hash, outcome, now }: { readonly hash: string; readonly outcome: FinalOutcome; readonly now: number },
): Promise<boolean> {
  const { kind: state, ...failure } = outcome;
  const ended = await endSettlement(queries, { hash, state, ...failure, now });
  if (!ended) return false;
  if (ended.blobId !== null) await freeSponsorAccount(queries, ended.blobId);
  return true;
}

const pursuitOf = (hash: string): string => `settlement ${hash}`;

/** One of the facilitator's, settled and recorded. */
const settleAlone =
  (parts: PaymentParts, settlement: StoredTerms) =>
  async ({ signal }: Pick<Pursuit, 'signal'>): Promise<FinalOutcome> => {
    const { database, clock, crashPoint } = parts;
    const { hash } = settlement;
    const outcome = await settleOnLedger(parts, settlement, signal);
    await database.transaction((queries) => recordOutcome(queries, { hash, outcome, now: clock.nowMs() }));
    crashPoint('settlementRecorded');
    return outcome;
  };

/**
 * Brings one of the facilitator's to its end, with whoever is at it; unknown when that takes longer than a caller
 * waits.
 */
export async function joinSettlement(
  parts: PaymentParts,
  settlement: StoredTerms,
): Promise<SettlementOutcome> {
  const { hash } = settlement;
  const outcome = await orFault(() => parts.pursuits.join(pursuitOf(hash), settleAlone(parts, settlement)));
  // It may be on the ledger, so no failure of ours may say that it is not.
  return outcome instanceof Fault ? { kind: 'unknown' } : outcome;
}

/** Settlements of the facilitator whose process is gone, and those of this one that nobody is at. */
export async function recoverSettlements(parts: PaymentParts): Promise<void> {
  const { database, worker, pursuits } = parts;
  const found = await listLeftSettlements(database.kysely, worker);
  const left = found.filter(({ hash }) => !pursuits.isUnderWay(pursuitOf(hash)));
  await Promise.all(
    left.map(async (settlement) => {
      await adoptSettlement(database.kysely, settlement.hash, worker);
      await pursuits.resume(pursuitOf(settlement.hash), settleAlone(parts, settlement));
    }),
  );
}

// What has become of it, for whoever asks

/** Waits for the end of one that is under way, as long as a caller waits. */
export async function outcomeOfSettlement(
  parts: PaymentParts,
  settlement: Settlement,
): Promise<SettlementOutcome> {
  const { hash, state, paymentId, failure } = settlement;
  if (state === 'executed') return outcomeOfExecuted(parts, settlement);
  // What is settled for a credential is brought further by its own status.
  if (state === 'pending')
    return paymentId === null ? joinSettlement(parts, settlement) : { kind: 'unknown' };
  // Nobody here hands it in again; somebody else may have.
  const { kind } = await parts.paymentLedger.outcomeOf(hash);
  return kind === 'executed' ? { kind } : { kind: 'failed', failure: failure ?? '' };
}

/**
 * A ledger that gives no answer takes nothing back; one that has lost it does, for good when it never can have it
 * again.
 */
async function outcomeOfExecuted(
  { paymentLedger }: Pick<PaymentParts, 'paymentLedger'>,
  settlement: Settlement,
): Promise<SettlementOutcome> {
  const outcome = await paymentLedger.outcomeOf(settlement.hash);
  if (outcome.kind === 'unknown') return { kind: 'executed' };
  if (outcome.kind !== 'missing') return settlementOutcome(outcome);
  const { sourceAddress, nonce } = transactionOf(settlement).transaction;
  const account = await paymentLedger.account(sourceAddress);
  if (!account || nonce > account.nonce) return { kind: 'unknown' };
  const detail = 'the ledger has lost it, and the account has sent another transaction with its number';
  return failed('nonceNotNext', detail);
}

const hashForm = /^[0-9a-f]{64}$/;

/** Of a transaction that was not settled here; undefined where the ledger does not know it. */
export async function outcomeOnLedger(
  { paymentLedger }: Pick<PaymentParts, 'paymentLedger'>,
  hash: string,
): Promise<SettlementOutcome | undefined> {
  if (!hashForm.test(hash)) return undefined;
  const outcome = await paymentLedger.outcomeOf(hash);
  if (outcome.kind === 'unknown') throw new Fault('ledgerUnreachable');
  return outcome.kind === 'missing' ? undefined : settlementOutcome(outcome);
}

/**
 * Resource servers deliver for every answer that it is executed, so one caller gets that: whoever comes first, and is
 * still there when it has been sent. A repetition waits a moment for one who is being told, since that answer may be lost.
 */
export async function takeAnswer(
  { database, worker, clock, crashPoint }: Pick<PaymentParts, 'database' | 'worker' | 'clock' | 'crashPoint'>,
  hash: string,
  { signal, whenAnswered }: Pick<Call, 'signal' | 'whenAnswered'>,
): Promise<boolean> {
  const teller = { hash, worker };
  const { tellingWaitMs, tellingPollMs } = paymentWorkLimits;
  for (let waitedMs = 0; ; waitedMs += tellingPollMs) {
    if (signal?.aborted) return false;
    if (await claimDelivery(database.kysely, teller)) break;
    const isOpen = (await findDeliveryClaim(database.kysely, hash)) !== 'told';
    if (!isOpen || waitedMs >= tellingWaitMs) return false;
    await sleep(tellingPollMs);
  }
  crashPoint('settlementAnswered');
  const told = () => endDelivery(database.kysely, teller, clock.nowMs());
  if (whenAnswered) whenAnswered(told, () => endDelivery(database.kysely, teller));
  else await told();
  return true;
}
