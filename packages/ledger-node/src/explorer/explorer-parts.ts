/** What a node keeps for explorers: the index, where it is to have one, and how many transactions waited lately. */
import { type Explorer, type ExplorerOrder, noExplorer, ThreadedExplorer } from './explorer.ts';
import { PendingSamples } from './pending-samples.ts';

export interface ExplorerParts {
  readonly explorer: Explorer;
  readonly pending: Pick<PendingSamples, 'list'>;
}

/** Of a node that keeps nothing. */
export const noExplorerParts: ExplorerParts = { explorer: noExplorer, pending: { list: () => [] } };

export interface PartsOrder extends ExplorerOrder {
  readonly withIndex: boolean;
}

export function startExplorer({
  withIndex,
  ...order
}: PartsOrder): ExplorerParts & { close(): Promise<void> } {
  const { node } = order;
  const pending = new PendingSamples(
    () => node.queue.size,
    () => node.clock.nowMs(),
  );
  const unwatch = node.watch({ submitted: () => pending.note() });
  const explorer = withIndex ? new ThreadedExplorer(order) : noExplorer;
  const close = async (): Promise<void> => {
    unwatch();
    pending.close();
    await explorer.close();
  };
  return { explorer, pending, close };
}
