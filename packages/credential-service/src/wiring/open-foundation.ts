/**
 * Everything of the service that needs no ledger: what it keeps (`open-records.ts`), keys of the sealed layer, answers
 * of idempotent requests, proof workers. The parts that do need one come on top (`open-parts.ts`), whenever it answers.
 */
import { createKeyFormat, type KeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { createRateSharing, type RateSharing } from '@symbolon/host/http/rate-sharing';
import type { IdempotencyStore } from '@symbolon/host/service/idempotency-keys';
import type { SealKeys } from '@symbolon/host/service/sealed-layer';
import type { Log } from '@symbolon/host/telemetry/log';
import { type Clock, systemClock } from '@symbolon/host/work/clock';
import { sha256 } from '@symbolon/host/work/sha256';
import { type BrowserSessions, createBrowserSessions } from '../access/browser-sessions.ts';
import { createIdempotencyStore } from '../access/idempotency.ts';
import { createRateRows, type RateParts } from '../access/rate-rows.ts';
import { createRequestLog, type RequestLog } from '../access/request-log.ts';
import type { CustodyKeys } from '../custody/custody-keys.ts';
import { startWorker } from '../database/workers.ts';
import type { ServiceConfig } from '../parts/service-config.ts';
import { chooseEngine, type EngineName } from '../proofs/proof-engines.ts';
import { type ProofPool, ProofWorkers } from '../proofs/proof-workers.ts';
import { createSealKeySource } from '../vault/service-keys.ts';
import { openCustodyKeys } from './open-custody.ts';
import { openRecords, type Records, type RecordsOptions } from './open-records.ts';

export interface Foundation extends Records {
  readonly config: ServiceConfig;
  readonly profile: NetworkProfile;
  readonly keys: KeyFormat;
  readonly clock: Clock;
  readonly sealKeys: () => Promise<readonly SealKeys[]>;
  readonly idempotency: IdempotencyStore;
  readonly requestLog: RequestLog;
  readonly browserSessions: BrowserSessions;
  /** Rates that all processes on the database count together; nothing where there can be one process alone. */
  readonly rateSharing: RateSharing | undefined;
  /** Under which id this process holds what it works on. */
  readonly worker: string;
  /** Whether the database took the last sign of life of this process: a small write every second. */
  isWritable(): boolean;
  readonly custodyKeys: CustodyKeys;
  readonly proofs: ProofPool;
  readonly isWarmedUp: boolean;
  close(): Promise<void>;
}

export interface FoundationOptions extends RecordsOptions {
  /** An engine that its owner closes; without one the service starts workers of its own. */
  readonly proofs?: ProofPool;
  /** Whether what is slow the first time is done before somebody asks for it. */
  readonly warmUp?: boolean;
}

export async function openFoundation(folder: string, options: FoundationOptions): Promise<Foundation> {
  const { config, clock = systemClock, warmUp = true } = options;
  const engine = options.proofs ? undefined : chooseEngine(config.proofEngine, options.log);
  const records = await openRecords(folder, { ...options, isOwner: true });
  const { database, vault } = records;
  const { kysely } = database;
  const profile = zetrixProfile;
  const keys = createKeyFormat(profile, sha256);
  const custodyKeys = await openCustodyKeys(config.custody, vault, keys).catch(async (error: unknown) => {
    await records.close();
    throw error;
  });
  const worker = await startWorker(database, options.log);
  const own = engine && startProofs(engine, config, warmUp);
  const ending = new AbortController();
  database.signals?.open();
  const rateSharing = openRateSharing({ database, vault, clock }, options.log);
  return {
    ...records,
    config,
    profile,
    keys,
    clock,
    sealKeys: createSealKeySource(kysely, vault, clock),
    idempotency: createIdempotencyStore({
      queries: kysely,
      vault,
      clock,
      worker: worker.id,
      signal: ending.signal,
    }),
    requestLog: createRequestLog(kysely, clock),
    browserSessions: createBrowserSessions({ database, clock, apiKeys: records.apiKeys }),
    rateSharing,
    worker: worker.id,
    isWritable: worker.isTold,
    custodyKeys,
    isWarmedUp: warmUp,
    proofs: options.proofs ?? (own as ProofPool),
    async close() {
      ending.abort();
      await own?.close();
      await rateSharing?.close();
      await worker.close();
      await custodyKeys.close();
      await records.close();
    },
  };
}

const startProofs = (engine: EngineName, { proofWorkers }: ServiceConfig, warmUp: boolean): ProofWorkers =>
  new ProofWorkers({ engine, warmUp, ...(proofWorkers > 0 && { workers: proofWorkers }) });

const openRateSharing = (parts: RateParts, log: Log): RateSharing | undefined =>
  parts.database.dialect === 'sqlite'
    ? undefined
    : createRateSharing({
        buckets: createRateRows(parts),
        onFailure: (err) => log.warn({ err }, 'rates are not counted together with other processes for now'),
      });
