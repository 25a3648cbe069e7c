/**
 * Whether a call comes from this machine, for it: the keys of a demo are shown to nobody else. The service must listen
 * here alone, the connection come from here, the browser mean this machine by name, and nobody pass the request on.
 */
import { isLocalHost, isLocalName } from '@symbolon/host/http/web-pages';
import type { Call } from '@symbolon/wire/http/service-route';

/**
 * What browsers and programs send by themselves, and what our own clients do. Those who pass requests on tell of
 * themselves by headers of many names, and new ones are thought of: whatever is not sent from here was put in on the way.
 */
const sentFromHere = new RegExp(
  `^(?:${[
    'host|connection|keep-alive|upgrade|http2-settings|te|trailer|transfer-encoding|expect|content-.+',
    'user-agent|accept|accept-.+|authorization|cookie|origin|referer|range|if-.+|cache-control|pragma|priority',
    'sec-.+|upgrade-insecure-requests|dnt|save-data|purpose|alt-used|last-event-id|service-worker',
    'idempotency-key|x-(?:api-key|request-id|payment|symbolon-.+|wallet-.+|custody-.+)',
  ].join('|')})$`,
);

/** No browser and no client of today speaks an older one; proxies do, if nobody tells them otherwise. */
const ownHttpVersion = '1.1';

export function isOfOwnMachine(
  {
    caller,
    header,
    headerNames,
    httpVersion,
  }: Pick<Call, 'caller' | 'header' | 'headerNames' | 'httpVersion'>,
  { isLocal }: { readonly isLocal: boolean },
): boolean {
  const address = caller.address.replace(/^::ffff:/i, '');
  const host = header('host') ?? '';
  return (
    isLocal &&
    isLocalName(address) &&
    isLocalHost(host) &&
    httpVersion === ownHttpVersion &&
    headerNames.every((name) => sentFromHere.test(name))
  );
}
