/** Cookies that no page can read: how they are called, given, taken away and found again. */

export interface GivenCookie {
  /** Nothing takes the cookie away. */
  readonly secret?: string;
  readonly seconds?: number;
  /** Whether browsers reach the server by https alone. */
  readonly isSecure: boolean;
  /** `Lax` also comes along where a link of somebody else leads here. */
  readonly sameSite: 'Strict' | 'Lax';
}

/** Over https by a name that nobody else on the domain of the server can set (RFC 6265bis). */
export const ownCookieName = (name: string, isSecure: boolean): string =>
  `${isSecure ? '__Host-' : ''}${name}`;

/** The header that gives a cookie, or takes it away. */
export function cookieText(
  name: string,
  { secret = '', seconds = 0, isSecure, sameSite }: GivenCookie,
): string {
  const attributes = [`Max-Age=${seconds}`, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`];
  return [`${name}=${secret}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
}

/**
 * Cookies that a browser sends and whose names begin so; one that comes twice was set by somebody else, and is none.
 */
export function cookiesIn(header: string | undefined, prefix: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const mark = pair.indexOf('=');
    const name = pair.slice(0, Math.max(mark, 0)).trim();
    if (!name.startsWith(prefix)) continue;
    found.set(name, found.has(name) ? '' : pair.slice(mark + 1).trim());
  }
  return found;
}
