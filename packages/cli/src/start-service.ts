/** A credential service in this process, with its settings gathered: on a node somewhere, or as the demo beside one. */
import { join } from 'node:path';
import { demoLimits } from '@symbolon/core/limits';
import { grantFunds } from '@symbolon/credential-service/demo/demo-funds';
import { prepareDemo } from '@symbolon/credential-service/demo/prepare-demo';
import { type ServedService, serveService } from '@symbolon/credential-service/serve-service';
import {
  initServiceFolder,
  isServiceFolder,
  loadServiceConfig,
} from '@symbolon/credential-service/service-folder';
import { createLog } from '@symbolon/host/log';
import { createMetrics } from '@symbolon/host/metrics';
import { createLedgerClient } from '@symbolon/sdk/ledger-client';
import { signerFromSeed } from '@symbolon/sdk/signer';
import { httpTransport } from '@symbolon/sdk/transport';
import { demoGenesisSeed } from './demo-keys.ts';
import type { StartedNode } from './start-node.ts';

export interface ServiceOverrides {
  readonly port?: number | undefined;
  readonly nodeUrl?: string | undefined;
  readonly logLevel?: string | undefined;
}

/** The service of a folder, on the node that its settings name. */
export async function startService(folder: string, overrides: ServiceOverrides): Promise<ServedService> {
  const config = await loadServiceConfig(folder, { env: process.env, overrides });
  return serveService(folder, {
    config,
    log: createLog({ level: config.logLevel, name: 'service' }),
    metrics: createMetrics(),
    client: createLedgerClient(httpTransport(config.nodeUrl)),
  });
}

export interface DemoService {
  readonly served: ServedService;
  /** Where `demo.json` is. */
  readonly demoFile: string;
}

/** The demo holds keys for whoever wants to try that, in its vault, and its registrar pays for their accounts. */
const demoSettings = { custody: { enabled: true, activation: { enabled: true } } };

/** The demo's service beside a node of this process, whose genesis account pays for everything. */
export async function startDemoService(
  data: string,
  node: StartedNode,
  overrides: ServiceOverrides,
): Promise<DemoService> {
  const folder = join(data, 'service');
  if (!(await isServiceFolder(folder))) await initServiceFolder(folder, demoSettings);
  const config = await loadServiceConfig(folder, { env: process.env, overrides });
  const demoFile = join(data, 'demo.json');
  const { client, httpUrl: ledgerUrl, socketUrl: webSocket } = node;
  const funder = await signerFromSeed(demoGenesisSeed());
  const served = await serveService(folder, {
    config,
    log: createLog({ level: config.logLevel, name: 'service' }),
    metrics: createMetrics(),
    client,
    directory: { ledger: ledgerUrl, webSocket, ledgerOpenapi: `${ledgerUrl}/openapi.json` },
    fundRegistrar: (address) => grantFunds(client, funder, [{ address, amount: demoLimits.registrarFunds }]),
    prepare: async (preparation) =>
      void (await prepareDemo({ ...preparation, file: demoFile, funder, ledgerUrl })),
  });
  return { served, demoFile };
}
