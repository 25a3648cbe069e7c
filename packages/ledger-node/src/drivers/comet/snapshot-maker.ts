/**
 * Takes a snapshot every so many blocks and when it is asked to, beside the making of blocks, which never waits for it: one
 * at a time, and one that would begin while another is being taken is left out. A failure, a full disk for one, costs the
 * snapshot alone.
 */
import type { Chain } from '../../chain/chain.ts';
import type { SnapshotFolder } from './snapshot-folder.ts';

export interface SnapshotMakerParts {
  readonly chain: Chain;
  readonly folder: Pick<SnapshotFolder, 'take'>;
  /** 0 for never. */
  readonly everyBlocks: number;
  onNotice(text: string): void;
}

export class SnapshotMaker {
  readonly #parts: SnapshotMakerParts;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(parts: SnapshotMakerParts) {
    this.#parts = parts;
  }

  /** A block was made. */
  wake(): void {
    const { chain, everyBlocks } = this.#parts;
    if (everyBlocks !== 0 && chain.head.seq % BigInt(everyBlocks) === 0n) this.take();
  }

  /** Takes one of the newest block. */
  take(): void {
    const { chain, folder, onNotice } = this.#parts;
    const { signal } = this.#closing;
    if (this.#running || signal.aborted) return;
    const { seq } = chain.head;
    this.#running = folder
      .take(chain, signal)
      .catch((error) => {
        if (!signal.aborted) onNotice(`no snapshot of block ${seq}: ${(error as Error).message}`);
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }
}
