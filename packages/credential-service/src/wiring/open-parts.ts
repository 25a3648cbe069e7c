/**
 * The parts of the service that need the ledger, on top of its foundation: the registries, put on the chain by the
 * first start, the registrar, the resolver. What stands in the way and is the operator's to change (a ledger that does
 * not answer, a registrar that cannot pay) comes out as `ServiceNotReady`, with what to do; whoever starts the service
 * tries again then.
 */

import { assert } from '@symbolon/core/basics/assert';
import { encodeBase64, parseBase64 } from '@symbolon/core/basics/bytes';
import { bbsFormat } from '@symbolon/core/presentation/credential-format';
import { isLocalName } from '@symbolon/host/http/web-pages';
import type { Log } from '@symbolon/host/telemetry/log';
import { type LedgerClient, LedgerError, SdkError } from '@symbolon/sdk/index';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import { createSignInChallenges } from '../access/sign-in-challenges.ts';
import { createBlockFeed } from '../console/block-feed.ts';
import type { DemoDesk } from '../console/console-parts.ts';
import type { Queries } from '../database/schema.ts';
import { putSettingOnce, readSetting, settingOnce } from '../database/settings.ts';
import { createLedgerSearch } from '../directory/ledger-search.ts';
import { createEventFeed } from '../events/event-feed.ts';
import { createResolver } from '../identity/resolver.ts';
import { lapseDrafts } from '../issuance/application-rows.ts';
import { findLedgerAccount, readChainTerms } from '../ledger/chain-terms.ts';
import { createCredentialLedger } from '../ledger/credential-ledger.ts';
import { deployRegistries, type Registries, RegistryMismatch } from '../ledger/deploy-registries.ts';
import { guardClient } from '../ledger/guarded-client.ts';
import { createIssuerLines } from '../ledger/issuer-lines.ts';
import type { NodeChoice } from '../ledger/ledger-nodes.ts';
import type { OwnChain } from '../ledger/own-chain.ts';
import { createPursuits, type Pursuits } from '../ledger/pursuits.ts';
import { Registrar } from '../ledger/registrar.ts';
import { createRegistrarIntents } from '../ledger/registrar-intent-rows.ts';
import { serviceWorkLimits } from '../limits/service-limits.ts';
import { openOpenidIssuance } from '../openid-issuance/open-openid-issuance.ts';
import { openOpenidVerification } from '../openid-verification/open-openid-verification.ts';
import { CertificateProblem } from '../openid-verification/parts/operator-certificates.ts';
import type { OutboundReach } from '../outbound/outbound-address.ts';
import type { ServiceConfig } from '../parts/service-config.ts';
import type { ServiceSettings } from '../parts/service-parts.ts';
import { createProofDesk, type ProofDesk } from '../proofs/proof-desk.ts';
import { createResultSigner } from '../sessions/result-signing.ts';
import { createSessionEvents } from '../sessions/session-events.ts';
import { openStandards } from '../standards/standards-parts.ts';
import type { AllParts } from './all-parts.ts';
import { openCustody } from './open-custody.ts';
import type { Foundation } from './open-foundation.ts';
import { openPayments } from './open-payments.ts';

/** Not a defect: somebody has to do what the message says. */
export class ServiceNotReady extends Error {
  override readonly name = 'ServiceNotReady';
}

export interface PartsOptions {
  readonly client: LedgerClient;
  /** Which node the client asks, where it has several. */
  readonly nodes?: NodeChoice | undefined;
  readonly log: Log;
  /** Of the service, as the console shows it. */
  readonly version: string;
  readonly crashPoint?: (name: string) => void;
  /** How long a caller of a submit waits for its outcome. */
  readonly submitWaitMs?: number;
  /** What a demo adds to the console. */
  readonly demo?: DemoDesk;
  /** Gives the registrar's account money when it has too little; a demo can. */
  readonly fundRegistrar?: (address: string, amount: bigint) => Promise<void>;
}

