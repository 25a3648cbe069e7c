/**
 * The demo's service: a credential service beside a node of the same process, with settings, people and data of the
 * demo.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { given } from '@symbolon/core/basics/plain-values';
import { type ServedService, serveService } from '@symbolon/credential-service/operation/serve-service';
import {
  initServiceFolder,
  isServiceFolder,
  loadServiceConfig,
} from '@symbolon/credential-service/wiring/service-folder';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { createDemoDesk } from './desk.ts';
import { type DemoDocument, readDemoFile } from './file.ts';
import { grantFunds } from './funds.ts';
import { demoGenesisSeed } from './keys.ts';
import { demoLimits } from './limits.ts';
import { prepareDemo } from './prepare-demo.ts';

/** The node of this process that the demo records to. */
export interface DemoNode {
  /** By function call. */
  readonly client: LedgerClient;
  readonly httpUrl: string;
  readonly socketUrl: string;
}

export interface DemoOptions {
  readonly port: number;
  readonly logLevel: string;
  /** The folder as commands are to name it; left out for the usual one. */
  readonly named?: string | undefined;
  /** A folder with the built web console. */
  readonly consoleFolder?: string | undefined;
  /** Where its log goes, if not to standard error. */
  readonly logStream?: { readonly write: (line: string) => void };
  /** The service has what it needs, and the demo's data come next; told once. */
  readonly onOpened: (database: 'SQLite' | 'PostgreSQL') => void;
}

export interface DemoService {
  readonly served: ServedService;
  /** What stands in `demo.json`, as soon as it does. */
  readonly demo: () => DemoDocument | undefined;
}

/**
 * What makes a service a demo, whatever its folder says. Receivers of callbacks are on this machine, like everybody:
 * nothing of its network is theirs to reach. Its people's keys are public, so that it may be sent one.
 */
const demoRules = {
  callbacks: { allowLoopback: true, allowPrivate: false },
  foreignDocuments: { allowLoopback: true },
  acceptPrivateKeys: true,
};

/**
 * The demo holds keys for whoever wants to try that, in its vault, its registrar pays for their accounts, and it pays
 * fees.
 */
const demoSettings = {
  custody: { enabled: true, activation: { enabled: true } },
  facilitator: { sponsor: { enabled: true } },
  ...demoRules,
};

/** The sample contract that the demo's token is made from. */
const tokenContract = new URL('../assets/token.js', import.meta.url);

/** The demo's service beside a node of this process, whose genesis account pays for everything. */
export async function startDemoService(
  data: string,
  node: DemoNode,
  { onOpened, logStream: stream, consoleFolder, named, ...overrides }: DemoOptions,
): Promise<DemoService> {
  const folder = join(data, 'service');
  if (!(await isServiceFolder(folder))) await initServiceFolder(folder, demoSettings);
  const loaded = await loadServiceConfig(folder, { env: process.env, overrides });
  const config = { ...loaded, ...demoRules };
  const demoFile = join(data, 'demo.json');
  const { client, httpUrl: ledgerUrl, socketUrl: webSocket } = node;
  const [funder, tokenSource] = await Promise.all([
    signerFromSeed(demoGenesisSeed()),
    readFile(tokenContract, 'utf8'),
  ]);
  let demo: DemoDocument | undefined;
  let isTold = false;
  // Preparing may be tried again; what it is prepared on is told the first time.
  const tellOnce = (): void => {
    if (!isTold) onOpened(config.database.startsWith('sqlite:') ? 'SQLite' : 'PostgreSQL');
    isTold = true;
  };
  const served = await serveService(folder, {
    config,
    log: createLog({ level: config.logLevel, name: 'service', ...given({ stream }) }),
    metrics: createMetrics(),
    client,
    ledgerUrl,
    demo: createDemoDesk({ client, funder, folder: named, demo: () => demo }),
    ...given({ consoleFolder }),
    // The first start signs credentials of its own; threads that warm up meanwhile would keep it waiting.
    warmUp: (await readDemoFile(demoFile)) !== undefined,
    directory: { ledger: ledgerUrl, webSocket, ledgerOpenapi: `${ledgerUrl}/openapi.json` },
    fundRegistrar: (address) => grantFunds(client, funder, [{ address, amount: demoLimits.registrarFunds }]),
    prepare: async (preparation) => {
      tellOnce();
      const { sponsor } = preparation.parts;
      if (sponsor)
        await grantFunds(client, funder, [
          { address: sponsor.purse.address, amount: demoLimits.personFunds },
        ]);
      demo = await prepareDemo({ ...preparation, file: demoFile, funder, ledgerUrl, tokenSource });
    },
  });
  return { served, demo: () => demo };
}
