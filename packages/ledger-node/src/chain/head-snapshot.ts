/**
 * A snapshot of the store at the chain's head. A block that is being written can be read from the store as soon as it is
 * on disk, while the chain still has the head before it. A reader of the snapshot sees the block as a whole, at the same
 * moment as everything that the chain keeps in memory.
 */
import type { Entry, KeyRange, ScanRange, Store, StoreReader, StoreView } from '../store/store.ts';

/** What one head left, kept as long as somebody reads it. */
interface Moment {
  readonly view: StoreView;
  readers: number;
}

export class HeadSnapshot implements StoreReader {
  readonly #store: Pick<Store, 'view'>;
  #head: Moment;

  constructor(store: Pick<Store, 'view'>) {
    this.#store = store;
    this.#head = { view: store.view(), readers: 1 };
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#head.view.get(key);
  }

  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return this.ofOneHead((rows) => rows.getMany(keys));
  }

  scan(range: ScanRange): Promise<Entry[]> {
    return this.ofOneHead((rows) => rows.scan(range));
  }

  scanAll(range: KeyRange): AsyncIterable<Entry> {
    const moment = enter(this.#head);
    return leavingAfter(moment, moment.view.scanAll(range));
  }

  /** Several reads that must fit together: all of the present head, also when others follow meanwhile. */
  async ofOneHead<Result>(read: (rows: StoreReader) => Promise<Result>): Promise<Result> {
    const moment = enter(this.#head);
    try {
      return await read(moment.view);
    } finally {
      leave(moment);
    }
  }

  /** From here on, what is in the store now. */
  advance(): void {
    const before = this.#head;
    this.#head = { view: this.#store.view(), readers: 1 };
    leave(before);
  }

  /** Nobody begins to read it any more. */
  close(): void {
    leave(this.#head);
  }
}

function enter(moment: Moment): Moment {
  moment.readers++;
  return moment;
}

function leave(moment: Moment): void {
  moment.readers--;
  if (moment.readers === 0) void moment.view.close();
}

async function* leavingAfter(moment: Moment, rows: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  try {
    yield* rows;
  } finally {
    leave(moment);
  }
}
