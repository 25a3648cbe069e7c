/** The records of a service's folder, for commands that look after them while the service may be running. */

import type { ServiceConfig } from '@symbolon/credential-service/parts/service-config';
import type { Records, RecordsUse } from '@symbolon/credential-service/wiring/open-records';
import { loadServiceConfig } from '@symbolon/credential-service/wiring/service-folder';
import { createLog } from '@symbolon/host/telemetry/log';

export interface RecordsWanted extends RecordsUse {
  /** Settings that count before those of the folder. */
  readonly overrides?: object;
}

/** Opens them, works, and closes them again. */
export async function withRecords<Answer>(
  folder: string,
  work: (records: Records, config: ServiceConfig) => Promise<Answer>,
  { overrides = {}, ...use }: RecordsWanted = {},
): Promise<Answer> {
  const config = await loadServiceConfig(folder, { env: process.env, overrides });
  const { openRecords } = await import('@symbolon/credential-service/wiring/open-records');
  const log = createLog({ level: 'warn', name: 'service' });
  const records = await openRecords(folder, { config, log, ...use });
  try {
    return await work(records, config);
  } finally {
    await records.close();
  }
}
