/**
 * Resolves identifiers against the ledger, for the resolution route and for everybody in the service who needs an
 * issuer's or holder's key. Fails closed: a ledger that gives no answer is its own fault, never a document without
 * keys. What is remembered is good for the block it was read at; log entries are good for ever.
 */
import { RecentMap } from '@symbolon/core/basics/recent-map';
import { type DidRefusal, type LedgerDid, parseDid } from '@symbolon/core/did/did';
import {
  type DidResolution,
  type DocumentKey,
  findDocumentKey,
  resolveKeyDid,
  resolveSubject,
} from '@symbolon/core/did/did-document';
import { Fault } from '@symbolon/core/faults/faults';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { sha256 } from '@symbolon/host/work/sha256';
import { type DidHistory, type RecordedEntry, readDidHistory } from '@symbolon/sdk/ledger/did-history';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { isLedgerTrouble } from '../ledger/ledger-faults.ts';
import type { OwnChain } from '../ledger/own-chain.ts';
import { resolverLimits } from '../limits/service-limits.ts';

export interface ResolverOptions {
  readonly client: LedgerClient;
  readonly profile?: NetworkProfile;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whose chain the client reads. */
  readonly chain?: Pick<OwnChain, 'reach' | 'changes'>;
}

export interface ResolveOptions {
  readonly versionId?: string;
  /** Seconds since 1970. */
  readonly versionTime?: number;
}

export type ResolutionRefusal = DidRefusal | 'notFound';

/** An identifier as the ledger had it when it was read: whatever is asked about it is answered from this. */
export interface ReadDid {
  resolve(options?: ResolveOptions): DidResolution | ResolutionRefusal;
  /**
   * The key that an issuer's proof names, valid at a time in milliseconds since 1970, now if left out; throws the fault
   * that says why it is not to be trusted.
   */
  issuerKey(verificationMethod: string, at?: number): DocumentKey;
}

export interface Resolver {
  /** Throws the fault `ledgerUnreachable` when the ledger gives no answer. */
  readDid(did: string): Promise<ReadDid>;
  /** `resolve` of what is read now. */
  resolveDid(did: string, options?: ResolveOptions): Promise<DidResolution | ResolutionRefusal>;
}

interface SeenHistory {
  /** Of the newest block. */
  readonly hash: string;
  readonly history: DidHistory;
}

export function createResolver(options: ResolverOptions): Resolver {
  const { client, profile = zetrixProfile, now, chain } = options;
  const keys = createKeyFormat(profile, sha256);
  const newCaches = () => ({
    entries: new RecentMap<string, RecordedEntry>(resolverLimits.cachedEntriesMax),
    histories: new RecentMap<string, SeenHistory>(resolverLimits.cachedHistoriesMax),
  });
  let caches = newCaches();

  let changesSeen = 0;
  /** A chain that has come back otherwise may hold the same entries at other places. */
  const forgetOtherChain = (): void => {
    if (!chain || chain.changes === changesSeen) return;
    changesSeen = chain.changes;
    caches = newCaches();
  };

  const readSubject = async ({ did, publicKey }: LedgerDid) => {
    forgetOtherChain();
    const { entries, histories } = caches;
    const address = keys.addressOf(publicKey);
    const { result } = await client.getLedger({});
    const hash = result?.header.hash ?? '';
    const chainId = BigInt(result?.header.chain_id ?? 0);
    const seen = histories.get(address);
    // Nothing can have changed while the newest block is the same one.
    const isFresh = seen !== undefined && hash !== '' && seen.hash === hash;
    // What is remembered for a block is read from nodes that have it.
    if (!isFresh) await chain?.reach(BigInt(result?.header.seq ?? 0));
    const history = isFresh ? seen.history : await readDidHistory(client, address, entries);
    if (!isFresh) histories.set(address, { hash, history });
    // Microseconds; blocks may be ahead of the service's clock.
    const headSeconds = Number(BigInt(result?.header.close_time ?? 0) / 1_000_000n);
    return { subject: { did, publicKey, chainId, records: history.entries }, headSeconds };
  };

  const readResolve = async (did: string): Promise<ReadDid['resolve']> => {
    const parsed = parseDid(did, profile);
    if (typeof parsed === 'string') return () => parsed;
    const nowSeconds = Math.floor(now() / 1_000);
    if (parsed.method === 'key')
      return ({ versionId, versionTime = nowSeconds } = {}) =>
        versionId !== undefined || versionTime > nowSeconds ? 'notFound' : resolveKeyDid(parsed);
    const { subject, headSeconds } = await orUnreachable(readSubject(parsed));
    return ({ versionId, versionTime } = {}) =>
      versionTime !== undefined && versionTime > Math.max(nowSeconds, headSeconds)
        ? 'notFound'
        : (resolveSubject(subject, { versionId, versionTime, nowSeconds }, keys) ?? 'notFound');
  };

  const readDid: Resolver['readDid'] = async (did) => {
    const resolve = await readResolve(did);
    return {
      resolve,
      issuerKey(verificationMethod, at) {
        const present = resolved(resolve());
        if (present.metadata.deactivated) throw new Fault('didDeactivated');
        if (at !== undefined && !(at >= 0))
          throw new Fault('keyNotPublished', { detail: 'the time is not one' });
        // A proof from the future is for its reader to refuse; its key is looked for among today's.
        const isPast = at !== undefined && at < now();
        const then = isPast ? resolved(resolve({ versionTime: Math.floor(at / 1_000) })) : present;
        const relationship = 'assertionMethod';
        const key = findDocumentKey({ present, then }, { verificationMethod, relationship });
        if (!key) throw new Fault('keyNotPublished');
        return key;
      },
    };
  };

  return { readDid, resolveDid: async (did, options) => (await readDid(did)).resolve(options) };
}

function resolved(outcome: DidResolution | ResolutionRefusal): DidResolution {
  if (typeof outcome === 'object') return outcome;
  if (outcome === 'invalidDid') throw new Fault('didMalformed');
  throw new Fault(outcome === 'methodNotSupported' ? 'methodUnsupported' : 'didUnknown');
}

async function orUnreachable<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (cause) {
    throw isLedgerTrouble(cause) ? new Fault('ledgerUnreachable', { cause }) : cause;
  }
}
