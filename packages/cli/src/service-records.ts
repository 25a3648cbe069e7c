/** The records of a service's folder, for commands that look after them while the service may be running. */
import type { Records } from '@symbolon/credential-service/open-records';
import type { ServiceConfig } from '@symbolon/credential-service/service-config';
import { loadServiceConfig } from '@symbolon/credential-service/service-folder';
import { createLog } from '@symbolon/host/log';

/** Opens them, works, and closes them again. */
export async function withRecords<Answer>(
  folder: string,
  work: (records: Records, config: ServiceConfig) => Promise<Answer>,
  overrides: object = {},
): Promise<Answer> {
  const config = await loadServiceConfig(folder, { env: process.env, overrides });
  const { openRecords } = await import('@symbolon/credential-service/open-records');
  const records = await openRecords(folder, { config, log: createLog({ level: 'warn', name: 'service' }) });
  try {
    return await work(records, config);
  } finally {
    await records.close();
  }
}