export async function openParts(
  foundation: Foundation,
  options: PartsOptions & { readonly url: string; readonly chain: OwnChain },
): Promise<AllParts> {
  const { config, profile, keys, clock, database, vault, proofs, audit, worker } = foundation;
  const { url, chain, crashPoint = () => undefined } = options;
  const shared = { database, vault, audit, clock, crashPoint };
  const client = guardClient(options.client, chain, options.nodes);
  // Before anything is put on a ledger, or believed of it.
  await orNotReady(() => chain.look());
  if (chain.problem !== undefined) throw new ServiceNotReady(chain.problem);
  const [registries, rangeParameters] = await Promise.all([
    orNotReady(() => settleRegistries(foundation, { ...options, client })),
    rangeParametersOf(foundation),
  ]);
  const registrar = new Registrar({
    client,
    signer: foundation.registrarSigner,
    registry: registries.credentials,
    intents: createRegistrarIntents(database.kysely, clock),
    profile,
    crashPoint,
  });
  const ledger = createCredentialLedger(client, registries);
  const settings = settingsOf(config, url);
  const resolver = createResolver({ client, profile, now: () => clock.nowMs(), chain });
  const standards = openStandards({ ...shared, profile, settings, resolver, proofs }, foreignReachOf(config));
  const own = { ...shared, keys, client, ledger, chain, standards, proofs, openid: config.openid };
  const issuance = openOpenidIssuance({ ...own, publicUrl: settings.publicUrl });
  const payments = await openPayments(foundation, { client, log: options.log });
  return {
    ...shared,
    profile,
    keys,
    ...payments,
    settings,
    ledger,
    chain,
    registrar,
    resolver,
    ...standards,
    ...issuance,
    ...openVerification({ ...shared, ...standards, ...issuance, profile, settings }, config),
    format: bbsFormat,
    proofs,
    proofDesk: openProofDesk(foundation),
    pursuits: openPursuits(options),
    issuerLines: createIssuerLines(),
    worker,
    apiKeys: foundation.apiKeys,
    requestLog: foundation.requestLog,
    ledgerSearch: createLedgerSearch(client, keys),
    resultSigner: createResultSigner({ database, vault, clock }),
    sessionEvents: createSessionEvents(database.signals),
    eventFeed: openEventFeed(foundation, options),
    log: options.log,
    callbackReach: reachOf(config),
    ...openConsole(foundation, options),
    custody: openCustody({
      ...shared,
      settings: config.custody,
      keys: foundation.custodyKeys,
      addresses: keys,
      client,
      registrar,
      apiKeys: foundation.apiKeys,
      rateSharing: foundation.rateSharing,
    }),
    rangeParameters,
  };
}

function openVerification(
  sources: Parameters<typeof openOpenidVerification>[0],
  { openid }: Pick<ServiceConfig, 'openid'>,
) {
  try {
    return openOpenidVerification(sources, openid);
  } catch (error) {
    if (error instanceof CertificateProblem) throw new ServiceNotReady(error.message);
    throw error;
  }
}

const openEventFeed = ({ audit, database }: Foundation, { log }: PartsOptions) =>
  createEventFeed({
    audit,
    queries: database.kysely,
    signals: database.signals,
    onFailure: (err) => log.warn({ err }, 'events could not be looked for'),
  });

const openConsole = (
  { database, vault, clock, browserSessions, config, rateSharing }: Foundation,
  { client, log, demo, version }: PartsOptions,
) => ({
  browserSessions,
  rateSharing,
  signInChallenges: createSignInChallenges({ database, vault, clock }),
  blockFeed: createBlockFeed({
    client,
    onFailure: (err) => log.warn({ err }, 'the ledger gives no answer; its blocks are not told'),
  }),
  client,
  demo,
  isLocal: isLocalName(config.host),
  version,
});

const settingsOf = (config: ServiceConfig, url: string): ServiceSettings => ({
  blobLifetimeSeconds: config.blobLifetimeSeconds,
  downloadWindowSeconds: config.downloadWindowSeconds,
  acceptPrivateKeys: config.acceptPrivateKeys,
  publicUrl: config.publicUrl ?? url,
  allowAddressDownloads: config.compat.addressDownloads,
});

const openPursuits = ({ log, submitWaitMs }: PartsOptions): Pursuits =>
  createPursuits({
    ...(submitWaitMs !== undefined && { waitMs: submitWaitMs }),
    onFailure: (err) => log.error({ err }, 'a submit failed, and is tried again'),
  });

