/** A list of sessions as CSV, without any value that was shown. Pure. */
import type { Clients } from '../../../api/clients.ts';
import { csvText } from '../../../text/csv.ts';

export type SessionRow = Awaited<ReturnType<Clients['service']['listVerifications']>>['sessions'][number];

const columns = [
  'presentationId',
  'status',
  'createdAt',
  'updatedAt',
  'expiresAt',
  'purpose',
  'abortedBy',
] as const;

export const sessionCsv = (sessions: readonly SessionRow[]): string =>
  csvText(
    columns,
    sessions.map((session) => columns.map((name) => session[name] ?? '')),
  );
