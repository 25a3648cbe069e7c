/**
 * Whether a call comes from this machine, for it: the keys of a demo are shown to nobody else. The service must listen
 * here alone, the connection come from here, the browser mean this machine by name, and nobody pass the request on.
 */
import { isLocalHost, isLocalName } from '@symbolon/host/http/web-pages';
import type { Call } from '@symbolon/wire/http/service-route';

const passedOn = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

export function isOfOwnMachine(
  { caller, header }: Pick<Call, 'caller' | 'header'>,
  { isLocal }: { readonly isLocal: boolean },
): boolean {
  const address = caller.address.replace(/^::ffff:/i, '');
  const host = header('host') ?? '';
  return (
    isLocal &&
    isLocalName(address) &&
    isLocalHost(host) &&
    passedOn.every((name) => header(name) === undefined)
  );
}
