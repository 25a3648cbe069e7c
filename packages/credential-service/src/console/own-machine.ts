/**
 * Whether a call comes from this machine, for it: the keys of a demo are shown to nobody else. The service must listen
 * here alone, the connection come from here, the browser mean this machine by name, and nobody pass the request on.
 */
import { isLocalHost, isLocalName } from '@symbolon/host/http/web-pages';
import type { Call } from '@symbolon/wire/http/service-route';

/** What our own clients send beside what browsers do. */
const ownHeaders = ['api-key', 'request-id', 'symbolon-.+', 'wallet-.+', 'payment', 'custody-.+'];

/**
 * Headers by which those who pass requests on tell of themselves: by the standards, and as clouds and tunnels call them.
 * No browser sends one by itself, nor one that begins with `x-`: who puts such a one in stands in between.
 */
const passedOn = new RegExp(
  `^(?:${[
    'forwarded|via|cdn-loop|front-end-https',
    `x-(?!(?:${ownHeaders.join('|')})$).+`,
    '.*(?:proxy|client-ip).*',
    '(?:cf|fly|ngrok|tailscale)-.+',
  ].join('|')})$`,
);

export function isOfOwnMachine(
  { caller, header, headerNames }: Pick<Call, 'caller' | 'header' | 'headerNames'>,
  { isLocal }: { readonly isLocal: boolean },
): boolean {
  const address = caller.address.replace(/^::ffff:/i, '');
  const host = header('host') ?? '';
  return (
    isLocal && isLocalName(address) && isLocalHost(host) && !headerNames.some((name) => passedOn.test(name))
  );
}
