/** What a row of numbers comes to: the last, the least, the most, and the middle. Pure. */
export interface Summary {
  readonly last: number;
  readonly least: number;
  readonly most: number;
  /** Half are above it, half below. */
  readonly middle: number;
}

/** Undefined of nothing. */
export function summaryOf(numbers: readonly number[]): Summary | undefined {
  const last = numbers.at(-1);
  if (last === undefined) return undefined;
  const sorted = numbers.toSorted((left, right) => left - right);
  const half = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(half)] as number, sorted[Math.ceil(half)] as number];
  return {
    last,
    least: sorted[0] as number,
    most: sorted.at(-1) as number,
    middle: (low + high) / 2,
  };
}

/** `1.0 s`, `240 ms`: how long blocks are apart. */
export function durationText(ms: number, point: string): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 100) return `${seconds.toFixed(1).replace('.', point)} s`;
  const minutes = seconds / 60;
  return minutes < 100 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
