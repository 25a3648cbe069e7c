/**
 * The credential service under test, in a process of its own: a new folder, default settings but for its port, its log
 * and rates that would be measured instead of the service, and those that it is given; the people of the demo, and an
 * API key for everybody who calls.
 */
import { join } from 'node:path';
import { createNodeClient } from '@symbolon/credential-service/ledger/node-client';
import { serveService } from '@symbolon/credential-service/operation/serve-service';
import { serviceConfigSchema } from '@symbolon/credential-service/parts/service-config';
import type { DemoDocument } from '@symbolon/demo/file';
import { grantFunds } from '@symbolon/demo/funds';
import { demoGenesisSeed } from '@symbolon/demo/keys';
import { demoLimits } from '@symbolon/demo/limits';
import { prepareDemo } from '@symbolon/demo/prepare-demo';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { answerCalls } from '../child.ts';
import { type FillOrder, fillRecords } from '../lists/fill-records.ts';
import { type ProcessUsage, watchUsage } from './process-usage.ts';

export interface ServiceReady {
  /** As it calls itself. */
  readonly url: string;
  /** Where it listens. */
  readonly port: number;
  readonly demo: DemoDocument;
}

/** Somebody who calls, by DID. */
export interface KeyOrder {
  readonly dids: readonly string[];
}

/** Nobody's rate is reached. */
const perMinute = 1_000_000;
const rates = {
  lightPerMinute: perMinute,
  heavyPerMinute: perMinute,
  proofUnitsPerMinute: perMinute,
  proofUnitsPerMinuteWithKey: perMinute,
};

const [, , folder, nodeUrl, further = '{}'] = process.argv;
const usageOf = watchUsage();
const settings = { port: 0, nodeUrl, rates, logLevel: 'error', ...JSON.parse(further) };
const config = serviceConfigSchema.parse(settings);
const client = createNodeClient(nodeUrl);
const funder = await signerFromSeed(demoGenesisSeed());
const prepared = Promise.withResolvers<DemoDocument>();

const served = await serveService(folder, {
  config,
  log: createLog({ level: config.logLevel, name: 'service' }),
  metrics: createMetrics(),
  client,
  fundRegistrar: (address) => grantFunds(client, funder, [{ address, amount: demoLimits.registrarFunds }]),
  prepare: async (preparation) => {
    const file = join(folder, 'demo.json');
    prepared.resolve(await prepareDemo({ ...preparation, file, funder, ledgerUrl: nodeUrl }));
  },
});

answerCalls(
  {
    ready: async (): Promise<ServiceReady> => ({
      demo: await prepared.promise,
      url: config.publicUrl ?? served.url,
      port: Number(new URL(served.url).port),
    }),
    apiKeys: ({ dids }: KeyOrder): Promise<string[]> =>
      Promise.all(
        dids.map(async (did) => {
          const order = { label: 'bench', scopes: ['present', 'verify'] as const, did };
          return (await served.apiKeys.create(order)).token;
        }),
      ),
    fill: (order: FillOrder): Promise<void> => fillRecords(served.parts, order),
    usage: (): Promise<ProcessUsage> => usageOf(),
  },
  () => served.close(),
);
