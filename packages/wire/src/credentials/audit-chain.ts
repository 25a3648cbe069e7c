/** The text of an entry of the audit log that is hashed: whoever has it computes the hash again, in any language. */

/** An entry as it is hashed: texts as stored, times in milliseconds since 1970. */
export interface ChainedAuditEntry {
  readonly sequence: number;
  readonly at: number;
  readonly actorKey: string | null;
  readonly actorDid: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly outcome: string;
  /** JSON text. */
  readonly details: string;
  /** The hash of the entry before; nothing for the first. */
  readonly previous: string;
}

/** A list as JSON text has one form. */
export const auditHashText = (entry: ChainedAuditEntry): string =>
  JSON.stringify([
    'symbolon audit v1',
    entry.sequence,
    entry.at,
    entry.actorKey,
    entry.actorDid,
    entry.action,
    entry.subject,
    entry.outcome,
    entry.details,
    entry.previous,
  ]);
