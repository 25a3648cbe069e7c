/** The issuer that an API key acts for. */
import { Fault } from '@symbolon/core/faults/faults';
import type { Caller } from '@symbolon/wire/http/service-route';

export function issuerOfCaller({ did }: Pick<Caller, 'did'>): string {
  if (did === undefined) throw new Fault('notAllowed', { detail: 'The API key acts for no issuer' });
  return did;
}
