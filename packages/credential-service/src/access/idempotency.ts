/**
 * Requests with an idempotency key: the first one runs, a repeat gets the same answer, another request under the same
 * key is told so. The record of a request whose process died is taken over at once (`workers.ts`); where the process
 * lives and the database was away when it should have been told of the end, it is told as soon as it is back, for the key would be
 * held as long as the process lives. Answers may hold personal data and are encrypted.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { equalTexts } from '@symbolon/core/basics/bytes';
import { isDatabaseFailing } from '@symbolon/host/database/common/database-error';
import type { IdempotencyStore, KeptAnswer } from '@symbolon/host/service/idempotency-keys';
import type { Clock } from '@symbolon/host/work/clock';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Queries } from '../database/schema.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import type { KeyVault } from '../vault/vault.ts';
import { beginRun, findRun, finishRun, releaseRun } from './idempotency-rows.ts';

const attemptsMax = 5;

interface IdempotencyParts {
  readonly queries: Queries;
  readonly vault: KeyVault;
  readonly clock: Clock;
  /** The process that runs the requests. */
  readonly worker: string;
  /** Ends what is tried again. */
  readonly signal: AbortSignal;
}

export function createIdempotencyStore(parts: IdempotencyParts): IdempotencyStore {
  const { queries, vault, clock, worker, signal } = parts;

  const again = async (work: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      await sleep(recordLimits.idempotencyRetryMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const failure = await work().catch((error: unknown) => ({ error }));
      if (!failure || !isDatabaseFailing(failure.error)) return;
    }
  };
  /** Fails as the work does, which is then tried again behind its back. */
  const persistently = async <Answer>(
    work: () => Promise<Answer>,
    after: () => Promise<void>,
  ): Promise<Answer> =>
    work().catch((error: unknown) => {
      if (isDatabaseFailing(error)) void again(after);
      throw error;
    });

  return {
    async begin({ key, caller, fingerprint }) {
      const id = sha256Hex(JSON.stringify([caller, key]));
      const context = contexts.keptAnswer(id);
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        const own = { id, claim: randomBytes(16).toString('hex') };
        const release = () => releaseRun(queries, own);
        const run = { ...own, fingerprint, worker, now: clock.nowMs() };
        // It may have been written although nobody was told so.
        const isOurs = await persistently(() => beginRun(queries, run), release);
        if (isOurs)
          return {
            outcome: 'go',
            async finish(answer) {
              const kept = await vault.encryptDocument(answer, context);
              const finish = () => finishRun(queries, own, kept);
              await persistently(finish, finish);
            },
            release: () => persistently(release, release),
          };
        const row = await findRun(queries, id);
        // Released or swept between the two statements: start again.
        if (!row) continue;
        if (!equalTexts(row.fingerprint, fingerprint)) return { outcome: 'mismatch' };
        if (row.state === 'running' || !row.response) return { outcome: 'inProgress' };
        return { outcome: 'replay', answer: await vault.decryptDocument<KeptAnswer>(row.response, context) };
      }
      return { outcome: 'inProgress' };
    },
  };
}
