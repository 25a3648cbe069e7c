/** Where callbacks may go, as far as their text says (`outbound-address.ts` for the rest). */
import { Fault } from '@symbolon/core/faults/faults';
import { isOutOfReach, type OutboundReach, reachWords } from '../outbound/outbound-address.ts';

/** Throws `callbackRefused` for what can be seen to be no address for callbacks. */
export function checkCallbackUrl(text: string, reach: OutboundReach): void {
  const refuse = (detail: string) =>
    new Fault('callbackRefused', {
      detail: `/callbackUrl: ${detail}`,
      errors: [{ pointer: '/callbackUrl', detail }],
    });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw refuse('must be an address that begins with http:// or https://');
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a password');
  if (isOutOfReach(url, reach)) throw refuse(`must be ${reachWords[reach]}`);
}
