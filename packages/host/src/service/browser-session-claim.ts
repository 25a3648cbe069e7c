/**
 * The session of a browser as a request shows it: a header names it, and a cookie proves it. A cookie without the header
 * shows nothing, so that no form, picture or link acts for whoever is signed in. The name of the cookie is made of a hash
 * of the id: browsers send cookies to every port of a machine, and whoever listens at another one learns half of it.
 */
import { browserSessionHeader, isBrowserSessionId } from '@symbolon/wire/console/browser-session';
import { cookiesIn, cookieText, type GivenCookie, ownCookieName } from '../http/cookies.ts';
import { sha256Hex } from '../work/sha256.ts';
import type { Claim, KeyEffort, ShownHeaders } from './service-access.ts';

/** A session as it is shown; the secret is empty where the browser has no such cookie. */
export interface ShownSession {
  readonly id: string;
  readonly secret: string;
}

export interface BrowserSessionOptions {
  /** Whether browsers reach the server by https alone: then nobody else on its domain can set its cookies. */
  readonly isSecure: boolean;
  readonly authenticate: (session: ShownSession, effort: KeyEffort) => ReturnType<Claim['prove']>;
}

const namePrefix = (isSecure: boolean): string => ownCookieName('symbolon-session-', isSecure);
const markChars = 16;

/** Two sessions with the same mark are as unlikely as need be: a browser has a handful. */
export const browserSessionCookie = (id: string, isSecure: boolean): string =>
  `${namePrefix(isSecure)}${sha256Hex(id).slice(0, markChars)}`;

/** The part of a cookie's name that says whose it is: the beginning of the hash of the session's id. */
export const markOfCookie = (name: string): string => name.slice(-markChars);

/** The header that gives a cookie, or takes it away where there is no secret. */
export const setSessionCookie = (name: string, given: Omit<GivenCookie, 'sameSite'>): string =>
  cookieText(name, { ...given, sameSite: 'Strict' });

/** All cookies of sessions that a browser sends, by name. */
export const sessionCookies = (header: string | undefined, isSecure: boolean): ReadonlyMap<string, string> =>
  cookiesIn(header, namePrefix(isSecure));

export const browserSessionClaims =
  ({ isSecure, authenticate }: BrowserSessionOptions) =>
  (headers: ShownHeaders): Claim | undefined => {
    const { [browserSessionHeader]: id, cookie } = headers;
    if (id === undefined) return undefined;
    const prove: Claim['prove'] = async (effort) => {
      if (typeof id !== 'string' || !isBrowserSessionId(id)) return undefined;
      const cookies = sessionCookies(typeof cookie === 'string' ? cookie : undefined, isSecure);
      const secret = cookies.get(browserSessionCookie(id, isSecure)) ?? '';
      return secret === '' ? undefined : authenticate({ id, secret }, effort);
    };
    return { what: 'session', prove };
  };
