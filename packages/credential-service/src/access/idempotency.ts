/**
 * Requests with an idempotency key: the first one runs, a repeat gets the same answer, another request under the same
 * key is told so. The record of a request whose process died is taken over at once (`workers.ts`). Answers may hold
 * personal data and are encrypted.
 */
import { equalTexts } from '@symbolon/core/basics/bytes';
import type { IdempotencyStore, KeptAnswer } from '@symbolon/host/service/idempotency-keys';
import type { Clock } from '@symbolon/host/work/clock';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Queries } from '../database/schema.ts';
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
}

export function createIdempotencyStore(parts: IdempotencyParts): IdempotencyStore {
  const { queries, vault, clock, worker } = parts;
  return {
    async begin({ key, caller, fingerprint }) {
      const id = sha256Hex(JSON.stringify([caller, key]));
      const context = contexts.keptAnswer(id);
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        const claim = await beginRun(queries, { id, fingerprint, worker, now: clock.nowMs() });
        if (claim)
          return {
            outcome: 'go',
            finish: async (answer) => finishRun(queries, claim, await vault.encryptDocument(answer, context)),
            release: () => releaseRun(queries, claim),
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
