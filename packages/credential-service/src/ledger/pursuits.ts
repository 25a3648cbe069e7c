/**
 * Work that goes on until it has come to an end, whether or not somebody still waits for it: a transaction that the
 * ledger has not confirmed yet, for one. Whoever asks for the same work meanwhile waits for the same end.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { submitLimits } from '@symbolon/core/limits/waiting';
import { within } from '@symbolon/host/work/within';
import { orFault } from './ledger-faults.ts';

export interface Pursuit {
  /** Ends it unfinished, with the service. */
  readonly signal: AbortSignal;
  /** Whether somebody waits for its end. */
  isAwaited(): boolean;
  /**
   * While it waits in a line: how long that line has not moved; undefined once it has begun. If the line moves, the
   * ledger works, and a caller who waited too long hears `overloaded`, not `ledgerUnconfirmed`.
   */
  setInLine(stillMs: (() => number) | undefined): void;
}

export interface Pursuits {
  /**
   * Begins the work of this name, unless it is under way, and waits for its end: `ledgerUnconfirmed` when that takes
   * longer than a caller waits, `overloaded` when others went first for all that time.
   */
  join<End>(name: string, work: (pursuit: Pursuit) => Promise<End>): Promise<End>;
  /** The same for nobody in particular: what broke off is taken up, and waited for as long as a caller would. */
  resume(name: string, work: (pursuit: Pursuit) => Promise<unknown>): Promise<void>;
  isUnderWay(name: string): boolean;
  /** How many have been under way for longer than this. */
  stuck(olderThanMs: number): number;
  close(): Promise<void>;
}

interface Running {
  readonly end: Promise<unknown>;
  readonly begunAtMs: number;
  awaiting: number;
  stillMs: (() => number) | undefined;
}

export interface PursuitOptions {
  readonly waitMs?: number;
  /** Told why work failed for which nobody waits; a fault is no failure. */
  readonly onFailure: (error: unknown) => void;
}

export function createPursuits({ waitMs = submitLimits.waitMs, onFailure }: PursuitOptions): Pursuits {
  const running = new Map<string, Running>();
  const ending = new AbortController();
  const { signal } = ending;

  const begin = (name: string, work: (pursuit: Pursuit) => Promise<unknown>): Running => {
    if (signal.aborted) throw new Fault('overloaded', { detail: 'The service is ending' });
    const isAwaited = (): boolean => (running.get(name)?.awaiting ?? 0) > 0;
    const state: Omit<Running, 'end'> = { begunAtMs: performance.now(), awaiting: 0, stillMs: undefined };
    const setInLine: Pursuit['setInLine'] = (stillMs) => {
      state.stillMs = stillMs;
    };
    const one: Running = Object.assign(state, { end: work({ signal, isAwaited, setInLine }) });
    const { end } = one;
    running.set(name, one);
    end
      .catch((error: unknown) => {
        const isTold = one.awaiting > 0 || error instanceof Fault || signal.aborted;
        if (!isTold) onFailure(error);
      })
      .finally(() => running.delete(name));
    return one;
  };

  const endOf = async (one: Running): Promise<unknown> => {
    const ended = await within(waitMs, one.end).catch((error: unknown) => {
      throw signal.aborted && !(error instanceof Fault) ? unconfirmed() : error;
    });
    if (ended) return ended.answer;
    const hasMoved = one.stillMs !== undefined && one.stillMs() < waitMs;
    throw hasMoved ? stillInLine() : unconfirmed();
  };

  return {
    async join<End>(name: string, work: (pursuit: Pursuit) => Promise<End>): Promise<End> {
      const one = running.get(name) ?? begin(name, work);
      one.awaiting += 1;
      try {
        return (await endOf(one)) as End;
      } finally {
        one.awaiting -= 1;
      }
    },
    async resume(name, work) {
      // What is refused is stored, what is not known yet goes on.
      await orFault(() => endOf(running.get(name) ?? begin(name, work)));
    },
    isUnderWay: (name) => running.has(name),
    stuck(olderThanMs) {
      const before = performance.now() - olderThanMs;
      return [...running.values()].filter(({ begunAtMs }) => begunAtMs <= before).length;
    },
    async close() {
      ending.abort();
      await Promise.allSettled([...running.values()].map(({ end }) => end));
    },
  };
}

const stillInLine = (): Fault =>
  new Fault('overloaded', {
    detail: 'Other transactions of the same account go first: the same request again waits for its turn',
    retryAfterSeconds: 1,
  });

const unconfirmed = (): Fault => new Fault('ledgerUnconfirmed', { retryAfterSeconds: 1 });
