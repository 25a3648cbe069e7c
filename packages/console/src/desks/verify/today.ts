/** A day in UTC as 2026-11-17, which is how ages and dates are counted on the ledger. */
export const todayText = (now: number): string => new Date(now).toISOString().slice(0, 10);
