/**
 * Everything of the service that needs no ledger: database with its tables, vault, the service's own keys, API keys,
 * audit log, proof threads. The parts that do need one come on top (`open-parts.ts`), whenever it answers.
 */
import { createHash } from 'node:crypto';
import type { ProofEngine } from '@symbolon/core/credential/proof-engine';
import { createKeyFormat, type KeyFormat } from '@symbolon/core/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/profile';
import { type Clock, systemClock } from '@symbolon/host/clock';
import type { Database } from '@symbolon/host/database/database';
import { openDatabase } from '@symbolon/host/database/open-database';
import type { IdempotencyStore } from '@symbolon/host/idempotency-keys';
import type { Log } from '@symbolon/host/log';
import type { SealKeys } from '@symbolon/host/sealed-layer';
import { type Signer, signerFromSeed } from '@symbolon/sdk/index';
import { type ApiKeys, createApiKeys } from './access/api-keys.ts';
import { type AuditLog, createAuditLog } from './audit/audit-log.ts';
import { ProofWorkers } from './proofs/proof-workers.ts';
import type { ServiceConfig } from './service-config.ts';
import { databaseUrl, readMasterKeys } from './service-folder.ts';
import { createIdempotencyStore } from './store/idempotency.ts';
import { serviceMigrations } from './store/migrations.ts';
import type { ServiceSchema } from './store/schema.ts';
import { openVault } from './vault/open-vault.ts';
import { createSealKeySource, registrarKey } from './vault/service-keys.ts';
import type { KeyVault } from './vault/vault.ts';

export interface Foundation {
  readonly config: ServiceConfig;
  readonly profile: NetworkProfile;
  readonly keys: KeyFormat;
  readonly clock: Clock;
  readonly database: Database<ServiceSchema>;
  readonly vault: KeyVault;
  /** Whether records may still be sealed under a master key of the past. */
  readonly hasPreviousKeys: boolean;
  /** Pays for what the service itself records. */
  readonly registrarSigner: Signer;
  readonly apiKeys: ApiKeys;
  readonly audit: AuditLog;
  readonly sealKeys: () => Promise<readonly SealKeys[]>;
  readonly idempotency: IdempotencyStore;
  readonly proofs: ProofEngine;
  readonly isWarmedUp: boolean;
  /** Jobs of proofs that wait or are under way, where they run here. */
  proofsWaiting(): number;
  close(): Promise<void>;
}

export interface FoundationOptions {
  readonly config: ServiceConfig;
  readonly log: Log;
  readonly clock?: Clock;
  /** An engine that its owner closes; without one the service starts threads of its own. */
  readonly proofs?: ProofEngine;
  /** Whether what is slow the first time is done before somebody asks for it. */
  readonly warmUp?: boolean;
}

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

export type Records = Pick<Foundation, 'database' | 'vault' | 'registrarSigner' | 'apiKeys' | 'audit'>;

/** What is on disk alone: enough for commands that look after keys, without any thread for proofs. */
export async function openRecords(
  folder: string,
  { config, log, clock = systemClock }: Pick<FoundationOptions, 'config' | 'log' | 'clock'>,
): Promise<Records> {
  const masterKeys = await readMasterKeys(folder, config);
  const database = await openDatabase<ServiceSchema>(databaseUrl(folder, config), {
    onIdleError: (err) => log.warn({ err }, 'a connection to the database broke'),
  });
  try {
    const migrations = await database.migrate(serviceMigrations);
    if (migrations.length > 0) log.info({ migrations, database: database.location }, 'tables are up to date');
    const now = clock.nowMs();
    const vault = await openVault(database.kysely, masterKeys, now);
    const { seed } = await registrarKey(database.kysely, vault, now);
    const registrarSigner = await signerFromSeed(seed);
    seed.fill(0);
    const apiKeys = createApiKeys(database.kysely, clock);
    return { database, vault, registrarSigner, apiKeys, audit: createAuditLog(database, clock) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export async function openFoundation(folder: string, options: FoundationOptions): Promise<Foundation> {
  const { config, clock = systemClock, warmUp = true } = options;
  const records = await openRecords(folder, options);
  const { database, vault } = records;
  const { kysely } = database;
  const own = options.proofs ? undefined : startProofs(config, warmUp);
  const profile = zetrixProfile;
  return {
    ...records,
    config,
    profile,
    keys: createKeyFormat(profile, sha256),
    clock,
    hasPreviousKeys: config.masterKey.previous.length > 0,
    sealKeys: createSealKeySource(kysely, vault, clock),
    idempotency: createIdempotencyStore(kysely, vault, clock),
    isWarmedUp: warmUp,
    proofs: options.proofs ?? (own as ProofEngine),
    proofsWaiting: () => own?.waiting ?? 0,
    async close() {
      await own?.close();
      await database.close();
    },
  };
}

const startProofs = ({ proofWorkers }: ServiceConfig, warmUp: boolean): ProofWorkers =>
  new ProofWorkers({ warmUp, ...(proofWorkers > 0 && { workers: proofWorkers }) });
