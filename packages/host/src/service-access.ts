/**
 * Who calls, and may they: reads the API key, asks whose it is, counts the call, and compares scopes. A call counts
 * against its key, or without one against its address. Wrong keys count against the address: beyond a number of them
 * nothing that costs is done to find out whose a key is, and a key that is known to be good works all the same, so that
 * nobody locks out a neighbour.
 */
import { Fault } from '@symbolon/core/faults';
import { serviceHttpLimits } from '@symbolon/core/limits';
import type { ApiScope, Caller, ServiceRoute } from '@symbolon/wire/service-route';
import {
  addressCaller,
  createRateLimiter,
  type RateLimiter,
  type RatePolicy,
  type RateVerdict,
  rateHeaders,
} from './rate-limit.ts';

/** `thorough` may cost a look-up; `known` costs next to nothing, and may miss a key that is seconds old. */
export type KeyEffort = 'thorough' | 'known';

/** Whose key this is; undefined for no valid key. */
export type Authenticate = (token: string, effort: KeyEffort) => Promise<Omit<Caller, 'address'> | undefined>;

export interface RatePolicies {
  readonly light: RatePolicy;
  readonly heavy: RatePolicy;
  /** Wrong keys from one address. */
  readonly wrongKeys?: RatePolicy;
}

export interface AccessOptions {
  readonly authenticate: Authenticate;
  readonly rates: RatePolicies;
  readonly nowMs: () => number;
}

export interface Access {
  /** Takes one call from what a caller has left, and says in headers how much that is. */
  count(caller: string, route: ServiceRoute): Counted;
  /**
   * The caller that the first of the keys makes, or nobody in particular; throws `notAllowed`, and `notAuthenticated`,
   * also where another of them is another caller's.
   */
  identify(tokens: readonly string[], route: ServiceRoute, address: string): Promise<Caller>;
}

export interface Counted {
  readonly headers: Readonly<Record<string, string>>;
  /** `tooManyRequests`, when nothing was left. */
  readonly fault?: Fault;
}

const wrongKeysDefault: RatePolicy = { perMinute: 30, burst: 30 };
const isKeySized = (token: string): boolean =>
  token !== '' && token.length <= serviceHttpLimits.apiKeyCharsMax;
const nothing: ReadonlySet<ApiScope> = new Set();

export function createAccess({ authenticate, rates, nowMs }: AccessOptions): Access {
  const limiters: Record<ServiceRoute['cost'], RateLimiter> = {
    light: createRateLimiter(rates.light, { nowMs }),
    heavy: createRateLimiter(rates.heavy, { nowMs }),
  };
  const wrongKeys = createRateLimiter(rates.wrongKeys ?? wrongKeysDefault, { nowMs });

  const checkToken = async (token: string, address: string): Promise<Caller> => {
    const place = addressCaller(address);
    const looked = wrongKeys.look(place);
    const known = isKeySized(token)
      ? await authenticate(token, looked.isAllowed ? 'thorough' : 'known')
      : undefined;
    if (known) return { ...known, address };
    if (!looked.isAllowed) throw tooMany(looked);
    wrongKeys.take(place);
    throw new Fault('notAuthenticated', { detail: 'the API key is not valid' });
  };

  /** Clients send the token of a gateway beside the key: what is nobody's here names no second caller. */
  const refuseSecond = async ({ keyId }: Caller, others: readonly string[]): Promise<void> => {
    for (const other of others.filter(isKeySized)) {
      const second = await authenticate(other, 'thorough');
      if (second && second.keyId !== keyId) throw twoCallers();
    }
  };

  return {
    count(caller, { cost }) {
      const limiter = limiters[cost];
      const verdict = limiter.take(caller);
      const headers = rateHeaders(cost, limiter.policy, verdict);
      return verdict.isAllowed ? { headers } : { headers, fault: tooMany(verdict) };
    },
    async identify([token, ...others], route, address) {
      if (route.access === 'open') return { scopes: nothing, address };
      if (token === undefined) {
        if (route.access === 'key') throw new Fault('notAuthenticated', { detail: 'an API key is needed' });
        return { scopes: nothing, address };
      }
      const caller = await checkToken(token, address);
      await refuseSecond(caller, others);
      if (route.scope !== undefined && !caller.scopes.has(route.scope))
        throw new Fault('notAllowed', { detail: `the API key lacks the scope ${route.scope}` });
      return caller;
    },
  };
}

const tooMany = ({ resetSeconds }: RateVerdict) =>
  new Fault('tooManyRequests', { retryAfterSeconds: resetSeconds });

/** A request is one caller's: which of two was meant is not guessed. */
export const twoCallers = (): Fault =>
  new Fault('notAuthenticated', { detail: 'the request names two callers: send one API key' });

/** Whom a call counts against. */
export const rateCaller = ({ keyId, address }: Caller): string =>
  keyId === undefined ? `address ${addressCaller(address)}` : `key ${keyId}`;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The API keys of a request's headers, `x-api-key` and `Authorization: Bearer`, each once; the first decides. */
export function headerTokens(headers: Headers): readonly string[] {
  const { authorization, 'x-api-key': apiKey } = headers;
  const own = typeof apiKey === 'string' && apiKey !== '' ? [apiKey.trim()] : [];
  const bearer = typeof authorization === 'string' ? [bearerToken(authorization)] : [];
  return [...new Set([...own, ...bearer.filter((token) => token !== '' || own.length === 0)])];
}

/** With or without the word in front, as old clients write it. */
export const bearerToken = (text: string): string => text.replace(/^Bearer(?:\s+|$)/i, '').trim();
