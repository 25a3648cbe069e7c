/**
 * Who calls, and may they: reads the API key, asks whose it is, counts the call, and compares scopes. A call counts
 * against its key, or without one against its address. Wrong keys count against the address: beyond a number of them
 * nothing that costs is done to find out whose a key is, and a key that is known to be good works all the same, so that
 * nobody locks out a neighbour.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { serviceHttpLimits } from '@symbolon/core/limits/limits';
import type { ApiScope, Caller, ServiceRoute } from '@symbolon/wire/http/service-route';
import {
  addressCaller,
  createRateLimiter,
  type RateLimiter,
  type RatePolicy,
  type RateVerdict,
  rateHeaders,
} from '../http/rate-limit.ts';

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
  /** Whether a text has the form of a key, whoever's; any has, if left out. Gateways want others beside it. */
  readonly isApiKey?: ((token: string) => boolean) | undefined;
}

export interface Access {
  /** Takes one call from what a caller has left, and says in headers how much that is. */
  count(caller: string, route: ServiceRoute): Counted;
  /** What a request shows as its key, in headers or body; throws `requestMalformed` where it shows two keys. */
  tokenOf(headers: Headers, inBody?: string): string | undefined;
  /** The caller that a key makes, or nobody in particular; throws `notAuthenticated`, `notAllowed`. */
  identify(token: string | undefined, route: ServiceRoute, address: string): Promise<Caller>;
}

export interface Counted {
  readonly headers: Readonly<Record<string, string>>;
  /** `tooManyRequests`, when nothing was left. */
  readonly fault?: Fault;
}

const wrongKeysDefault: RatePolicy = { perMinute: 30, burst: 30 };
const nothing: ReadonlySet<ApiScope> = new Set();

export function createAccess({ authenticate, rates, nowMs, isApiKey }: AccessOptions): Access {
  const limiters: Record<ServiceRoute['cost'], RateLimiter> = {
    light: createRateLimiter(rates.light, { nowMs }),
    heavy: createRateLimiter(rates.heavy, { nowMs }),
  };
  const wrongKeys = createRateLimiter(rates.wrongKeys ?? wrongKeysDefault, { nowMs });

  const checkToken = async (token: string, address: string): Promise<Caller> => {
    const place = addressCaller(address);
    const looked = wrongKeys.look(place);
    const known =
      token.length <= serviceHttpLimits.apiKeyCharsMax && token !== ''
        ? await authenticate(token, looked.isAllowed ? 'thorough' : 'known')
        : undefined;
    if (known) return { ...known, address };
    if (!looked.isAllowed) throw tooMany(looked);
    wrongKeys.take(place);
    throw new Fault('notAuthenticated', { detail: 'the API key is not valid' });
  };

  return {
    count(caller, { cost }) {
      const limiter = limiters[cost];
      const verdict = limiter.take(caller);
      const headers = rateHeaders(cost, limiter.policy, verdict);
      return verdict.isAllowed ? { headers } : { headers, fault: tooMany(verdict) };
    },
    tokenOf(headers, inBody) {
      const shown = shownTokens(headers, inBody);
      const keys = shown.filter((token) => token !== '' && (isApiKey?.(token) ?? true));
      // Whose lists and rights count would be a guess.
      if (new Set(keys).size > 1)
        throw new Fault('requestMalformed', { detail: 'two API keys are shown: show one' });
      return shown[0];
    },
    async identify(token, route, address) {
      if (route.access === 'open') return { scopes: nothing, address };
      if (token === undefined) {
        if (route.access === 'key') throw new Fault('notAuthenticated', { detail: 'an API key is needed' });
        return { scopes: nothing, address };
      }
      const caller = await checkToken(token, address);
      if (route.scope !== undefined && !caller.scopes.has(route.scope))
        throw new Fault('notAllowed', { detail: `the API key lacks the scope ${route.scope}` });
      return caller;
    },
  };
}

const tooMany = ({ resetSeconds }: RateVerdict) =>
  new Fault('tooManyRequests', { retryAfterSeconds: resetSeconds });

/** Whom a call counts against. */
export const rateCaller = ({ keyId, address }: Caller): string =>
  keyId === undefined ? `address ${addressCaller(address)}` : `key ${keyId}`;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** `x-api-key`, `Authorization: Bearer`, then the body's. */
function shownTokens(headers: Headers, inBody: string | undefined): readonly string[] {
  const { authorization, 'x-api-key': apiKey } = headers;
  return [
    ...(typeof apiKey === 'string' && apiKey !== '' ? [apiKey.trim()] : []),
    ...(typeof authorization === 'string' ? [bearerToken(authorization)] : []),
    ...(inBody !== undefined ? [bearerToken(inBody)] : []),
  ];
}

/** With or without the word in front, as old clients write it. */
const bearerToken = (text: string): string => text.replace(/^Bearer(?:\s+|$)/i, '').trim();
