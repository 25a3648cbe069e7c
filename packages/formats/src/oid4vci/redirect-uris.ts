/**
 * Where an authorization server sends a browser back to: addresses that a client has registered, compared character by
 * character (RFC 9700), but for the port of an application on this machine, which it does not know beforehand (RFC 8252).
 */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { oid4vciLimits as limits } from '../limits/oid4vci-limits.ts';

/** What an address may hold at all: nothing that a header or a page would read in another way. */
const characters = /^[A-Za-z0-9\-._~:/?[\]@!$&()*+,;=%]+$/;
/** The scheme of an application, named after a domain of its maker. */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\//;
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/;

/** Parameters of the answer itself. */
const answerNames = ['code', 'state', 'iss', 'error', 'error_description'] as const;
export type AuthorizationAnswer = Readonly<Partial<Record<(typeof answerNames)[number], string>>>;

function wayProblem(uri: string): Complaint | undefined {
  if (privateScheme.test(uri) || loopback.test(uri)) return undefined;
  const { protocol, hostname, username, password } = new URL(uri);
  if (protocol !== 'https:' || hostname === '')
    return {
      complaint: 'must be https, of a scheme with a dot that ends with :/, or http at 127.0.0.1 or [::1]',
    };
  return username + password === '' ? undefined : { complaint: 'must not hold a name or a password' };
}

/** What is wrong with an address that a client would register. */
export function redirectUriProblem(uri: string): Complaint | undefined {
  if (uri.length > limits.redirectUriCharsMax)
    return { complaint: `must have at most ${limits.redirectUriCharsMax} characters` };
  if (!characters.test(uri) || !URL.canParse(uri))
    return { complaint: 'must be an address without a fragment, in plain characters' };
  const problem = wayProblem(uri);
  if (problem) return problem;
  const taken = answerNames.find((name) => new URL(uri).searchParams.has(name));
  return taken === undefined ? undefined : { complaint: `must not have the parameter ${taken}` };
}

const withoutPort = (uri: string): string | undefined => {
  const [head] = loopback.exec(uri) ?? [];
  return head === undefined ? undefined : head.replace(/:\d+$/, '') + uri.slice(head.length);
};

/** Whether a client has registered this very address. */
export const isRegisteredRedirect = (registered: readonly string[], given: string): boolean =>
  redirectUriProblem(given) === undefined &&
  registered.some((one) => {
    const portless = withoutPort(one);
    return one === given || (portless !== undefined && portless === withoutPort(given));
  });

/** The address with the answer in its query; its own characters stay as they are. */
export function answerAddress(uri: string, answer: AuthorizationAnswer): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const mark = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  return `${uri}${mark}${new URLSearchParams(given)}`;
}
