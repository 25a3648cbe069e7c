/**
 * How far each row of a table has come, as a journal tells it, in nine bytes a row: whether it was begun or issued, and
 * the beginning of its key, by which a row that was changed since is noticed. Identifiers of applications are kept only
 * for rows that are under way, of which there are few.
 */
import { bulkLimits } from '../limits/command-limits.ts';

export type RowState =
  /** Something may have been asked of the service. */
  | 'begun'
  /** There is an application, and it belongs to this row. */
  | 'applied'
  | 'issued'
  /** The service refused for good; the next run tries again. */
  | 'failed';

const stateCodes: Readonly<Record<RowState, number>> = { begun: 1, applied: 2, issued: 3, failed: 4 };
const states = Object.keys(stateCodes) as RowState[];

export interface JournalEntry {
  /** 1 for the first. */
  readonly row: number;
  /** 32 hex digits. */
  readonly key: string;
  readonly state: RowState;
  readonly vcId?: string;
  /** The transaction that recorded the credential. */
  readonly tx?: string;
}

export interface RowProgress {
  readonly state: RowState;
  readonly vcId: string | undefined;
  /** Whether it is about the row as it stands in the file now. */
  readonly isSameRow: boolean;
}

export interface JournalIndex {
  readonly add: (entry: JournalEntry) => void;
  readonly find: (row: number, key: string) => RowProgress | undefined;
  readonly issuedCount: () => number;
  /** Some credential that was issued; undefined when there is none. */
  readonly anyIssued: () => string | undefined;
}

const keyStart = (key: string): bigint => BigInt(`0x${key.slice(0, 16)}`);

export function createJournalIndex(): JournalIndex {
  let codes = new Uint8Array(1_024);
  let keys = new BigUint64Array(1_024);
  const applications = new Map<number, string>();
  let issued = 0;
  let anyIssued: string | undefined;

  function makeRoom(row: number): void {
    if (row < codes.length) return;
    const length = Math.min(bulkLimits.rowsMax + 1, Math.max(row + 1, codes.length * 2));
    const [oldCodes, oldKeys] = [codes, keys];
    codes = new Uint8Array(length);
    keys = new BigUint64Array(length);
    codes.set(oldCodes);
    keys.set(oldKeys);
  }

  return {
    add({ row, key, state, vcId }) {
      makeRoom(row);
      const wasIssued = codes[row] === stateCodes.issued;
      codes[row] = stateCodes[state];
      keys[row] = keyStart(key);
      if (state === 'issued') {
        issued += wasIssued ? 0 : 1;
        anyIssued = vcId ?? anyIssued;
        applications.delete(row);
      } else if (vcId !== undefined) applications.set(row, vcId);
      else applications.delete(row);
    },
    find(row, key) {
      const code = codes[row] ?? 0;
      if (code === 0) return undefined;
      return { state: states[code - 1], vcId: applications.get(row), isSameRow: keys[row] === keyStart(key) };
    },
    issuedCount: () => issued,
    anyIssued: () => anyIssued,
  };
}
