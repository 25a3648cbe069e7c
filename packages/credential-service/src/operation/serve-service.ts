/**
 * The credential service as a service: its folder opened, its interface listening, its chores running, its numbers
 * measured. It listens before it can work: until the ledger answers and the registries are on it, every route says so,
 * `/readyz` says what to do, and opening is tried again and again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import { readConsoleFiles } from '@symbolon/host/console/console-files';
import type { ConsoleOptions } from '@symbolon/host/console/console-pages';
import type { HttpServer } from '@symbolon/host/http/server';
import { pagePolicy } from '@symbolon/host/http/web-pages';
import { httpLimits } from '@symbolon/host/limits/server-limits';
import type { LedgerPassage } from '@symbolon/host/service/ledger-passage';
import { createSealedLayer, type SealedLayer } from '@symbolon/host/service/sealed-layer';
import { createServiceServer } from '@symbolon/host/service/service-server';
import type { Metrics } from '@symbolon/host/telemetry/metrics';
import { firstProblem, type HealthFinding } from '@symbolon/host/telemetry/readiness';
import { within } from '@symbolon/host/work/within';
import type { LedgerClient } from '@symbolon/sdk/index';
import { parseApiKey } from '@symbolon/wire/http/api-key-form';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { type AllHandlers, allRoutes } from '@symbolon/wire/openapi/all-routes';
import { serviceGuide } from '@symbolon/wire/openapi/llms-text';
import type { ApiKeys } from '../access/api-keys.ts';
import { replayEvent } from '../issuance/repeated-requests.ts';
import { createNodePassage } from '../ledger/node-client.ts';
import { createOwnChain, type OwnChain } from '../ledger/own-chain.ts';
import { serviceWorkLimits } from '../limits/service-limits.ts';
import { createOwedWatch, type OwedWatch } from '../status/owed-watch.ts';
import type { AllParts } from '../wiring/all-parts.ts';
import { type Foundation, type FoundationOptions, openFoundation } from '../wiring/open-foundation.ts';
import { openParts, type PartsOptions, ServiceNotReady } from '../wiring/open-parts.ts';
import { createHandlers } from './all-handlers.ts';
import { type BackgroundWork, serviceChores, startBackgroundWork } from './background-work.ts';
import { recoverService } from './recovery.ts';
import { createServiceFunds, type ServiceFunds } from './service-funds.ts';
import { createServiceHealth, type ServiceHealth } from './service-health.ts';
import { measureService } from './service-metrics.ts';

export const serviceVersion = '0.1.0';

/** What a demo adds before the service is ready. */
export interface Preparation {
  readonly url: string;
  readonly registrarAddress: string;
  readonly parts: AllParts;
  readonly apiKeys: ApiKeys;
  readonly client: LedgerClient;
}

export interface ServeServiceOptions extends FoundationOptions, Omit<PartsOptions, 'version'> {
  readonly metrics: Metrics;
  readonly client: LedgerClient;
  /** Done before the service calls itself ready, at every start; may be tried again. */
  readonly prepare?: (preparation: Preparation) => Promise<void>;
  /** Where the node answers that pages are passed on to; that of the settings, if left out. */
  readonly ledgerUrl?: string;
  /** How they are passed on instead. */
  readonly pass?: LedgerPassage['pass'];
  /** The built web console that came along, where the settings name none; a plain page at `/` without any. */
  readonly consoleFolder?: string;
  /** Further lines of the directory at `/`. */
  readonly directory?: Readonly<Record<string, string>>;
}

export interface ServedService {
  readonly url: string;
  readonly apiKeys: ApiKeys;
  readonly registrarAddress: string;
  /** There once the service has been ready. */
  readonly parts: AllParts;
  /** Nothing when the service can work, else what stands in its way. */
  notReady(): Promise<string | undefined>;
  /** Runs a chore of the background now. */
  runChore(name: string): Promise<void>;
  close(): Promise<void>;
}

/** What a service is made of, and what changes while it opens, runs and ends. */
interface Service {
  readonly options: ServeServiceOptions;
  readonly foundation: Foundation;
  readonly chain: OwnChain;
  readonly seal: SealedLayer;
  readonly health: ServiceHealth;
  readonly funds: ServiceFunds;
  readonly owed: OwedWatch;
  readonly ending: AbortController;
  /** Why it is not open, while it is not. */
  problem: string;
  opened?: { readonly parts: AllParts; readonly handlers: AllHandlers };
  /** Made before the service is open, and to be ended even when it never opens. */
  unfinished?: AllParts;
  background?: BackgroundWork;
}

