/**
 * What web pages may do with a server, judged by what browsers say of themselves: `Origin`, `Sec-Fetch-Site` and `Host`.
 * Programs say none of it and pass. A page of another origin may read what is public, if anything, and is refused all
 * else before its request is looked at, whatever media type it has: forms and scripts send bodies across origins without
 * asking. A server of this machine alone answers to its own names only, so that a page whose name was bound to this
 * machine afterwards is no page of ours.
 */
import { isIP } from 'node:net';
import { z } from 'zod';
import { emptyIsMeant } from '../config/config-settings.ts';

/** Pages that may do what programs may. */
export interface PagePolicy {
  readonly origins: readonly string[] | '*';
  /** Whether every page may read what is public. */
  readonly arePublicReads: boolean;
  /** The server's own origin, as clients see it. */
  readonly publicUrl?: string | undefined;
  /** Whether it listens on this machine alone. */
  readonly isLocal: boolean;
}

/** No page but the server's own. */
export const closedToPages: PagePolicy = { origins: [], arePublicReads: false, isLocal: false };

const everyPage = '*';
const publicReads = 'public';
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/\s,?#@]+$/;

const wordsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

function isPageList(text: string): boolean {
  const words = wordsOf(text);
  const isGood = (word: string) => word === publicReads || (origin.test(word) && URL.canParse(word));
  return words.every(isGood) || (words.length === 1 && words[0] === everyPage);
}

/** The setting that names pages. An empty one is meant: none. */
export const allowOriginSetting = () =>
  emptyIsMeant(
    z
      .string()
      .refine(
        isPageList,
        'must be public, origins such as https://app.example with commas between, * for every page, or empty for none',
      ),
  ).default(publicReads);

/** The setting that says where clients reach a server. */
export const originSetting = () =>
  z.string().refine(isHttpOrigin, 'must be an origin such as https://verifier.example');

const isHttpOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
};

export interface PageSettings {
  readonly allowOrigin: string;
  /** Where it listens. */
  readonly host: string;
  readonly publicUrl?: string | undefined;
}

export function pagePolicy({ allowOrigin, host, publicUrl }: PageSettings): PagePolicy {
  const words = wordsOf(allowOrigin);
  return {
    origins: words.includes(everyPage) ? everyPage : words.filter((word) => word !== publicReads),
    arePublicReads: words.includes(publicReads),
    publicUrl,
    isLocal: isLocalName(host),
  };
}

/** What a browser says of itself and of whom it calls. */
export interface PageHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

export type PageVerdict =
  | { readonly refused: 'host' | 'origin' }
  /** Who may read the answer, beside pages of the same origin. */
  | { readonly refused?: undefined; readonly readableBy?: string };

export function judgePage(policy: PagePolicy, headers: PageHeaders, isPublic: boolean): PageVerdict {
  const { host, origin } = headers;
  if (policy.isLocal && host !== undefined && !isOwnName(policy, host)) return { refused: 'host' };
  if (!isForeign(policy, headers)) return {};
  if (policy.origins === '*') return { readableBy: '*' };
  if (origin !== undefined && policy.origins.includes(origin)) return { readableBy: origin };
  if (!isPublic) return { refused: 'origin' };
  // Without an origin nobody reads the answer: it is a picture, or a link that somebody has followed.
  if (origin === undefined) return {};
  return policy.arePublicReads ? { readableBy: '*' } : { refused: 'origin' };
}

/** Whether a header `Host` names this machine by a name that it has for itself alone. */
export const isLocalHost = (host: string): boolean => isLocalName(nameOf(host));

const nameOf = (host: string): string => URL.parse(`http://${host}`)?.hostname ?? '';

/** The names and addresses of this machine for itself. */
export const isLocalName = (name: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(name);

const isOwnName = ({ publicUrl }: PagePolicy, host: string): boolean => {
  const name = nameOf(host);
  return isLocalName(name) || (publicUrl !== undefined && name === new URL(publicUrl).hostname);
};

function isForeign({ publicUrl }: PagePolicy, headers: PageHeaders): boolean {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (origin === undefined) return site === 'cross-site' || site === 'same-site';
  if (origin === publicUrl) return false;
  const page = URL.parse(origin);
  if (!page || !/^https?:$/.test(page.protocol)) return true;
  // A name can be bound to any machine; addresses, and the name that the operator has given, cannot.
  const isKnownName = publicUrl === undefined || isIP(page.hostname.replaceAll(/[[\]]/g, '')) > 0;
  return !(isKnownName || isLocalName(page.hostname)) || page.host !== hostOf(host, page.protocol);
}

/** The host of an address, as an origin of this scheme spells it. */
const hostOf = (host: string, protocol: string): string => URL.parse(`${protocol}//${host}`)?.host ?? '';
