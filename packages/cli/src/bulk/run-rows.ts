/** Works through a stream with a bounded number of items under way, in turns where two concern the same thing. */

export interface RunOrder<Item> {
  readonly concurrency: number;
  readonly work: (item: Item) => Promise<void>;
  /** Items with the same name are worked on one after the other. */
  readonly turnOf?: (item: Item) => string | undefined;
  readonly isStopped?: () => boolean;
}

/** Ends when everything begun has ended. What fails first ends the taking of new items, and is thrown then. */
export async function runRows<Item>(items: AsyncIterable<Item>, order: RunOrder<Item>): Promise<void> {
  const { concurrency, work, turnOf, isStopped = () => false } = order;
  const underWay = new Set<Promise<void>>();
  const turns = new Map<string, Promise<void>>();
  const failures: unknown[] = [];

  function begin(item: Item): void {
    const turn = turnOf?.(item);
    const before = turn === undefined ? undefined : turns.get(turn);
    const done = (before ?? Promise.resolve())
      .then(() => (failures.length > 0 ? undefined : work(item)))
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        underWay.delete(done);
        if (turn !== undefined && turns.get(turn) === done) turns.delete(turn);
      });
    underWay.add(done);
    if (turn !== undefined) turns.set(turn, done);
  }

  try {
    for await (const item of items) {
      while (underWay.size >= concurrency) await Promise.race(underWay);
      if (failures.length > 0 || isStopped()) break;
      begin(item);
    }
  } finally {
    await Promise.all(underWay);
  }
  if (failures.length > 0) throw failures[0];
}
