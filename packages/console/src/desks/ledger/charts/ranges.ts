/** How many of the last blocks a chart shows: what is offered is never more than there are. Pure. */

export const chartRanges = ['72', '200', '1000'] as const;
export type ChartRange = (typeof chartRanges)[number];

export interface OfferedRange {
  readonly value: ChartRange;
  /** How many that is on this ledger. */
  readonly blocks: number;
}

/** The first that holds all `existing` blocks is the last one that is offered. */
export const offeredRanges = (existing: number): readonly OfferedRange[] =>
  chartRanges
    .filter((_, at) => at === 0 || Number(chartRanges[at - 1]) < existing)
    .map((value) => ({ value, blocks: Math.min(Number(value), existing) }));

/** How many blocks there are, by those that were read for a range: fewer than it wants are all. */
export const existingBlocks = (read: readonly { readonly seq: number }[], range: ChartRange): number =>
  read.length < Number(range) ? read.length : (read.at(-1)?.seq ?? 0);
