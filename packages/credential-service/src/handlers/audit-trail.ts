/** What a handler writes into the audit log: who did it, from the call, and what, from the handler. */
import type { Caller } from '@symbolon/wire/service-route';
import type { AuditEvent } from '../audit/audit-entry.ts';

export const auditEvent = (
  { keyId, did }: Pick<Caller, 'keyId' | 'did'>,
  event: Omit<AuditEvent, 'actorKey' | 'actorDid' | 'outcome'> & Partial<Pick<AuditEvent, 'outcome'>>,
): AuditEvent => ({
  outcome: 'done',
  ...event,
  ...(keyId !== undefined && { actorKey: keyId }),
  ...(did !== undefined && { actorDid: did }),
});
