/**
 * Who calls, and may they: reads the API key, asks whose it is, counts the call, and compares scopes. A call counts
 * against its key, or without one against its address. Wrong keys count against the address. After too many of them
 * keys of that address are no longer looked up; a key that is already known still works, so that nobody can lock out a
 * neighbour.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { ApiScope, Caller, ServiceRoute } from '@symbolon/wire/http/service-route';
import {
  addressCaller,
  createRateLimiter,
  type RateLimiter,
  type RatePolicy,
  type RateVerdict,
  rateHeaders,
} from '../http/rate-limit.ts';
import { serviceHttpLimits } from '../limits/server-limits.ts';

/** `thorough` may cost a look-up; `known` costs next to nothing, and may miss a key that is seconds old. */
export type KeyEffort = 'thorough' | 'known';

/** Whose key this is; undefined for no valid key. */
export type Authenticate = (token: string, effort: KeyEffort) => Promise<Omit<Caller, 'address'> | undefined>;

/** How a request shows who calls: an API key today. The session of a browser would be another source. */
export interface CallerSource {
  /** What a request shows, in headers or body; throws `requestMalformed` where it shows two things. */
  tokenOf(headers: Headers, inBody?: string): string | undefined;
  readonly authenticate: Authenticate;
}

export interface RatePolicies {
  readonly light: RatePolicy;
  readonly heavy: RatePolicy;
  /** Wrong keys from one address. */
  readonly wrongKeys?: RatePolicy;
}

export interface ApiKeyOptions {
  readonly authenticate: Authenticate;
  /** Whether a text has the form of a key, whoever's; any has, if left out. Gateways want others beside it. */
  readonly isApiKey?: ((token: string) => boolean) | undefined;
}

export interface AccessOptions {
  readonly source: CallerSource;
  readonly rates: RatePolicies;
  readonly nowMs: () => number;
}

export interface Access extends Pick<CallerSource, 'tokenOf'> {
  /** Takes one call from what a caller has left, and says in headers how much that is. */
  count(caller: string, route: ServiceRoute): Counted;
  /** The caller that a key makes, or nobody in particular; throws `notAuthenticated`. */
  identify(token: string | undefined, route: ServiceRoute, address: string): Promise<Caller>;
  /** `notAllowed`, for a caller whose key lacks the scope of the route. */
  scopeProblem(caller: Caller, route: ServiceRoute): Fault | undefined;
}

export interface Counted {
  readonly headers: Readonly<Record<string, string>>;
  /** `tooManyRequests`, when nothing was left. */
  readonly fault?: Fault;
}

const wrongKeysDefault: RatePolicy = { perMinute: 30, burst: 30 };
const nothing: ReadonlySet<ApiScope> = new Set();

export const apiKeySource = ({ authenticate, isApiKey = () => true }: ApiKeyOptions): CallerSource => ({
  authenticate,
  tokenOf(headers, inBody) {
    const shown = shownTokens(headers, inBody);
    const keys = shown.filter((token) => token !== '' && isApiKey(token));
    // Whose lists and rights count would be a guess.
    if (new Set(keys).size > 1)
      throw new Fault('requestMalformed', { detail: 'two API keys are shown: show one' });
    return shown[0];
  },
});

export function createAccess({ source, rates, nowMs }: AccessOptions): Access {
  const limiters: Record<ServiceRoute['cost'], RateLimiter> = {
    light: createRateLimiter(rates.light, { nowMs }),
    heavy: createRateLimiter(rates.heavy, { nowMs }),
  };
  const wrongKeys = createRateLimiter(rates.wrongKeys ?? wrongKeysDefault, { nowMs });

  const checkToken = async (token: string, address: string): Promise<Caller> => {
    const addressKey = addressCaller(address);
    const looked = wrongKeys.look(addressKey);
    const known =
      token.length <= serviceHttpLimits.apiKeyCharsMax && token !== ''
        ? await source.authenticate(token, looked.isAllowed ? 'thorough' : 'known')
        : undefined;
    if (known) return { ...known, address };
    if (!looked.isAllowed) throw tooMany(looked);
    wrongKeys.take(addressKey);
    throw new Fault('notAuthenticated', { detail: 'the API key is not valid' });
  };

  return {
    count(caller, { cost }) {
      const limiter = limiters[cost];
      const verdict = limiter.take(caller);
      const headers = rateHeaders(cost, limiter.policy, verdict);
      return verdict.isAllowed ? { headers } : { headers, fault: tooMany(verdict) };
    },
    tokenOf: source.tokenOf,
    async identify(token, route, address) {
      if (route.access === 'open') return { scopes: nothing, address };
      if (token === undefined) {
        if (route.access === 'key') throw new Fault('notAuthenticated', { detail: 'an API key is needed' });
        return { scopes: nothing, address };
      }
      return checkToken(token, address);
    },
    scopeProblem: ({ scopes }, { scope }) =>
      scope === undefined || scopes.has(scope)
        ? undefined
        : new Fault('notAllowed', { detail: `the API key lacks the scope ${scope}` }),
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
