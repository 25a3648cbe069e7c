/**
 * How much snapshots of others may bring. A manifest is no word to go by: the header binds the state, and not how many chunks
 * somebody says that it has, so whoever is asked for a snapshot could fill the disk with rows that lead nowhere. What was
 * refused counts as well, because its room comes back only when the node starts again.
 */
import { healthLimits } from '@symbolon/host/limits/server-limits';
import { SnapshotRefused } from '../../chain/restoration.ts';
import { snapshotLimits } from '../../limits/node-limits.ts';

export interface SnapshotRoomOptions {
  /** Of all chunks together, by the settings of the node. */
  readonly bytesMax: number;
  /** What is free on the disk of the store. */
  freeBytes(): Promise<number>;
}

const mebibyte = 1024 * 1024;
const inMebibytes = (bytes: number): string => `${Math.ceil(bytes / mebibyte)} MiB`;

export class SnapshotRoom {
  readonly #options: SnapshotRoomOptions;
  #taken = 0;

  constructor(options: SnapshotRoomOptions) {
    this.#options = options;
  }

  /** For a snapshot of so many chunks, before anything is written for it; throws SnapshotRefused. */
  async assertFor(chunks: number): Promise<void> {
    if (chunks === 0) throw new SnapshotRefused('it has no chunks');
    // All but the last are full.
    const least = (chunks - 1) * snapshotLimits.chunkBytes;
    this.#assertBelow(this.#taken + least);
    await this.#assertFree(least);
  }

  /** For a chunk more, before it is written; throws SnapshotRefused. */
  async take(bytes: number): Promise<void> {
    this.#assertBelow(this.#taken + bytes);
    await this.#assertFree(bytes);
    this.#taken += bytes;
  }

  #assertBelow(bytes: number): void {
    const { bytesMax } = this.#options;
    if (bytes > bytesMax)
      throw new SnapshotRefused(
        `it has more than ${inMebibytes(bytesMax)}${this.#taken > 0 ? ', with what was taken before,' : ''} which is all that cometbft.snapshotBytesMax allows`,
      );
  }

  async #assertFree(bytes: number): Promise<void> {
    const needed = bytes * snapshotLimits.roomFactor + healthLimits.diskFreeBytesMin;
    const free = await this.#options.freeBytes();
    if (free < needed)
      throw new SnapshotRefused(
        `it takes ${inMebibytes(needed)} of the disk, and ${inMebibytes(free)} are free`,
      );
  }
}
