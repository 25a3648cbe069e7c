/**
 * What has become of a settlement, for whoever asks: from what is stored, from whoever is at it, and from the ledger
 * itself, whose record of a transaction decides whoever handed it in.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/basics/assert';
import { parseHex } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { refusePayment } from '@symbolon/core/faults/payment-refusals';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { paymentLimits } from '@symbolon/core/limits/payment-limits';
import { refusalText } from '@symbolon/wire/http/family-words';
import type { Call } from '@symbolon/wire/http/service-route';
import type { ToldEnd } from '@symbolon/wire/payments/facilitator-replies';
import type { LookedUpOutcome, SignedBlob } from '../ledger/submissions.ts';
import type { PaymentParts } from './payment-parts.ts';
import { joinSettlement, refusedByLedger, type SettlementResult } from './settlement.ts';
import { endTelling, findTelling, type Settlement, takeTelling } from './settlement-rows.ts';

export const toldEnd = (result: SettlementResult): ToldEnd =>
  result.kind === 'failed' ? { kind: 'failed', failure: refusalText(result.refusal) } : result;

/** Waits for the end of one that is under way, as long as a caller waits. */
export async function endOfSettlement(parts: PaymentParts, settlement: Settlement): Promise<ToldEnd> {
  const { hash, state, paymentId, failure } = settlement;
  if (state === 'executed') return endOfExecuted(parts, settlement);
  // What is settled for a credential is brought further by its own status.
  if (state === 'pending')
    return paymentId === null ? toldEnd(await joinSettlement(parts, settlement)) : { kind: 'unknown' };
  // Nobody here hands it in again; somebody else may have.
  const { kind } = await parts.money.ledger.outcomeOf(hash);
  return kind === 'executed' ? { kind } : { kind: 'failed', failure: failure ?? '' };
}

/**
 * Resource servers deliver for every answer that it is executed, so one caller gets that: whoever comes first, and is
 * still there when it has been sent. A repetition waits a moment for one who is being told, since that answer may be lost.
 */
export async function takeAnswer(
  parts: PaymentParts,
  hash: string,
  { signal, whenAnswered }: Pick<Call, 'signal' | 'whenAnswered'>,
): Promise<boolean> {
  const { database, worker, clock, crashPoint } = parts;
  const teller = { hash, worker };
  const { tellingWaitMs, tellingPollMs } = paymentLimits;
  for (let waitedMs = 0; ; waitedMs += tellingPollMs) {
    if (signal?.aborted) return false;
    if (await takeTelling(database.kysely, teller)) break;
    const isOpen = (await findTelling(database.kysely, hash)) !== 'told';
    if (!isOpen || waitedMs >= tellingWaitMs) return false;
    await sleep(tellingPollMs);
  }
  crashPoint('settlementAnswered');
  const told = () => endTelling(database.kysely, teller, clock.nowMs());
  if (whenAnswered) whenAnswered(told, () => endTelling(database.kysely, teller));
  else await told();
  return true;
}

/** A ledger that gives no answer takes nothing back; one that has lost it does, for good when it never can have it again. */
async function endOfExecuted(
  { money: { ledger } }: Pick<PaymentParts, 'money'>,
  { hash, signed }: Settlement,
): Promise<ToldEnd> {
  const outcome = await ledger.outcomeOf(hash);
  if (outcome.kind === 'executed' || outcome.kind === 'unknown') return { kind: 'executed' };
  if (outcome.kind !== 'missing') return toldOutcome(outcome);
  const bytes = parseHex((JSON.parse(signed) as SignedBlob).blob);
  const transaction = bytes && decodeTransaction(bytes);
  assert(transaction, 'what was executed is a transaction');
  const account = await ledger.account(transaction.sourceAddress);
  if (!account || transaction.nonce > account.nonce) return { kind: 'unknown' };
  const why = 'the ledger has lost it, and the account has sent another transaction with its number';
  return { kind: 'failed', failure: refusalText(refusePayment('nonceNotNext', why)) };
}

const hashForm = new RegExp(`^[0-9a-f]{${paymentLimits.hashChars}}$`);

/** Of a transaction that was not settled here; undefined where the ledger does not know it. */
export async function endOnLedger(
  { money: { ledger } }: Pick<PaymentParts, 'money'>,
  hash: string,
): Promise<ToldEnd | undefined> {
  if (!hashForm.test(hash)) return undefined;
  const outcome = await ledger.outcomeOf(hash);
  if (outcome.kind === 'unknown') throw new Fault('ledgerUnreachable');
  return outcome.kind === 'missing' ? undefined : toldOutcome(outcome);
}

function toldOutcome(outcome: LookedUpOutcome): ToldEnd {
  if (outcome.kind === 'executed') return { kind: 'executed' };
  return outcome.kind === 'failed'
    ? { kind: 'failed', failure: refusalText(refusedByLedger(outcome.code)) }
    : { kind: 'unknown' };
}
