/** What submits to the ledger keep: who works on them, and what became of those whose answer nobody has got. */
import type { ColumnTypes } from '@symbolon/host/database/common/values';

/** A process that works on this database, until when it is taken to live, and by which connection it says so. */
export interface WorkersTable {
  id: string;
  aliveUntil: number;
  session: number | null;
}

export const submitTables = ({ text, integer, strict }: ColumnTypes): string[] => [
  `create table "workers" (
    "id" ${text} primary key,
    "aliveUntil" ${integer} not null,
    "session" ${integer}) ${strict}`,
  `alter table "blobs" add column "worker" ${text}`,
  `alter table "blobs" add column "signature" ${text}`,
  `alter table "blobs" add column "outcome" ${text}`,
  `alter table "applications" add column "worker" ${text}`,
  `alter table "applications" add column "submitAnsweredAt" ${integer}`,
  `alter table "idempotency" add column "worker" ${text}`,
  `alter table "idempotency" drop column "leaseUntil"`,
];
