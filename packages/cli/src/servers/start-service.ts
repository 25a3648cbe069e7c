/** A credential service in this process, with its settings gathered, on the node that they name. */
import { given } from '@symbolon/core/basics/plain-values';
import { createLedgerNodes } from '@symbolon/credential-service/ledger/ledger-nodes';
import { type ServedService, serveService } from '@symbolon/credential-service/operation/serve-service';
import type { ServiceConfig } from '@symbolon/credential-service/parts/service-config';
import { loadServiceConfig } from '@symbolon/credential-service/wiring/service-folder';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { consoleFolder } from '../machine/console-folder.ts';
import { logStreamOf } from './server-log.ts';

interface StartOptions {
  readonly port?: number | undefined;
  readonly nodeUrl?: string | undefined;
  /** Where its log goes, if not to standard error. */
  readonly logFile?: string | undefined;
  /** The database of the folder is gone, and is to be begun again. */
  readonly beginAgain?: boolean | undefined;
}

export interface StartedService {
  readonly served: ServedService;
  readonly config: ServiceConfig;
}

/** The service of a folder, on the node that its settings name. */
export async function startService(
  folder: string,
  { beginAgain, logFile, ...overrides }: StartOptions,
): Promise<StartedService> {
  const config = await loadServiceConfig(folder, { env: process.env, overrides });
  const stream = logStreamOf({ file: logFile, level: config.logLevel });
  const log = createLog({ level: config.logLevel, name: 'service', ...given({ stream }) });
  const nodes = createLedgerNodes([config.nodeUrl, ...config.standbyNodeUrls], {
    onMove: (node) => log.warn({ node }, 'another node of the ledger is asked from now on'),
  });
  const served = await serveService(folder, {
    config,
    beginAgain,
    log,
    metrics: createMetrics(),
    client: nodes.client,
    nodes,
    pass: nodes.pass,
    ...given({ consoleFolder: consoleFolder() }),
  });
  return { served, config };
}
