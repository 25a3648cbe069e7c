/**
 * Which entries of the audit log are events that somebody outside may hear of, and whose they are. An entry belongs to
 * the issuer or to the verifier that it names in its details; what was refused or failed is nobody's event.
 */
import type { ServiceEventName } from '@symbolon/wire/events/service-events';
import type { UnchainedEntry } from './audit-entry.ts';

/** What an entry is called as an event, by its action. */
const eventNames: Readonly<Record<string, ServiceEventName>> = {
  'template.register': 'template.registered',
  'application.apply': 'application.received',
  'application.approve': 'application.approved',
  'application.reject': 'application.rejected',
  'offer.accept': 'offer.accepted',
  'offer.lock': 'offer.locked',
  'credential.issue': 'credential.issued',
  'credential.revoke': 'credential.revoked',
  'credential.suspend': 'credential.suspended',
  'credential.reinstate': 'credential.reinstated',
  'payment.settle': 'payment.settled',
  'payment.fail': 'payment.failed',
  'verification.request': 'verification.requested',
  'verification.verified': 'verification.verified',
  'verification.failed': 'verification.failed',
  'verification.aborted': 'verification.aborted',
  'verification.expired': 'verification.expired',
};

export const eventNameOf = (action: string): ServiceEventName | undefined =>
  Object.hasOwn(eventNames, action) ? eventNames[action] : undefined;

export const issuerOwner = (did: string): string => `issuer ${did}`;
/** A verifier is the DID of its API key, or the key itself where that acts for nobody. */
export const verifierOwner = (verifier: string): string => `verifier ${verifier}`;

/** Null for what is no event. Entries of versions that did not write down whose they are belong to nobody. */
export function ownerOf({ action, outcome, details }: UnchainedEntry): string | null {
  if (outcome !== 'done' || eventNameOf(action) === undefined) return null;
  const { issuer, verifier } = JSON.parse(details) as Readonly<Record<string, unknown>>;
  if (typeof issuer === 'string') return issuerOwner(issuer);
  return typeof verifier === 'string' ? verifierOwner(verifier) : null;
}
