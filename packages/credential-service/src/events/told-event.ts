/** An entry of the audit log as the event that is told of it: whoever did it is left out, it may be a holder. */
import { assert } from '@symbolon/core/basics/assert';
import type { ServiceEvent } from '@symbolon/wire/events/service-events';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { eventNameOf } from '../audit/event-owner.ts';

const toldDetails = ['issuer', 'verifier', 'templateId', 'version', 'vcId', 'txHash'] as const;

export function toldEvent({ sequence, at, action, subject, details }: AuditEntry): ServiceEvent {
  const event = eventNameOf(action);
  assert(event !== undefined && subject !== null, 'an entry with an owner is an event about something');
  const known = JSON.parse(details) as Readonly<Record<string, string>>;
  return {
    id: String(sequence),
    event,
    time: new Date(at).toISOString(),
    subject,
    ...Object.fromEntries(
      toldDetails.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])),
    ),
  };
}
