/**
 * Checks a document: by the service, or in this browser on what the ledger says now, or on what was kept before where
 * nobody answers. Which of them it was is part of the outcome: nobody shall take an old status for a new one.
 */
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { parseCredential } from '@symbolon/core/credential/credential-parsing';
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { tellChecks } from '@symbolon/core/presentation/check-words';
import type { PresentedCredential } from '@symbolon/core/presentation/presentation-verdict';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { fetchOfflineFacts } from '@symbolon/sdk/flows/verifier-flows';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Pins } from '@symbolon/sdk/ledger/pins';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import type { CollectedFacts } from '@symbolon/sdk/verification/collected-facts';
import { type FactsSource, ledgerFactsSource } from '@symbolon/sdk/verification/ledger-source';
import { verifyPresentationOffline } from '@symbolon/sdk/verification/offline-verification';
import { type CredentialVerdict, verifyCredential } from '@symbolon/sdk/verification/verify-credential';
import type { JsonValue } from '@symbolon/wire/json/json';
import type { Clients } from '../../../api/clients.ts';
import { type Term, termAt } from '../../../parts/card/credential-standing.ts';
import { workerEngine } from '../../../proofs/worker-engine.ts';
import type { ShownCheck } from '../checks-panel.tsx';
import type { GivenDocument, NamedCredential } from './given-document.ts';
import { outdatedIds } from './kept-anew.ts';
import {
  factsAboutKept,
  gapOf,
  type KeptFact,
  type KeptGap,
  mergedFacts,
  refuseUntimely,
} from './kept-facts.ts';
import { recordingTransport, replayingTransport } from './recorded-ledger.ts';

/** By whom, and on what the ledger said when. */
export type CheckedBy =
  | { readonly who: 'service'; readonly at: number }
  | { readonly who: 'here'; readonly isLive: boolean; readonly at: number };

export interface CheckedPresentation {
  readonly kind: 'presentation';
  readonly by: CheckedBy;
  readonly verified: boolean;
  readonly errors: readonly string[];
  readonly checks: readonly ShownCheck[];
  readonly credentials: readonly PresentedCredential[];
  readonly claimed: readonly { readonly id: string; readonly issuer: string }[];
  readonly tookMs?: number;
}

export interface CheckedCredential {
  readonly kind: 'credential';
  readonly by: CheckedBy;
  readonly verdict: CredentialVerdict;
  /** What it says, where it is genuine: nothing else of it is worth reading. */
  readonly credential?: UnsignedCredential;
  /** Whether its issuer is one that was named; undefined where none was. */
  readonly isTrusted?: boolean;
  /** Whether the time of the check is one for which it was issued. */
  readonly term: Term;
  /** To be kept, if somebody wants so. */
  readonly kept: readonly KeptFact[];
}

export type CheckedDocument = CheckedPresentation | CheckedCredential;

/** Nothing that serves was kept about a document, and nobody answers: no verdict. */
export class NothingKept extends Error {
  override readonly name = 'NothingKept';
  readonly gap: KeptGap;

  constructor(gap: KeptGap) {
    super(`what is kept does not serve: ${gap}`);
    this.gap = gap;
  }
}

export interface CheckOrderOfPage {
  readonly given: GivenDocument;
  readonly way: 'service' | 'here';
  /** Whether somebody answers. */
  readonly isConnected: boolean;
  readonly challenge: string;
  /** For whom it must have been made; undefined where that is not asked. */
  readonly domain: string | undefined;
  readonly trusted: readonly string[];
  readonly kept: readonly KeptFact[];
  readonly now: number;
}

export interface CheckTools {
  readonly clients: Pick<Clients, 'service' | 'ledger'>;
  /** Registries that count; undefined where the service never said so. */
  readonly pins: (Pins & { readonly credentialRegistry: string }) | undefined;
}

export async function checkDocument(tools: CheckTools, order: CheckOrderOfPage): Promise<CheckedDocument> {
  if (order.given.kind === 'credential') return checkCredential(tools, order);
  return order.way === 'service' && order.isConnected ? askService(tools, order) : checkHere(tools, order);
}

export const conditionsOf = ({
  challenge,
  domain = '',
  trusted,
}: Pick<CheckOrderOfPage, 'challenge' | 'domain' | 'trusted'>) => ({
  ...(challenge.trim() !== '' && { challenge: challenge.trim() }),
  ...(domain.trim() !== '' && { domain: domain.trim() }),
  ...(trusted.length > 0 && { trustedIssuers: [...trusted] }),
});

async function askService({ clients }: CheckTools, order: CheckOrderOfPage): Promise<CheckedPresentation> {
  const reply = await clients.service.verifyPresentation({
    vp: order.given.document,
    ...conditionsOf(order),
  });
  return {
    kind: 'presentation',
    by: { who: 'service', at: order.now },
    verified: reply.verified,
    errors: reply.errors ?? [],
    checks: reply.checks ?? [],
    credentials: (reply.credentials ?? []) as readonly PresentedCredential[],
    claimed: reply.claimed ?? [],
    ...(reply.tookMs !== undefined && { tookMs: reply.tookMs }),
  };
}

