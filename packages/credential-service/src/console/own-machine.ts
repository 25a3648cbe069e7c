/**
 * Whether a call comes from this machine, for it: the keys of a demo are shown to nobody else. The service must listen
 * here alone, the connection come from here, the browser mean this machine by name, and nobody pass the request on.
 */
import { isLocalHost, isLocalName } from '@symbolon/host/http/web-pages';
import type { Call } from '@symbolon/wire/http/service-route';

/**
 * Headers by which those who pass requests on tell of themselves: by the standards, by custom, and as clouds and tunnels
 * call them. No browser sends one by itself.
 */
const passedOn = new RegExp(
  `^(?:${[
    'forwarded|via|cdn-loop',
    'x-(?:original-)?(?:forwarded|host)(?:-.+)?',
    '(?:x-|x-cluster-|true-|fastly-)?client-ip|x-real-ip',
    '(?:cf|fly|ngrok|tailscale|x-amzn|x-appengine|x-arr|x-azure|x-envoy|x-vercel)-.+',
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
