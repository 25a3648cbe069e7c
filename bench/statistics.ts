/** How a measurement is planned, and the few numbers it is told in: medians, percentiles, rates. */

/** Some that do not count, then rounds of so many. */
export interface Plan {
  readonly warmUp: number;
  readonly perRound: number;
  readonly rounds: number;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The smallest value that at least this share of the values does not exceed; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The median of each of these members. */
export const mediansOf = <Name extends string>(
  rounds: readonly Readonly<Record<Name, number>>[],
  ...names: readonly Name[]
): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as Record<
    Name,
    number
  >;

export const perSecond = (count: number, ms: number): number => (count * 1_000) / ms;

/** Machine-wide monotonic time, so that two processes' readings can be subtracted. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** The CPU time of all threads of this process, since an earlier reading or since its start. */
export function cpuMs(before?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A random source that gives every run the same numbers. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