async function checkHere(tools: CheckTools, order: CheckOrderOfPage): Promise<CheckedPresentation> {
  const { given, now } = order;
  const live = order.isConnected ? await collectOrNothing(tools, given.credentials, now) : undefined;
  const facts = live
    ? mergedFacts(live.flatMap(({ facts: one }) => one ?? []))
    : factsAboutKept(order.kept, given.credentials);
  if (!facts) throw new NothingKept(gapOf(order.kept, given));
  const conditions = conditionsOf(order);
  const verdict = await verifyPresentationOffline(given.document, {
    // Facts about nothing are as old as now: they say only that the ledger knows nothing.
    facts: live && facts.statuses.length === 0 ? { ...facts, fetchedAt: instantTextOfUnixMs(now) } : facts,
    takenFrom: 'self',
    now,
    engine: workerEngine,
    ...conditions,
  });
  const checks = tellChecks(verdict, {
    asked: conditions.trustedIssuers ? 'origin' : 'nothing',
    hasChallenge: conditions.challenge !== undefined,
  });
  return {
    kind: 'presentation',
    by: { who: 'here', isLive: live !== undefined, at: Date.parse(facts.fetchedAt) },
    verified: verdict.verified,
    errors: verdict.errors,
    checks,
    credentials: verdict.credentials ?? [],
    claimed: verdict.claimed ?? [],
  };
}

/** What the genuine document says, and what follows from it. */
function readGenuine(
  document: GivenDocument['document'],
  { trusted, now }: CheckOrderOfPage,
): Pick<CheckedCredential, 'credential' | 'isTrusted' | 'term'> {
  const { credential } = parseCredential(document, zetrixProfile);
  return {
    credential,
    term: termAt(credential, now),
    ...(trusted.length > 0 && { isTrusted: trusted.includes(credential.issuer) }),
  };
}

const nodeHere = () => httpTransport(`${location.origin}/ledger`);

/** Numbers of those credentials of a document about which the ledger says something else now than what is kept. */
export const idsOutdated = (
  tools: CheckTools,
  { given, kept, now }: Pick<CheckOrderOfPage, 'given' | 'kept' | 'now'>,
): Promise<readonly string[]> =>
  outdatedIds(
    kept.filter(({ vcId }) => given.credentials.some(({ id }) => id === vcId)),
    {
      node: nodeHere(),
      factsOf: async ({ vcId: id, issuer }) =>
        (await collectFacts(tools, [{ id, issuer }], now))[0]?.facts ?? mergedFacts([]),
    },
  );

async function checkCredential(tools: CheckTools, order: CheckOrderOfPage): Promise<CheckedCredential> {
  const { given, kept, now } = order;
  const [named] = given.credentials;
  const old = kept.find(({ vcId, replies }) => replies && vcId === named?.id);
  const ask = async (replies: KeptFact['replies']): Promise<CheckedCredential> => {
    const recorded: Record<string, JsonValue> = {};
    const transport = replies ? replayingTransport(replies) : recordingTransport(nodeHere(), recorded);
    const verdict = await verifyCredential(given.document, {
      ledger: createLedgerClient(transport),
      pins: tools.pins ?? {},
      now,
      engine: workerEngine,
    });
    const at = replies ? (old?.at ?? 0) : now;
    return {
      kind: 'credential',
      by: { who: 'here', isLive: !replies, at },
      verdict,
      term: 'valid',
      ...(verdict.isGenuine && readGenuine(given.document, order)),
      kept: named ? [{ vcId: named.id, issuer: named.issuer, at, replies: replies ?? recorded }] : [],
    };
  };
  if (order.isConnected) return ask(undefined);
  if (!old?.replies) throw new NothingKept(gapOf(kept, given));
  refuseUntimely(old.at, now);
  return ask(old.replies);
}

/** What the ledger says of these credentials, by the word of a node and of registries that are pinned. */
export async function collectFacts(
  { clients, pins }: CheckTools,
  credentials: readonly NamedCredential[],
  now: number,
): Promise<readonly KeptFact[]> {
  if (!pins)
    throw new SdkError('invalidArgument', 'the registries of this network are not known', { hint: '' });
  const source = ledgerFactsSource({ ledger: clients.ledger, pins, now });
  const basis = { node: `${location.origin}/ledger` };
  return Promise.all(
    credentials.map(async ({ id, issuer }) => ({
      vcId: id,
      issuer,
      at: now,
      facts: await factsOfOne(source, { vcId: id, issuer, basis, now }),
    })),
  );
}

interface OneOrder {
  readonly vcId: string;
  readonly issuer: string;
  readonly basis: CollectedFacts['basis'];
  readonly now: number;
}

/** What the ledger does not know is no fact; a verdict says so then. */
async function factsOfOne(source: FactsSource, { vcId, ...about }: OneOrder): Promise<CollectedFacts> {
  const isUnknown = (error: unknown): boolean =>
    error instanceof SdkError && error.code === 'unexpectedReply';
  for (const vcIds of [[vcId], []])
    try {
      return await fetchOfflineFacts(source, { ...about, vcIds });
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  return { ...mergedFacts([]), fetchedAt: instantTextOfUnixMs(about.now), basis: about.basis };
}

/** Undefined where the connection was lost meanwhile. */
async function collectOrNothing(tools: CheckTools, credentials: readonly NamedCredential[], now: number) {
  try {
    return await collectFacts(tools, credentials, now);
  } catch (error) {
    if (error instanceof SdkError && error.code === 'unreachable') return undefined;
    throw error;
  }
}
