/**
 * How often a wallet has said where a value lies. A range tells little; many ranges of the same value tell it, because
 * whoever may ask on halves what is left each time. So different bounds of an attribute are counted, the refused ones
 * too, and after a few of them it is enough for the day.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { RangeClaim } from '@symbolon/core/credential/model';
import { walletLimits } from '@symbolon/core/limits';
import { CommandFailure } from '../failure.ts';
import { inTransaction } from './wallet-database.ts';

/** To be called before a value is compared with bounds that somebody else has chosen. */
export function countRanges(database: DatabaseSync, ranges: readonly RangeClaim[], nowMs: number): void {
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
        .prepare('select count(*) as count from proved_range where day = ? and attribute = ?')
        .get(day, attribute) as { count: number };
      if (counted.count > walletLimits.rangesPerAttributeMax) throw tooMany(attribute);
    }
  });
}

const tooMany = (attribute: string): CommandFailure =>
  new CommandFailure(
    [
      'The wallet did not answer.',
      `It was asked about ${attribute} with ${walletLimits.rangesPerAttributeMax} different bounds today; more of them would tell the value.`,
      'Wait until tomorrow (UTC), or the owner answers this request.',
    ].join('\n'),
  );
