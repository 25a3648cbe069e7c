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

type Settings = OpenidParts['settings'];

const markChars = 16;
const isSecureAt = ({ publicUrl }: Settings): boolean => publicUrl.startsWith('https:');
const cookieName = (id: string, settings: Settings): string =>
  ownCookieName(`symbolon-authorization-${sha256Hex(id).slice(0, markChars)}`, isSecureAt(settings));

/** The header that gives it, or takes it away where there is no secret. */
export const browserCookie = (id: string, settings: Settings, secret?: string): string =>
  cookieText(cookieName(id, settings), {
    ...(secret !== undefined && { secret, seconds: limits.loginSeconds + limits.continueSeconds }),
    isSecure: isSecureAt(settings),
    // The issuer's page leads here, which is another site.
    sameSite: 'Lax',
  });

export function isSameBrowser(
  { id, browserHash }: Pick<Authorization, 'id' | 'browserHash'>,
  settings: Settings,
  header: string | undefined,
): boolean {
  const name = cookieName(id, settings);
  const shown = cookiesIn(header, name).get(name) ?? '';
  return shown !== '' && browserHash !== null && equalTexts(secretHash(shown), browserHash);
}
