/**
 * A real credential service in this process, on a real node in this process: its own folders, its own ports, and the
 * people of the demo with clients of their own. By default on SQLite in a file; a test may name another database, give
 * a clock, share a node or proof threads with other services, and start the same service again.
 */

import { join } from 'node:path';
import { directClient } from '@symbolon/cli/servers/start-node';
import type { LedgerNodes } from '@symbolon/credential-service/ledger/ledger-nodes';
import {
  type ServedService,
  type ServeServiceOptions,
  serveService,
} from '@symbolon/credential-service/operation/serve-service';
import { serviceConfigSchema } from '@symbolon/credential-service/parts/service-config';
import { chooseEngine } from '@symbolon/credential-service/proofs/proof-engines';
import { type ProofPool, ProofWorkers } from '@symbolon/credential-service/proofs/proof-workers';
import { createDemoDesk } from '@symbolon/demo/desk';
import type { DemoDocument } from '@symbolon/demo/file';
import { grantFunds } from '@symbolon/demo/funds';
import { demoLimits } from '@symbolon/demo/limits';
import { type DemoPerson, type DemoRole, demoPerson } from '@symbolon/demo/people';
import { prepareDemo } from '@symbolon/demo/prepare-demo';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import type { Clock } from '@symbolon/host/work/clock';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import {
  type CredentialClient,
  type CredentialClientOptions,
  createCredentialClient,
} from '@symbolon/sdk/service/credential-client';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Owner } from './owner.ts';
import { keyFormat, richest } from './people.ts';
import { type AskedNode, type RunningNode, startNode } from './running-node.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';
import { until } from './until.ts';

export interface ServiceOrder {
  /** Parts of `service.json`, beside what every test service has: a free port, no limits of rate that a test meets. */
  readonly config?: JsonObject;
  /** `sqlite:<file>` or `postgres://…`. */
  readonly database?: string;
  readonly clock?: Clock;
  readonly crashPoint?: (name: string) => void;
  /** How long callers of submits wait to be told. */
  readonly submitWaitMs?: number;
  /** A node to share; without one the service has its own. */
  readonly node?: RunningNode;
  /** Proof workers to share (`shareProofs`); without them the service has one of its own. */
  readonly proofs?: ProofPool;
  /** Whether workers of its own warm up. */
  readonly warmUp?: boolean;
  /** The folder of a service that ran before; without one it is a new service. */
  readonly folder?: string;
  /** Where the service records to, instead of a client of the node. */
  readonly client?: LedgerClient;
  /** The nodes that the client asks, where it has several. */
  readonly nodes?: LedgerNodes;
  /** Whether the console knows it as a demo, with its people and its faucet. */
  readonly isDemo?: boolean;
  /** A folder with a built console. */
  readonly consoleFolder?: string;
  /** Where questions to the ledger are passed on to; to the node, if left out. */
  readonly ledgerUrl?: string;
  /** Code of the demo's token: given, the demo has its token, templates and credentials; else people alone. */
  readonly tokenSource?: string;
}

export interface ServicePerson extends DemoPerson {
  readonly apiKey: string;
  /** Calls with the person's API key. */
  readonly client: CredentialClient;
  /** The same, sealed wherever a route is served sealed. */
  readonly sealedClient: CredentialClient;
}

/** A service on a node of this process, or on one that others run. */
export interface ServiceOn<Node extends AskedNode> {
  readonly url: string;
  readonly node: Node;
  /** What the service asks the ledger with. */
  readonly ledger: LedgerClient;
  readonly served: ServedService;
  readonly folder: string;
  readonly demo: DemoDocument;
  readonly issuer: ServicePerson & { readonly bbsPublicKey: string };
  readonly holder: ServicePerson;
  readonly verifier: ServicePerson;
  /** Has every scope and acts for nobody. */
  readonly admin: CredentialClient;
  /** Shows no API key. */
  readonly stranger: CredentialClient;
  /** A client with options of its own. */
  clientWith(options: CredentialClientOptions): CredentialClient;
  logged(): string;
  /** Ends the service and starts it again on the same folder and node. */
  restart(order?: Pick<ServiceOrder, 'config' | 'crashPoint' | 'clock'>): Promise<ServiceOn<Node>>;
  /** Ends the service before its test does. */
  close(): Promise<void>;
}

export type RunningService = ServiceOn<RunningNode>;

/** Proof workers for all services of a file: starting one takes a second. */
export function shareProofs(owner: Owner, workers = 1): ProofPool {
  const engine = chooseEngine('auto', { warn: () => undefined });
  const proofs = new ProofWorkers({ engine, workers, shortJobWorkers: 0, warmUp: false });
  owner.after(() => proofs.close());
  return proofs;
}

