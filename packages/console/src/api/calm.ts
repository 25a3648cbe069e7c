/** Does something soon after it is wanted, and never more often than people can read. */

export interface Calm {
  readonly want: () => void;
  /** What is wanted and not done yet is left. */
  readonly end: () => void;
}

/** `act` comes at once where it has rested for `everyMs`, else when it has. */
export function calm(act: () => void, everyMs: number, clock: () => number = Date.now): Calm {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (): void => {
    timer = undefined;
    last = clock();
    act();
  };
  return {
    want: () => {
      timer ??= setTimeout(run, Math.max(0, last + everyMs - clock()));
    },
    end: () => clearTimeout(timer),
  };
}
