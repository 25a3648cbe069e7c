/**
 * The service's audit log: append-only, hash-chained, its end anchored on the ledger once a day, so that not even
 * whoever owns the database can rewrite what is older than that. Recording is one durable insert and never waits for
 * the chain; entries reach the chain moments later, in the order of their times, and before any reading here.
 */
import { randomUUID } from 'node:crypto';
import { auditProofLimits } from '@symbolon/core/limits/directory';
import type { DatabaseSignals } from '@symbolon/host/database/common/database';
import { isUniqueViolation } from '@symbolon/host/database/common/database-error';
import type { Clock } from '@symbolon/host/work/clock';
import type { Page } from '../database/paging.ts';
import type { Queries, ServiceDatabase } from '../database/schema.ts';
import { recordLimits } from '../limits/service-limits.ts';
import {
  type AuditEntry,
  type AuditEvent,
  type AuditHead,
  chain,
  emptyHead,
  hashOf,
  type UnchainedEntry,
  unchained,
} from './audit-entry.ts';
import {
  type AuditAnchor,
  type AuditSearch,
  addAuditAnchor,
  addToAuditInbox,
  appendAuditEntries,
  findCoveringAnchor,
  latestAuditAnchor,
  pageAuditEntries,
  readAuditAnchors,
  readAuditEntries,
  readAuditHead,
  readAuditInbox,
  readAuditRange,
} from './audit-rows.ts';

type AuditVerdict =
  | { readonly isIntact: true; readonly head: AuditHead }
  | { readonly isIntact: false; readonly sequence: number; readonly problem: string };

export interface AuditLog {
  /** Durable when it resolves. Give the queries of a transaction to record with it or not at all. */
  record(event: AuditEvent, queries?: Queries): Promise<void>;
  /** Moves what was recorded into the chain. */
  flush(): Promise<void>;
  head(): Promise<AuditHead>;
  list(search?: AuditSearch): Promise<Page<AuditEntry>>;
  /** A piece of the way from an entry to the next that the ledger holds; undefined where there is no such entry. */
  proof(question: AuditProofQuestion): Promise<AuditProof | undefined>;
  /** What the ledger holds of it. */
  latestAnchor(): Promise<AuditAnchor | undefined>;
  /** Reads the whole chain. */
  verify(): Promise<AuditVerdict>;
  /** The head to anchor now; undefined when nothing is new or the last anchor is younger than a day. */
  due(now: number): Promise<AuditHead | undefined>;
  recordAnchor(head: AuditHead, txHash: string): Promise<void>;
}

export interface AuditProofQuestion {
  readonly sequence: number;
  /** The last entry of the piece before; the first piece begins with the entry itself. */
  readonly after?: number;
}

/**
 * The chain has no shorter proof than itself: each hash covers the one before, so who has an entry and all that follow it
 * up to one whose hash the ledger holds computes that hash, and any other entry in its place would give another one.
 */
export interface AuditProof {
  readonly chain: readonly AuditEntry[];
  /** Where the way ends: at the anchor, or at the head where nothing was anchored since. */
  readonly end: AuditHead;
  readonly anchor: AuditAnchor | undefined;
}

const countDigits = 12;

/** What is said when there is something new in the log, or will be as soon as its transaction is kept. */
export const auditWord = 'audit';

