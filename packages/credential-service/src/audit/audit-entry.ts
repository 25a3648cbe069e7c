/**
 * What an entry of the audit log is and how it is hashed: who did what to what, and how it ended. Each hash covers the
 * one before, so that no entry can be changed, dropped or inserted without every later one showing it. Details are a
 * closed list of short facts; nothing that describes a person has a place in them.
 */
import { assert } from '@symbolon/core/basics/assert';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { type AuditAction, auditActions } from '@symbolon/wire/credentials/audit-actions';
import { auditHashText, type ChainedAuditEntry } from '@symbolon/wire/credentials/audit-chain';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { RowOf } from '../database/schema.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { ownerOf } from './event-owner.ts';

/**
 * Names that details may have; each is a short text or a whole number. Their order is that of the text that is hashed,
 * so new ones come last.
 */
const auditDetailNames = [
  'templateId',
  'version',
  'txHash',
  'blobId',
  'keyId',
  'fault',
  'count',
  'issuer',
  'verifier',
  'vcId',
] as const;
type AuditDetails = Readonly<Partial<Record<(typeof auditDetailNames)[number], string | number>>>;

/** Whoever does it; nobody in particular when the service itself completes what broke off. */
export type Actor = Pick<Caller, 'keyId' | 'did'>;

export interface AuditEvent {
  readonly actor?: Actor;
  readonly action: AuditAction;
  /** The id of what it was done to. */
  readonly subject?: string;
  /** `done`, if left out. */
  readonly outcome?: 'done' | 'refused' | 'failed';
  readonly details?: AuditDetails;
}

/** An event with its place in the chain. Texts are as stored: details as JSON text, absent ones null. */
export type AuditEntry = Readonly<RowOf<'auditEntries'>>;

export type UnchainedEntry = Omit<AuditEntry, 'sequence' | 'owner' | 'previous' | 'hash'>;

export function unchained(event: AuditEvent, at: number): UnchainedEntry {
  const { actor = {}, action, subject = null, outcome = 'done', details = {} } = event;
  const { keyId: actorKey = null, did: actorDid = null } = actor;
  assert(auditActions.includes(action), 'an audit entry tells of a known action');
  for (const text of [actorKey, actorDid, subject])
    assert(text === null || isShort(text), 'audit texts are short');
  for (const [name, value] of Object.entries(details)) {
    assert((auditDetailNames as readonly string[]).includes(name), 'audit details have known names');
    assert(
      typeof value === 'number' ? Number.isSafeInteger(value) : isShort(value),
      'audit details are short',
    );
  }
  const ordered = auditDetailNames
    .filter((name) => details[name] !== undefined)
    .map((name) => [name, details[name]]);
  return {
    at,
    actorKey,
    actorDid,
    action,
    subject,
    outcome,
    details: JSON.stringify(Object.fromEntries(ordered)),
  };
}

const isShort = (text: unknown): boolean =>
  typeof text === 'string' && text.length <= recordLimits.auditTextCharsMax && text.isWellFormed();

export const hashOf = (entry: ChainedAuditEntry): string => sha256Hex(auditHashText(entry));

export type AuditHead = Pick<AuditEntry, 'sequence' | 'hash'>;

export const emptyHead: AuditHead = { sequence: 0, hash: '' };

export function chain(entries: readonly UnchainedEntry[], head: AuditHead): AuditEntry[] {
  let { sequence, hash } = head;
  return entries.map((entry) => {
    sequence += 1;
    const placed = { ...entry, sequence, previous: hash };
    hash = hashOf(placed);
    return { ...placed, hash, owner: ownerOf(placed) };
  });
}