/** Resolves when the interface listens and opening was tried once; throws for what trying again cannot mend. */
export async function serveService(folder: string, options: ServeServiceOptions): Promise<ServedService> {
  const { log, metrics, client } = options;
  const foundation = await openFoundation(folder, options);
  const { address: registrarAddress } = foundation.registrarSigner;
  const chain = openOwnChain(foundation, options);
  const owed = createOwedWatch(log);
  const parts = () => service.opened?.parts;
  const service: Service = {
    options,
    foundation,
    chain,
    seal: createSealedLayer({ keys: foundation.sealKeys }),
    health: createServiceHealth({ folder, foundation, client, chain, owed, parts }),
    funds: createServiceFunds(registrarAddress, log),
    owed,
    ending: new AbortController(),
    problem: 'the registries are being looked for',
  };
  let http: HttpServer | undefined;
  let retrying: Promise<void> = Promise.resolve();

  const close = async (): Promise<void> => {
    service.problem = 'the service is shutting down';
    service.ending.abort();
    // Whoever balances learns by `/readyz` that others are to be asked; until then everything is answered as ever.
    http?.drain();
    if (service.opened) await sleep(foundation.config.drainSeconds * 1_000);
    const stopped = service.background?.stop();
    await http?.close();
    const parts = service.opened?.parts ?? service.unfinished;
    delete service.opened;
    await Promise.all([parts?.registrar.close(), parts?.pursuits.close()]);
    // A ledger that does not answer must not keep the service from ending; what is under way then fails and is logged.
    const ending = Promise.all([stopped, retrying, parts?.custody?.idle()]);
    await within(httpLimits.closeGraceMs, ending);
    await foundation.requestLog
      .write()
      .catch((err: unknown) => log.warn({ err }, 'the last calls are not logged'));
    await foundation.close();
  };

  try {
    measureService({ ...service, parts }, metrics);
    await foundation.audit.record({ action: 'service.start' });
    http = createServer(service);
    const { url } = await http.listen(foundation.config);
    const open = () => openService(service, url);
    await open().catch((error) => tellNotReady(service, error));
    // After what the start itself has to write: whoever asks is then told what is wrong, by a service that is up.
    foundation.database.examine();
    if (!service.opened) retrying = keepOpening(service, open);
    log.info({ url, database: foundation.database.location }, 'credential service is up');
    return {
      url,
      apiKeys: foundation.apiKeys,
      registrarAddress,
      get parts() {
        assert(service.opened, 'the parts are there once the service is ready');
        return service.opened.parts;
      },
      notReady: async () => firstProblem(await readinessOf(service)),
      runChore: async (name) => service.background?.run(name),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readinessOf(service: Service): Promise<readonly HealthFinding[]> {
  const { opened, health, problem, ending } = service;
  if (opened && !ending.signal.aborted) return health.readiness();
  return [{ name: 'service', state: 'failed', detail: health.database().problem ?? problem }];
}

const openOwnChain = (
  { database, clock }: Foundation,
  { client, nodes, log }: ServeServiceOptions,
): OwnChain =>
  createOwnChain({
    client,
    nodes,
    queries: database.kysely,
    clock,
    onChange: (problem) =>
      problem === undefined
        ? log.warn('the ledger is the one that is known again')
        : log.error({ problem }, 'the ledger is not the one that the service has recorded to'),
  });

async function openService(service: Service, url: string): Promise<void> {
  const { foundation, chain, seal, options, ending } = service;
  const { log, client, prepare } = options;
  const parts = await openParts(foundation, { ...options, url, chain, version: serviceVersion });
  service.unfinished = parts;
  try {
    ending.signal.throwIfAborted();
    service.problem = 'what an earlier run has left behind is being settled';
    await parts.registrar.recover();
    await recoverService(parts);
    service.problem = 'first data are being made';
    const { apiKeys, registrarSigner } = foundation;
    await prepare?.({ url, registrarAddress: registrarSigner.address, parts, apiKeys, client });
    ending.signal.throwIfAborted();
  } catch (error) {
    await Promise.all([parts.registrar.close(), parts.pursuits.close()]);
    throw error;
  }
  const onFailure = (err: unknown) => log.error({ err }, 'an identifier could not be resolved');
  const handlers = createHandlers(parts, { sealKeys: () => seal.publicKeys(), onFailure });
  service.opened = { parts, handlers };
  service.background = startBackgroundWork(serviceChores({ ...service, parts, log }), log);
}

/** What the operator can change is told and tried again; anything else is a defect or a broken database. */
function tellNotReady(service: Service, error: unknown): void {
  if (!(error instanceof ServiceNotReady) && !(error instanceof Fault)) throw error;
  service.problem = error.message;
  service.options.log.warn({ problem: error.message, err: error.cause }, 'the service is not ready');
}

async function keepOpening(service: Service, open: () => Promise<void>): Promise<void> {
  const { log } = service.options;
  const { signal } = service.ending;
  while (!service.opened && !signal.aborted) {
    await sleep(serviceWorkLimits.openRetryMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const before = service.problem;
    try {
      await open();
      log.info('the service is ready');
    } catch (error) {
      if (signal.aborted) return;
      const isKnown = error instanceof ServiceNotReady || error instanceof Fault;
      service.problem = isKnown ? error.message : 'opening failed; the log says why';
      // The same words every two seconds would bury everything else.
      if (!isKnown || service.problem !== before) log.warn({ err: error }, 'the service is still not ready');
    }
  }
}

function createServer(service: Service): HttpServer {
  const { foundation, seal, options } = service;
  const { config, apiKeys, idempotency, clock, browserSessions } = foundation;
  const { log, metrics, directory, ledgerUrl = config.nodeUrl } = options;
  const { rates } = config;
  return createServiceServer({
    routes: allRoutes,
    handlers: whenOpen(service),
    authenticate: (token, effort) => apiKeys.authenticate(token, effort),
    isApiKey: (token) => parseApiKey(token) !== undefined,
    sessions: {
      isSecure: config.publicUrl?.startsWith('https:') ?? false,
      authenticate: (session, effort) => browserSessions.authenticate(session, effort),
    },
    passage: { routes: ledgerRoutes, pass: options.pass ?? createNodePassage(ledgerUrl) },
    rates: { light: { perMinute: rates.lightPerMinute }, heavy: { perMinute: rates.heavyPerMinute } },
    rateSharing: foundation.rateSharing,
    logger: log,
    idempotency,
    onReplay: (replay) => foundation.audit.record(replayEvent(replay)),
    seal,
    onCall: (call) => foundation.requestLog.note(call),
    observe: ({ route, code, seconds }) => metrics.observeRequest({ route, code, seconds }),
    pages: pagePolicy(config),
    plain: {
      directory: () => ({
        name: 'Symbolon credential service',
        version: serviceVersion,
        docs: '/docs',
        errors: '/docs/errors',
        openapi: '/openapi.json',
        guide: '/llms.txt',
        health: '/readyz',
        metrics: '/metrics',
        ...directory,
      }),
      console: openConsolePages(options),
      about:
        'Issues, keeps, shows and verifies credentials that are recorded on a ledger. Start with the interface: its first page says how to get a key, sign, and read errors.',
      live: () => true,
      readiness: () => readinessOf(service),
      metrics: () => metrics.render(),
      guide: serviceGuide,
      openapi: async () => (await import('@symbolon/wire/openapi/documents')).serviceDocument(serviceVersion),
    },
    hasDocs: true,
    trustedProxies: config.trustedProxies,
    nowMs: () => clock.nowMs(),
  });
}

/** What a browser has to report is counted: in tests that must be nothing. */
function openConsolePages({ config, metrics, ...own }: ServeServiceOptions): ConsoleOptions | undefined {
  const folder = config.consoleFolder ?? own.consoleFolder ?? '';
  if (folder === '') return undefined;
  const reports = metrics.counter({
    name: 'console_policy_reports_total',
    help: 'What browsers say that the policy of the console has kept them from',
  });
  return { files: readConsoleFiles(folder), onReport: (count) => reports.add(count) };
}

/** Every handler, as soon as there are any. */
function whenOpen(service: Service): AllHandlers {
  const gate = (name: keyof AllHandlers) => async (request: unknown, call: unknown) => {
    const { opened, chain } = service;
    if (!opened && chain.problem !== undefined) throw new Fault('ledgerChanged', { detail: chain.problem });
    if (!opened)
      throw new Fault('overloaded', {
        detail: 'The service is not ready; /readyz says why',
        retryAfterSeconds: 2,
      });
    const handler = opened.handlers[name] as (request: unknown, call: unknown) => Promise<unknown>;
    return handler(request, call);
  };
  const names = Object.keys(allRoutes) as (keyof AllHandlers)[];
  return Object.fromEntries(names.map((name) => [name, gate(name)])) as unknown as AllHandlers;
}
