/**
 * How often a wallet has said where a value lies. A range tells little; many ranges of the same value tell it, because
 * whoever may ask on halves what is left each time. So different bounds of an attribute are counted, the refused ones
 * too, and after a few of them, or once they leave few values together, it is enough for the day.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { AttributeValue, RangeClaim } from '@symbolon/core/documents/model';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { inTransaction } from './wallet-database.ts';

export interface RangeCount {
  readonly nowMs: number;
  /** Whether all these bounds of an attribute together tell a value that must not be told. */
  readonly isTold?: (attribute: string, ranges: readonly RangeClaim[]) => boolean;
}

/** To be called before a value is compared with bounds that somebody else has chosen. */
export function countRanges(
  database: DatabaseSync,
  ranges: readonly RangeClaim[],
  { nowMs, isTold = () => false }: RangeCount,
): void {
  inTransaction(database, () => {
    const today = new Date(nowMs).toISOString().slice(0, 10);
    const row = database.prepare('select max(day) as last from proved_range').get() as {
      last: string | null;
    };
    // It never goes back, as with payments.
    const day = row.last !== null && row.last > today ? row.last : today;
    database.prepare('delete from proved_range where day < ?').run(day);
    for (const { attribute, min, max } of ranges) {
      const bounds = JSON.stringify([min ?? null, max ?? null]);
      database
        .prepare('insert or ignore into proved_range (day, attribute, bounds) values (?, ?, ?)')
        .run(day, attribute, bounds);
      const counted = database
        .prepare('select bounds from proved_range where day = ? and attribute = ?')
        .all(day, attribute) as unknown as { bounds: string }[];
      const isTooMuch = counted.length > walletLimits.rangesPerAttributeMax;
      const asked = counted.map((one) => claimOf(attribute, one.bounds));
      if (isTooMuch || isTold(attribute, asked)) throw tooMuch(attribute, counted.length);
    }
  });
}

function claimOf(attribute: string, bounds: string): RangeClaim {
  const [min, max] = JSON.parse(bounds) as readonly (AttributeValue | null)[];
  return { attribute, ...(min !== null && { min }), ...(max !== null && { max }) };
}

const tooMuch = (attribute: string, count: number): CommandFailure =>
  new CommandFailure(
    [
      'The wallet did not answer.',
      `It was asked about ${attribute} with ${count - 1} different bounds today; these, too, would tell the value.`,
      'Wait until tomorrow (UTC), or the owner answers this request.',
    ].join('\n'),
  );
