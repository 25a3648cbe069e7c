/**
 * How often a caller may call, and how much it may ask for: a bucket of tokens for each caller and kind of work, which
 * fills up again all the time. The number of buckets is bounded: full ones are forgotten, and where there are too many,
 * those that were not used for the longest time. Each process counts for itself, and where several serve the same
 * callers, together with the others (`rate-sharing.ts`).
 */
import { isIPv6 } from 'node:net';
import { rateSharingLimits, serviceHttpLimits } from '../limits/server-limits.ts';
import type { RateSharing } from './rate-sharing.ts';

export interface RatePolicy {
  readonly perMinute: number;
  /** Calls that may come at once; a quarter of a minute's, unless said otherwise. */
  readonly burst?: number;
}

export interface RateVerdict {
  readonly isAllowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Seconds until there are enough tokens, at least 1, when there are not; else until the bucket is full. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  readonly policy: Required<RatePolicy>;
  /** Takes one token, or as many as the work costs: all of them or none. */
  take(caller: string, tokens?: number): RateVerdict;
  /** The same without taking anything. */
  look(caller: string): RateVerdict;
}

export interface RateLimiterOptions {
  readonly nowMs: () => number;
  readonly callersMax?: number;
  /** Under which name other processes count the same callers for the same kind of work. */
  readonly shared?: { readonly sharing: RateSharing; readonly kind: string } | undefined;
}

interface Bucket {
  /** Fewer than none where other processes have given some of the same ones meanwhile. */
  tokens: number;
  atMs: number;
  /** Given here since it was last heard what all have given. */
  unheard: number;
}

const minuteMs = 60_000;

export function createRateLimiter(given: RatePolicy, options: RateLimiterOptions): RateLimiter {
  const policy = { burst: Math.max(1, Math.ceil(given.perMinute / 4)), ...given };
  const { nowMs, callersMax = serviceHttpLimits.ratedCallersMax, shared } = options;
  const perMs = policy.perMinute / minuteMs;
  const leastTokens = shared ? -policy.burst : 0;
  const fillMs = (policy.burst - leastTokens) / perMs;
  /** Least recently seen first. */
  const buckets = new Map<string, Bucket>();

  const tokensOf = (caller: string, now: number): number => {
    const bucket = buckets.get(caller);
    // A clock that was set back must not empty anybody's bucket.
    return bucket
      ? Math.min(policy.burst, bucket.tokens + Math.max(0, now - bucket.atMs) * perMs)
      : policy.burst;
  };

  const tell = shared?.sharing.join(shared.kind, (caller, emptyMs) => {
    const tokens = Math.max(leastTokens, policy.burst - emptyMs * perMs);
    buckets.set(caller, { tokens, atMs: nowMs(), unheard: 0 });
  });

  const forget = (now: number): void => {
    for (const [caller, { atMs }] of buckets) {
      if (buckets.size <= callersMax && now - atMs < fillMs) return;
      buckets.delete(caller);
    }
  };

  const verdict = (tokens: number, isAllowed: boolean, wanted = 1): RateVerdict => {
    const missing = tokens < wanted ? wanted - tokens : policy.burst - tokens;
    return {
      isAllowed,
      remaining: Math.max(0, Math.floor(tokens)),
      resetSeconds: Math.max(1, Math.ceil(missing / perMs / 1000)),
    };
  };

  return {
    policy,
    look(caller) {
      const tokens = tokensOf(caller, nowMs());
      return verdict(tokens, tokens >= 1);
    },
    take(caller, wanted = 1) {
      const now = nowMs();
      const tokens = tokensOf(caller, now);
      const isAllowed = tokens >= wanted;
      const left = isAllowed ? tokens - wanted : tokens;
      const known = buckets.get(caller);
      const unheard = (known?.unheard ?? 0) + (isAllowed ? wanted : 0);
      buckets.delete(caller);
      buckets.set(caller, { tokens: left, atMs: now, unheard });
      forget(now);
      // Of somebody new, or who takes much, it matters what others have given.
      const isUrgent = !known || unheard >= policy.burst * rateSharingLimits.urgentShare;
      if (isAllowed) tell?.(caller, { ms: wanted / perMs, isUrgent });
      return isAllowed ? verdict(left, true) : verdict(left, false, wanted);
    },
  };
}

/** Addresses that count as one caller: whoever has one IPv6 address has the whole /64 network around it. */
export function addressCaller(address: string): string {
  const plain = address.split('%', 1)[0] as string;
  if (!isIPv6(plain)) return plain;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped) return mapped[1] as string;
  const [head = '', tail] = plain.split('::', 2) as [string, string?];
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const front = groups(head);
  const back = groups(tail ?? '').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const all = [...front, ...Array<string>(zeros).fill('0'), ...back];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** The fields of the IETF's draft on rate limit headers; names of policies are ours. */
export function rateHeaders(
  name: string,
  { burst, perMinute }: Required<RatePolicy>,
  { remaining, resetSeconds }: RateVerdict,
): Record<string, string> {
  const windowSeconds = Math.max(1, Math.round((burst * 60) / perMinute));
  return {
    'ratelimit-policy': `"${name}";q=${burst};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
