/**
 * What has become of a settlement, for whoever asks: from what is stored, from whoever is at it, and from the ledger
 * itself, whose record of a transaction decides whoever handed it in.
 */
import { Fault } from '@symbolon/core/faults';
import { paymentLimits } from '@symbolon/core/payments/payment-limits';
import type { ToldEnd } from '@symbolon/wire/facilitator-replies';
import { refusalText } from '@symbolon/wire/family-words';
import type { ServiceParts } from '../service-parts.ts';
import type { Settlement } from '../store/settlements.ts';
import { joinSettlement, refusedByLedger, type SettlementResult } from './settlement.ts';

export const toldEnd = (result: SettlementResult): ToldEnd =>
  result.kind === 'failed' ? { kind: 'failed', failure: refusalText(result.refusal) } : result;

/** Waits for the end of one that is under way, as long as a caller waits. */
export async function endOfSettlement(parts: ServiceParts, settlement: Settlement): Promise<ToldEnd> {
  const { hash, state, paymentId, failure } = settlement;
  if (state === 'executed') return { kind: 'executed' };
  // What is settled for a credential is brought further by its own status.
  if (state === 'pending')
    return paymentId === null ? toldEnd(await joinSettlement(parts, settlement)) : { kind: 'unknown' };
  // Nobody here hands it in again; somebody else may have.
  const { kind } = await parts.money.ledger.outcomeOf(hash);
  return kind === 'executed' ? { kind } : { kind: 'failed', failure: failure ?? '' };
}

const hashForm = new RegExp(`^[0-9a-f]{${paymentLimits.hashChars}}$`);

/** Of a transaction that was not settled here; undefined where the ledger does not know it. */
export async function endOnLedger(
  { money: { ledger } }: Pick<ServiceParts, 'money'>,
  hash: string,
): Promise<ToldEnd | undefined> {
  if (!hashForm.test(hash)) return undefined;
  const outcome = await ledger.outcomeOf(hash);
  switch (outcome.kind) {
    case 'executed':
      return { kind: 'executed' };
    case 'failed':
      return { kind: 'failed', failure: refusalText(refusedByLedger(outcome.code)) };
    case 'waiting':
      return { kind: 'unknown' };
    case 'missing':
      return undefined;
    default:
      throw new Fault('ledgerUnreachable');
  }
}
