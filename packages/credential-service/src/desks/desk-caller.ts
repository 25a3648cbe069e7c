/** Whose desk it is: lists show what belongs to the DID of the API key, and to nobody else. */
import { Fault } from '@symbolon/core/faults/faults';
import type { Caller } from '@symbolon/wire/http/service-route';

export function issuerOf({ did }: Caller): string {
  if (did === undefined) throw new Fault('notAllowed', { detail: 'The API key acts for no issuer' });
  return did;
}