export function createAuditLog(
  database: ServiceDatabase & { readonly signals?: DatabaseSignals | undefined },
  clock: Clock,
): AuditLog {
  const { kysely } = database;
  let recorded = 0;
  let moving: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;

  /** Sorts as entries of this process came, so that those of one millisecond keep their order. */
  const nextId = (): string => `${String(recorded++).padStart(countDigits, '0')}-${randomUUID()}`;

  /** One move at a time in this process; all who ask during one share the next, which sees their entries. */
  function flush(): Promise<void> {
    if (waiting) return waiting;
    if (moving) {
      waiting = moving
        .catch(() => undefined)
        .then(() => {
          waiting = undefined;
          return flush();
        });
      return waiting;
    }
    moving = moveAll(database).finally(() => {
      moving = undefined;
    });
    return moving;
  }

  return {
    async record(event, queries = kysely) {
      const { at, ...entry } = unchained(event, clock.nowMs());
      await addToAuditInbox(queries, { id: nextId(), at, entry: JSON.stringify(entry) });
      database.signals?.say(auditWord);
    },
    flush,
    async head() {
      await flush();
      return (await readAuditHead(kysely)) ?? emptyHead;
    },
    async list(search = {}) {
      await flush();
      return pageAuditEntries(kysely, search);
    },
    async proof({ sequence, after = sequence - 1 }) {
      await flush();
      const head = (await readAuditHead(kysely)) ?? emptyHead;
      if (sequence > head.sequence || after < sequence - 1) return undefined;
      const anchor = await findCoveringAnchor(kysely, sequence);
      const end = anchor ?? head;
      const range = { from: after + 1, to: end.sequence, limit: auditProofLimits.entriesMax };
      return { chain: await readAuditRange(kysely, range), end, anchor };
    },
    latestAnchor: () => latestAuditAnchor(kysely),
    async verify() {
      await flush();
      return verifyChain(kysely);
    },
    async due(now) {
      await flush();
      const [head, anchor] = [await readAuditHead(kysely), await latestAuditAnchor(kysely)];
      const isNew = head !== undefined && head.sequence > (anchor?.sequence ?? 0);
      const isTime = anchor === undefined || now - anchor.at >= recordLimits.auditAnchorIntervalMs;
      return isNew && isTime ? head : undefined;
    },
    recordAnchor: (head, txHash) => addAuditAnchor(kysely, { ...head, txHash, at: clock.nowMs() }),
  };
}

async function moveAll(database: ServiceDatabase): Promise<void> {
  let moved: number;
  do moved = await moveBatch(database);
  while (moved >= recordLimits.batchRowsMax);
}

async function moveBatch(database: ServiceDatabase): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(async (queries) => {
        const rows = await readAuditInbox(queries);
        if (rows.length === 0) return 0;
        const head = (await readAuditHead(queries)) ?? emptyHead;
        const entries = rows.map(({ at, entry }) => ({ at, ...JSON.parse(entry) }) as UnchainedEntry);
        await appendAuditEntries(
          queries,
          chain(entries, head),
          rows.map(({ id }) => id),
        );
        return rows.length;
      });
    } catch (error) {
      // Another replica has appended to the same end.
      if (!isUniqueViolation(error) || attempt >= recordLimits.auditAttemptsMax) throw error;
    }
  }
}

async function verifyChain(queries: Queries): Promise<AuditVerdict> {
  let head = emptyHead;
  for (;;) {
    const entries = await readAuditEntries(queries, head.sequence);
    const last = entries.at(-1);
    if (!last) break;
    const anchors = new Map(
      (await readAuditAnchors(queries, { from: head.sequence, to: last.sequence })).map((anchor) => [
        anchor.sequence,
        anchor.hash,
      ]),
    );
    for (const entry of entries) {
      const problem = entryProblem(entry, head, anchors.get(entry.sequence));
      if (problem) return { isIntact: false, sequence: head.sequence + 1, problem };
      head = { sequence: entry.sequence, hash: entry.hash };
    }
  }
  const anchor = await latestAuditAnchor(queries);
  if (anchor && anchor.sequence > head.sequence)
    return {
      isIntact: false,
      sequence: head.sequence + 1,
      problem: 'entries that were anchored are missing',
    };
  return { isIntact: true, head };
}

/** What is wrong with an entry that should follow the head. */
export function entryProblem(
  entry: AuditEntry,
  head: AuditHead,
  anchored: string | undefined,
): string | undefined {
  if (entry.sequence !== head.sequence + 1) return 'entries are missing';
  if (entry.previous !== head.hash) return 'the entry does not follow the one before';
  if (entry.hash !== hashOf(entry)) return 'the entry was changed';
  if (anchored !== undefined && anchored !== entry.hash) return 'the entry is not the one that was anchored';
  return undefined;
}
