/**
 * Requests with an idempotency key: the first one runs, a repeat gets the same answer, another request under the same
 * key is told so. The record of a request whose process died is taken over at once (`workers.ts`); each run has a claim
 * of its own, so a late finisher cannot overwrite its successor. Answers may hold personal data and are sealed.
 */
import { randomBytes } from 'node:crypto';
import { equalTexts } from '@symbolon/core/basics/bytes';
import type { IdempotencyStore, KeptAnswer } from '@symbolon/host/service/idempotency-keys';
import type { Clock } from '@symbolon/host/work/clock';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Queries, RowOf } from '../database/schema.ts';
import { isLeft } from '../database/workers.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { places } from '../vault/places.ts';
import type { KeyVault } from '../vault/vault.ts';

interface Claim {
  readonly id: string;
  readonly claim: string;
}

const attemptsMax = 5;

export interface IdempotencyParts {
  readonly queries: Queries;
  readonly vault: KeyVault;
  readonly clock: Clock;
  /** The process that runs the requests. */
  readonly worker: string;
}

export function createIdempotencyStore(parts: IdempotencyParts): IdempotencyStore {
  const { queries, vault, clock, worker } = parts;
  return {
    async begin({ key, caller, fingerprint }) {
      const id = sha256Hex(JSON.stringify([caller, key]));
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        const claim = await start(queries, { id, fingerprint, worker, now: clock.nowMs() });
        if (claim)
          return {
            outcome: 'go',
            finish: (answer) => finish(queries, vault, { ...claim, answer }),
            release: () => release(queries, claim),
          };
        const row = await queries
          .selectFrom('idempotency')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst();
        // Released or swept between the two statements: start again.
        if (!row) continue;
        if (!equalTexts(row.fingerprint, fingerprint)) return { outcome: 'mismatch' };
        if (row.state === 'running' || !row.response) return { outcome: 'inProgress' };
        const answer = await vault.openDocument<KeptAnswer>(row.response, places.keptAnswer(id));
        return { outcome: 'replay', answer };
      }
      return { outcome: 'inProgress' };
    },
  };
}

/** Without effect when another run has taken over meanwhile. */
async function finish(
  queries: Queries,
  vault: KeyVault,
  { id, claim, answer }: Claim & { readonly answer: KeptAnswer },
): Promise<void> {
  const response = await vault.sealDocument(answer, places.keptAnswer(id));
  await queries
    .updateTable('idempotency')
    .set({ state: 'done', response })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'running')
    .execute();
}

async function release(queries: Queries, { id, claim }: Claim): Promise<void> {
  await queries
    .deleteFrom('idempotency')
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'running')
    .execute();
}

/** One statement: a new record, or one that has lapsed or whose run is lost. */
async function start(
  queries: Queries,
  { now, ...run }: Pick<RowOf<'idempotency'>, 'id' | 'fingerprint' | 'worker'> & { readonly now: number },
): Promise<Claim | undefined> {
  const fresh: RowOf<'idempotency'> = {
    ...run,
    state: 'running',
    claim: randomBytes(16).toString('hex'),
    response: null,
    createdAt: now,
    expiresAt: now + recordLimits.idempotencyLifetimeMs,
  };
  return queries
    .insertInto('idempotency')
    .values(fresh)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(fresh)
        .where((eb) =>
          eb.or([
            eb('idempotency.expiresAt', '<=', now),
            eb.and([
              eb('idempotency.state', '=', 'running'),
              isLeft('idempotency'),
              eb('idempotency.fingerprint', '=', run.fingerprint),
            ]),
          ]),
        ),
    )
    .returning(['id', 'claim'])
    .executeTakeFirst();
}

export async function sweepIdempotency(queries: Queries, now: number): Promise<number> {
  const gone = await queries
    .deleteFrom('idempotency')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('idempotency')
        .select('id')
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(recordLimits.batchRowsMax),
    )
    .where('expiresAt', '<=', now)
    .returning('id')
    .execute();
  return gone.length;
}
