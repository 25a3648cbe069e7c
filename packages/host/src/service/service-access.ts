/**
 * Who calls, and may they: reads the API key or the session of a browser, asks whose it is, counts the call, and compares
 * scopes. A call counts against its key, or without one against its address. Wrong keys count against the address. After
 * too many of them keys of that address are no longer looked up; a key that is already known still works, so that nobody
 * can lock out a neighbour.
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
import type { RateSharing } from '../http/rate-sharing.ts';
import { serviceHttpLimits } from '../limits/server-limits.ts';

/** `thorough` may cost a look-up; `known` costs next to nothing, and may miss a key that is seconds old. */
export type KeyEffort = 'thorough' | 'known';

/** Whose key this is; undefined for no valid key. */
export type Authenticate = (token: string, effort: KeyEffort) => Promise<Omit<Caller, 'address'> | undefined>;

/** What a request shows of who calls, not believed yet. */
export interface Claim {
  readonly what: 'API key' | 'session';
  /** Undefined where it proves nothing. */
  prove(effort: KeyEffort): Promise<Omit<Caller, 'address'> | undefined>;
}

/** How a request shows who calls: by an API key, or by the session of a browser (`browser-session-claim.ts`). */
export interface CallerSource {
  /** What a request shows, in headers or body; throws `requestMalformed` where it shows two things. */
  claimOf(headers: ShownHeaders, inBody?: string): Claim | undefined;
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
  /** Other processes that serve the same callers. */
  readonly rateSharing?: RateSharing | undefined;
}

export interface Access extends CallerSource {
  /** Takes one call from what a caller has left, and says in headers how much that is. */
  count(caller: string, route: Pick<ServiceRoute, 'cost'>): Counted;
  /** The caller that a claim makes, or nobody in particular; throws `notAuthenticated`. */
  identify(claim: Claim | undefined, route: ServiceRoute, address: string): Promise<IdentifiedCaller>;
}

/** Who it is, and what keeps a known caller from the route: `notAllowed`. */
export interface IdentifiedCaller {
  readonly caller: Caller;
  readonly fault?: Fault;
}

export interface Counted {
  readonly headers: Readonly<Record<string, string>>;
  /** `tooManyRequests`, when nothing was left. */
  readonly fault?: Fault;
}

const wrongKeysDefault: RatePolicy = { perMinute: 30, burst: 30 };
const nothing: ReadonlySet<ApiScope> = new Set();

/** `session`, if given, reads the session of a browser from the same headers. */
export const callerSource = (
  { authenticate, isApiKey = () => true }: ApiKeyOptions,
  session?: (headers: ShownHeaders) => Claim | undefined,
): CallerSource => ({
  claimOf(headers, inBody) {
    const shown = shownTokens(headers, inBody);
    const keys = shown.filter((token) => token !== '' && isApiKey(token));
    // Whose lists and rights count would be a guess.
    if (new Set(keys).size > 1)
      throw new Fault('requestMalformed', { detail: 'two API keys are shown: show one' });
    const browser = session?.(headers);
    // Of any form, an empty one too: whoever sends a key that is wrong must not be answered as if it were right.
    if (browser && (headers['x-api-key'] !== undefined || shown.some((token) => !isOfGateway(token))))
      throw new Fault('requestMalformed', { detail: 'an API key and a session are shown: show one' });
    return browser ?? (shown[0] === undefined ? undefined : keyClaim(shown[0], authenticate));
  },
});

const keyClaim = (token: string, authenticate: Authenticate): Claim => ({
  what: 'API key',
  prove: async (effort) =>
    token.length <= serviceHttpLimits.apiKeyCharsMax && token !== ''
      ? authenticate(token, effort)
      : undefined,
});

const notValid: Readonly<Record<Claim['what'], string>> = {
  'API key': 'the API key is not valid',
  session: 'the session has ended, or is not of this browser: sign in again',
};

export function createAccess({ source, rates, nowMs, rateSharing: sharing }: AccessOptions): Access {
  const limiterOf = (kind: string, policy: RatePolicy): RateLimiter =>
    createRateLimiter(policy, { nowMs, shared: sharing && { sharing, kind } });
  const limiters: Record<ServiceRoute['cost'], RateLimiter> = {
    light: limiterOf('light', rates.light),
    heavy: limiterOf('heavy', rates.heavy),
  };
  const wrongKeys = limiterOf('wrongKeys', rates.wrongKeys ?? wrongKeysDefault);

  const checkClaim = async ({ what, prove }: Claim, address: string): Promise<Caller> => {
    const addressKey = addressCaller(address);
    const looked = wrongKeys.look(addressKey);
    const known = await prove(looked.isAllowed ? 'thorough' : 'known');
    if (known) return { ...known, address };
    if (!looked.isAllowed) throw tooMany(looked);
    wrongKeys.take(addressKey);
    throw new Fault('notAuthenticated', { detail: notValid[what] });
  };

  return {
    count(caller, { cost }) {
      const limiter = limiters[cost];
      const verdict = limiter.take(caller);
      const headers = rateHeaders(cost, limiter.policy, verdict);
      return verdict.isAllowed ? { headers } : { headers, fault: tooMany(verdict) };
    },
    claimOf: source.claimOf,
    async identify(claim, route, address) {
      const nobody = { caller: { scopes: nothing, address } };
      if (route.access === 'open' || route.access === 'grant') return nobody;
      if (claim === undefined) {
        if (route.access === 'key') throw new Fault('notAuthenticated', { detail: 'an API key is needed' });
        return nobody;
      }
      const caller = await checkClaim(claim, address);
      const { scope } = route;
      if (scope === undefined || caller.scopes.has(scope)) return { caller };
      const detail = `the ${claim.what} lacks the scope ${scope}`;
      return { caller, fault: new Fault('notAllowed', { detail }) };
    },
  };
}

const tooMany = ({ resetSeconds }: RateVerdict) =>
  new Fault('tooManyRequests', { retryAfterSeconds: resetSeconds });

/** Whom a call counts against. */
export const rateCaller = ({ keyId, address }: Caller): string =>
  keyId === undefined ? `address ${addressCaller(address)}` : `key ${keyId}`;

export type ShownHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** `x-api-key`, `Authorization: Bearer`, then the body's. */
function shownTokens(headers: ShownHeaders, inBody: string | undefined): readonly string[] {
  const { authorization, 'x-api-key': apiKey } = headers;
  return [
    ...(typeof apiKey === 'string' && apiKey !== '' ? [apiKey.trim()] : []),
    ...(typeof authorization === 'string' ? [bearerToken(authorization)] : []),
    ...(inBody !== undefined ? [bearerToken(inBody)] : []),
  ];
}

/** Another scheme than Bearer, such as the password of a proxy, which browsers send along with every request. */
const isOfGateway = (token: string): boolean => /^(?:Basic|Digest|Negotiate|NTLM) +\S/i.test(token);

/** With or without the word in front, as old clients write it. */
const bearerToken = (text: string): string => text.replace(/^Bearer(?:\s+|$)/i, '').trim();
