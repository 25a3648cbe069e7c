/**
 * What a handler writes into the audit log: who did it, from the call, and what, from the handler. Written in the same
 * transaction as what it tells of, so that neither is without the other.
 */
import type { Caller } from '@symbolon/wire/http/service-route';
import type { AuditEvent } from './audit-entry.ts';

/** Whoever does it; nobody in particular when the service itself completes what broke off. */
export type Actor = Pick<Caller, 'keyId' | 'did'>;
/** What was done, whoever did it. */
export type AuditAct = Omit<AuditEvent, 'actorKey' | 'actorDid' | 'outcome'>;

export const auditEvent = (
  { keyId, did }: Actor,
  event: AuditAct & Partial<Pick<AuditEvent, 'outcome'>>,
): AuditEvent => ({
  outcome: 'done',
  ...event,
  ...(keyId !== undefined && { actorKey: keyId }),
  ...(did !== undefined && { actorDid: did }),
});
