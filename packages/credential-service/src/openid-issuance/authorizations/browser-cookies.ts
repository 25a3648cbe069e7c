/**
 * The cookie by which a browser is known that comes back from a login: whoever got somebody else's address to go on with
 * does not have it. One for each authorization, so that several may be under way.
 */
import { equalTexts } from '@symbolon/core/basics/bytes';
import { cookiesIn, cookieText, ownCookieName } from '@symbolon/host/http/cookies';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import type { OpenidParts } from '../parts/openid-parts.ts';
import { secretHash } from '../parts/openid-secrets.ts';
import type { Authorization } from './authorization-rows.ts';

type Settings = Pick<OpenidParts['settings'], 'publicUrl'>;

const markChars = 16;
const isSecureAt = ({ publicUrl }: Settings): boolean => publicUrl.startsWith('https:');
const namePrefix = (settings: Settings): string =>
  ownCookieName('symbolon-authorization-', isSecureAt(settings));
const cookieName = (id: string, settings: Settings): string =>
  `${namePrefix(settings)}${sha256Hex(id).slice(0, markChars)}`;

// The issuer's page leads back here, which is another site.
const attributes = (settings: Settings) => ({ isSecure: isSecureAt(settings), sameSite: 'Lax' }) as const;

/**
 * The headers that give a browser its cookie. One that has begun very often, perhaps because some page made it, loses the
 * others: it would come to send more than a header holds, and nothing here would answer it any more.
 */
export function givenCookies(
  id: string,
  settings: Settings,
  { secret, header }: { readonly secret: string; readonly header: string | undefined },
): string[] {
  const others = [...cookiesIn(header, namePrefix(settings)).keys()].filter((name) =>
    /-[0-9a-f]{16}$/.test(name),
  );
  const surplus = others.length < limits.loginsPerBrowserMax ? [] : others;
  const seconds = limits.loginSeconds + limits.continueSeconds;
  return [
    ...surplus.map((name) => cookieText(name, attributes(settings))),
    cookieText(cookieName(id, settings), { ...attributes(settings), secret, seconds }),
  ];
}

/** The header that takes it away. */
export const endedCookie = (id: string, settings: Settings): string =>
  cookieText(cookieName(id, settings), attributes(settings));

export function isSameBrowser(
  { id, browserHash }: Pick<Authorization, 'id' | 'browserHash'>,
  settings: Settings,
  header: string | undefined,
): boolean {
  const name = cookieName(id, settings);
  const shown = cookiesIn(header, name).get(name) ?? '';
  return shown !== '' && browserHash !== null && equalTexts(secretHash(shown), browserHash);
}