const manyPerMinute = 1_000_000;
const testDefaults = {
  port: 0,
  /** Every one of them is a demo, whose issuer leaves its key. */
  acceptPrivateKeys: true,
  proofWorkers: 1,
  rates: {
    lightPerMinute: manyPerMinute,
    heavyPerMinute: manyPerMinute,
    proofUnitsPerMinute: manyPerMinute,
    proofUnitsPerMinuteWithKey: manyPerMinute,
  },
};

export async function startService(owner: Owner, order: ServiceOrder = {}): Promise<RunningService> {
  const node = order.node ?? (await startNode(owner));
  const client = order.client ?? order.nodes?.client ?? directClient(node.served.node, failLoudly);
  return startServiceOn(owner, node, { ...order, client });
}

/** A service that records to a ledger by this client, and a node of that ledger. */
export function startServiceOn<Node extends AskedNode>(
  owner: Owner,
  node: Node,
  order: Omit<ServiceOrder, 'node'> & { readonly client: LedgerClient },
): Promise<ServiceOn<Node>> {
  const folder = order.folder ?? makeTempFolder();
  if (order.folder === undefined) owner.after(() => removeFolder(folder));
  return run(owner, node, { ...order, folder });
}

type PlacedOrder = Omit<ServiceOrder, 'node'> & { readonly client: LedgerClient; readonly folder: string };

async function run<Node extends AskedNode>(
  owner: Owner,
  node: Node,
  order: PlacedOrder,
): Promise<ServiceOn<Node>> {
  const { client: ledger, folder, config, database, clock, crashPoint, submitWaitMs, proofs } = order;
  const lines: string[] = [];
  const funder = await signerFromSeed(richest.seed);
  let demo: DemoDocument | undefined;
  const options: ServeServiceOptions = {
    config: serviceConfigSchema.parse({ ...testDefaults, ...(database && { database }), ...config }),
    log: createLog({ level: 'debug', stream: { write: (line) => void lines.push(line) } }),
    metrics: createMetrics({ withProcess: false }),
    client: ledger,
    ...(order.nodes && { nodes: order.nodes, pass: order.nodes.pass }),
    warmUp: order.warmUp ?? false,
    ...(clock && { clock }),
    ...(crashPoint && { crashPoint }),
    ...(submitWaitMs !== undefined && { submitWaitMs }),
    ...(proofs && { proofs }),
    ...(order.isDemo && {
      demo: createDemoDesk({ folder: undefined, client: ledger, funder, demo: () => demo }),
    }),
    ...(order.consoleFolder !== undefined && { consoleFolder: order.consoleFolder }),
    ledgerUrl: order.ledgerUrl ?? node.url,
    fundRegistrar: (address) => grantFunds(ledger, funder, [{ address, amount: demoLimits.registrarFunds }]),
    prepare: async (preparation) => {
      const file = join(folder, 'demo.json');
      const { tokenSource } = order;
      const data = tokenSource === undefined ? {} : { tokenSource };
      demo = await prepareDemo({ ...preparation, ...data, file, funder, ledgerUrl: node.url });
    },
  };
  const served = await serveService(folder, options);
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await served.close();
  };
  owner.after(close);
  // On a busy machine the service may need more than one try to put its registries on the ledger.
  const made = await until('the service to be ready', async () => demo);
  return {
    ...(await clientsOf(served, made)),
    url: served.url,
    node,
    ledger,
    served,
    folder,
    demo: made,
    logged: () => lines.join(''),
    async restart(changes = {}) {
      await close();
      return run(owner, node, { ...order, ...changes });
    },
    close,
  };
}

async function clientsOf(served: ServedService, demo: DemoDocument) {
  const clientWith = (options: CredentialClientOptions) => createCredentialClient(served.url, options);
  const personOf = async (role: DemoRole): Promise<ServicePerson> => {
    const { apiKey } = demo[role];
    return {
      ...(await demoPerson(role, keyFormat)),
      apiKey,
      client: clientWith({ apiKey }),
      sealedClient: clientWith({ apiKey, sealed: true }),
    };
  };
  const { token } = await served.apiKeys.create({
    label: 'admin of a test',
    scopes: ['templates', 'issue', 'revoke', 'bbs', 'present', 'verify', 'admin'],
  });
  return {
    issuer: { ...(await personOf('issuer')), bbsPublicKey: demo.issuer.bbsPublicKeyMultibase },
    holder: await personOf('holder'),
    verifier: await personOf('verifier'),
    admin: clientWith({ apiKey: token }),
    stranger: clientWith({}),
    clientWith,
  };
}

function failLoudly(name: string, error: unknown): void {
  throw new Error(`the query ${name} failed`, { cause: error });
}
