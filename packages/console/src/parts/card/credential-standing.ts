/** How a credential stands at a time: by the word of the ledger, and by the time for which it was issued. Pure. */

/** As documents and the ledger have it; null where nobody has said it yet. */
export interface ValidTime {
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}

export type Term = 'valid' | 'expired' | 'notYet';

/** Whether a time is one for which it was issued. */
export function termAt({ validFrom, validUntil }: ValidTime, now: number): Term {
  if (validUntil !== null && Date.parse(validUntil) <= now) return 'expired';
  return validFrom !== null && Date.parse(validFrom) > now ? 'notYet' : 'valid';
}

/** How far this device's clock may be behind that of the service: what was issued just now is valid now. */
export const clockGapMs = 5 * 60_000;

type Told = 'Active' | 'Suspended' | 'Revoked' | 'Expired' | 'Unknown' | 'Missing';

/** As the service has it in its lists: what is revoked stays so, and what has ended is no longer suspended. */
export function standingAt<Status extends Told>(
  { status, ...validity }: ValidTime & { readonly status: Status },
  now: number,
): Status | 'Expired' | 'NotYet' {
  if (status === 'Revoked' || status === 'Missing') return status;
  if (termAt(validity, now) === 'expired') return 'Expired';
  return status === 'Active' && termAt(validity, now + clockGapMs) === 'notYet' ? 'NotYet' : status;
}
