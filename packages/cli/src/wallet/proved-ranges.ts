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
    const day = rangesDay(database, nowMs);
    database.prepare('delete from proved_range where day < ?').run(day);
    for (const range of ranges) {
      const { attribute } = range;
      addRange(database, day, range);
      const asked = rangesOn(database, day, attribute);
      const isTooMuch = asked.length > walletLimits.rangesPerAttributeMax;
      if (isTooMuch || isTold(attribute, asked)) throw tooMuch(attribute, asked.length);
    }
  });
}

/** What the owner has agreed to counts for those who ask an agent afterwards, and is refused to nobody. */
export function rememberRanges(database: DatabaseSync, ranges: readonly RangeClaim[], nowMs: number): void {
  inTransaction(database, () => {
    const day = rangesDay(database, nowMs);
    for (const range of ranges) addRange(database, day, range);
  });
}

/** Everything that an attribute was held against on this day. */
export const rangesOfToday = (
  database: DatabaseSync,
  attribute: string,
  nowMs: number,
): readonly RangeClaim[] => rangesOn(database, rangesDay(database, nowMs), attribute);

/** It never goes back, as with payments. */
function rangesDay(database: DatabaseSync, nowMs: number): string {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const row = database.prepare('select max(day) as last from proved_range').get() as {
    last: string | null;
  };
  return row.last !== null && row.last > today ? row.last : today;
}

function addRange(database: DatabaseSync, day: string, { attribute, min, max }: RangeClaim): void {
  database
    .prepare('insert or ignore into proved_range (day, attribute, bounds) values (?, ?, ?)')
    .run(day, attribute, JSON.stringify([min ?? null, max ?? null]));
}

function rangesOn(database: DatabaseSync, day: string, attribute: string): readonly RangeClaim[] {
  const rows = database
    .prepare('select bounds from proved_range where day = ? and attribute = ?')
    .all(day, attribute) as unknown as { bounds: string }[];
  return rows.map(({ bounds }) => claimOf(attribute, bounds));
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
