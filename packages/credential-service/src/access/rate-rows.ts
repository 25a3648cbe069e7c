/**
 * Rows of the buckets that all processes on a database give tokens from. A bucket is one number, when it will be full
 * again, so that rows of all kinds are added to in one statement. The database's own clock decides.
 */
import { createHmac } from 'node:crypto';
import type { Database, DialectName } from '@symbolon/host/database/common/database';
import type { SharedBuckets } from '@symbolon/host/http/rate-sharing';
import { type RawBuilder, sql } from 'kysely';
import type { Queries, ServiceSchema } from '../database/schema.ts';
import { deleteBatch } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { createMarkKey, type MarkKeyParts } from '../vault/mark-key.ts';

const nows: Readonly<Record<DialectName, RawBuilder<number>>> = {
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000000 as integer)`,
  postgres: sql<number>`cast(extract(epoch from statement_timestamp()) * 1000000 as bigint)`,
};

const microsOfMs = 1_000;
const markBytes = 16;

export interface RateParts extends MarkKeyParts {
  readonly database: Pick<Database<ServiceSchema>, 'kysely' | 'dialect' | 'transaction'>;
}

export function createRateRows(parts: RateParts): SharedBuckets {
  const { kysely, dialect } = parts.database;
  const now = nows[dialect];
  const markKey = createMarkKey(parts, 'rates.markKey');
  return {
    async add(given) {
      if (given.length === 0) return new Map();
      const key = await markKey();
      const marked = given.map(({ bucket, ms }) => ({
        bucket,
        mark: createHmac('sha256', key).update(bucket).digest().subarray(0, markBytes).toString('base64url'),
        micros: Math.round(ms * microsOfMs),
      }));
      // All processes take rows in the same order, so that no two of them wait for each other.
      const rows = marked.toSorted((left, right) => (left.mark < right.mark ? -1 : 1));
      const added = await kysely
        .insertInto('rates')
        .values(rows.map(({ mark, micros }) => ({ bucket: mark, fullAt: sql<number>`${now} + ${micros}` })))
        .onConflict((conflict) =>
          conflict.column('bucket').doUpdateSet({
            fullAt: sql<number>`case when "rates"."fullAt" > ${now} then "rates"."fullAt" else ${now} end
              + "excluded"."fullAt" - ${now}`,
          }),
        )
        .returning(['bucket', sql<number>`"rates"."fullAt" - ${now}`.as('micros')])
        .execute();
      const found = new Map(added.map(({ bucket, micros }) => [bucket, micros / microsOfMs]));
      return new Map(marked.map(({ bucket, mark }) => [bucket, found.get(mark) ?? 0]));
    },
  };
}

/** Those that have been full for a while: a clock that is wrong by less takes nothing from anybody. */
export const sweepRates = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'rates', {
    key: 'bucket',
    first: 'fullAt',
    where: (eb) => eb('fullAt', '<=', (now - recordLimits.ratesKeptMs) * microsOfMs),
  });