const openProofDesk = ({ proofs, clock, rateSharing, config: { rates } }: Foundation): ProofDesk =>
  createProofDesk({
    pool: proofs,
    rateSharing,
    nowMs: () => clock.nowMs(),
    unitsPerMinute: rates.proofUnitsPerMinute,
    unitsPerMinuteWithKey: rates.proofUnitsPerMinuteWithKey,
  });

const reachOf = ({ callbacks }: ServiceConfig): OutboundReach =>
  callbacks.allowPrivate ? 'private' : callbacks.allowLoopback ? 'loopback' : 'public';

const foreignReachOf = ({ foreignDocuments }: ServiceConfig): OutboundReach =>
  foreignDocuments.allowLoopback ? 'loopback' : 'public';

/** What the operator has to put right is told as that. */
async function orNotReady<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RegistryMismatch)
      throw new ServiceNotReady(
        `${error.message} This database belongs to another chain, or the node does: name the right one.`,
      );
    if (error instanceof LedgerError || error instanceof SdkError)
      throw new ServiceNotReady(`The ledger node gives no answer that helps: ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}

async function settleRegistries(foundation: Foundation, options: PartsOptions): Promise<Registries> {
  const { database, profile, registrarSigner: signer, clock } = foundation;
  const { client } = options;
  const { kysely } = database;
  const known = await knownRegistries(kysely);
  if (!known.templates || !known.credentials) await requireRegistrarFunds(foundation, options);
  // Drafts for a registry that binds no contents have no salt.
  if (known.unbound && !known.credentials) await lapseDrafts(kysely, clock.nowMs());
  const remember = async (registries: Partial<Registries>): Promise<void> => {
    for (const [registry, text] of Object.entries(registries) as [keyof Registries, string][])
      await putSettingOnce(kysely, { name: registrySettings[registry], text, now: clock.nowMs() });
  };
  const deployed = await deployRegistries(client, { signer, didMethod: profile.didMethod, known, remember });
  // Of two replicas that deploy at the same time one is remembered, and both use that one's.
  const kept = await knownRegistries(kysely);
  return { ...deployed, ...kept };
}

const registrySettings = {
  templates: 'ledger.templateRegistry',
  credentials: 'ledger.boundCredentialRegistry',
  /** Written by versions of the service whose registry bound no contents. */
  unbound: 'ledger.credentialRegistry',
} as const;

export async function knownRegistries(queries: Queries): Promise<Partial<Registries>> {
  const known: { -readonly [Registry in keyof Registries]?: string } = {};
  for (const registry of Object.keys(registrySettings) as (keyof Registries)[]) {
    const text = (await readSetting(queries, registrySettings[registry]))?.text;
    if (text) known[registry] = text;
  }
  return known;
}

/** What putting the registries on a ledger takes at most. */
const registriesGas = BigInt(serviceWorkLimits.deployGas);

/** The gas that the registrar must be able to pay for before the service can work: none where its registries are there. */
export async function registrarGas(queries: Queries): Promise<bigint> {
  const { templates, credentials } = await knownRegistries(queries);
  return templates && credentials ? 0n : registriesGas;
}

/** Says whom to pay, and how much, when the registries cannot be paid for. */
async function requireRegistrarFunds(
  { registrarSigner: { address }, profile }: Foundation,
  { client, fundRegistrar }: PartsOptions,
): Promise<void> {
  const { gasPrice, baseReserve } = await readChainTerms(client);
  const needed = baseReserve + gasPrice * registriesGas;
  if (((await findLedgerAccount(client, address))?.balance ?? 0n) >= needed) return;
  await fundRegistrar?.(address, needed);
  const balance = (await findLedgerAccount(client, address))?.balance ?? 0n;
  if (balance >= needed) return;
  throw new ServiceNotReady(
    `The registrar's account cannot pay for the registries. Fund address ${address}: ` +
      `pay at least ${coinText(needed - balance, profile)} to it on this ledger.`,
  );
}

/** Made once: whoever verifies must know that it was not the prover who made them. */
async function rangeParametersOf({ database, proofs, clock }: Foundation): Promise<Uint8Array> {
  const { text } = await settingOnce(database.kysely, {
    name: 'proofs.rangeParameters',
    now: clock.nowMs(),
    make: async () => ({ text: encodeBase64(await proofs.makeRangeParameters()) }),
  });
  const bytes = parseBase64(text ?? '');
  assert(bytes && bytes.length > 0, 'stored range parameters can be read');
  return bytes;
}
