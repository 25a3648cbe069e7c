/**
 * Turns at the ledger account of an issuer. Its transactions are numbered, so of many that were prepared together one
 * is executed and the others have to be signed anew. They come one after the other, and the next turn is kept for
 * whoever was just told so, whichever blob about the same it comes back with; otherwise each would lose its number to
 * the rest again and again, and an account would stand still for a blob that nobody signs.
 */
import { performance } from 'node:perf_hooks';
import { submitLimits } from '@symbolon/core/limits/waiting';

export interface IssuerLines {
  /** Runs work when it is its turn at the account. The signal ends the waiting, not the work. */
  inTurn<End>(turn: LineTurn, work: () => Promise<End>): Promise<End>;
  /**
   * How long nobody's turn has begun at the account: the one whose it is may wait for a ledger that does not answer.
   */
  stillMs(account: string): number;
  /** Keeps the next turn for what is to be signed anew now; to be called in a turn. */
  keepTurn(turn: Pick<LineTurn, 'account' | 'purpose'>): void;
}

export interface LineTurn {
  readonly account: string;
  /** What the transaction is for: the same for every blob that is another try at it. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly purpose: string;
  readonly start: () => void;
}

interface Line {
  isBusy: boolean;
  movedAtMs: number;
  readonly waiting: Waiting[];
  kept?: { readonly purpose: string; readonly timer: NodeJS.Timeout };
}

export function createIssuerLines(turnKeptMs: number = submitLimits.turnKeptMs): IssuerLines {
  const lines = new Map<string, Line>();

  const lineOf = (account: string): Line => {
    const known = lines.get(account);
    if (known) return known;
    const line: Line = { isBusy: false, movedAtMs: performance.now(), waiting: [] };
    lines.set(account, line);
    return line;
  };

  /** Starts whoever is next, or nobody while the one whose turn is kept has not come. */
  const advance = (account: string, line: Line): void => {
    if (line.isBusy) return;
    const { kept, waiting } = line;
    const index = kept ? waiting.findIndex(({ purpose }) => purpose === kept.purpose) : 0;
    if (index === -1) return;
    const [next] = waiting.splice(index, 1);
    if (kept) forget(line);
    if (next) {
      line.isBusy = true;
      line.movedAtMs = performance.now();
      next.start();
    } else lines.delete(account);
  };

  const forget = (line: Line): void => {
    clearTimeout(line.kept?.timer);
    delete line.kept;
  };

  const take = async ({ account, purpose, signal }: LineTurn): Promise<void> => {
    signal.throwIfAborted();
    const line = lineOf(account);
    const { promise: started, resolve: start, reject } = Promise.withResolvers<void>();
    const own = { purpose, start };
    const leave = (): void => {
      const index = line.waiting.indexOf(own);
      if (index === -1) return;
      line.waiting.splice(index, 1);
      reject(signal.reason);
    };
    line.waiting.push(own);
    signal.addEventListener('abort', leave);
    advance(account, line);
    await started.finally(() => signal.removeEventListener('abort', leave));
  };

  return {
    async inTurn(turn, work) {
      await take(turn);
      const { account } = turn;
      const line = lineOf(account);
      try {
        return await work();
      } finally {
        line.isBusy = false;
        advance(account, line);
      }
    },
    stillMs(account) {
      const line = lines.get(account);
      return line ? performance.now() - line.movedAtMs : 0;
    },
    keepTurn({ account, purpose }) {
      const line = lineOf(account);
      forget(line);
      const lapse = (): void => {
        forget(line);
        advance(account, line);
      };
      line.kept = { purpose, timer: setTimeout(lapse, turnKeptMs).unref() };
    },
  };
}
