/** How far long work has come: a bar that moves for a person, one plain line a tenth for a pipe or a log. */
import { draw, type Terminal } from './terminal.ts';

export interface Progress {
  readonly advance: (done: number) => void;
  /** Leaves what was shown last and goes to the next line. */
  readonly end: () => void;
}

const barWidth = 30;
/** A bar that changes more often costs more than the work it shows. */
const redrawMs = 100;

export function showProgress(
  terminal: Terminal,
  { total, what, nowMs = () => performance.now() }: { total: number; what: string; nowMs?: () => number },
): Progress {
  return terminal.isWatched ? bar(total, what, nowMs) : lines(terminal, total, what);
}

const shareOf = (done: number, total: number): number => (total === 0 ? 1 : Math.min(1, done / total));

function bar(total: number, what: string, nowMs: () => number): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let latest = 0;
  const show = (done: number): void => {
    const filled = Math.round(shareOf(done, total) * barWidth);
    const text = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
    draw(`\r${text} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${what}`);
  };
  return {
    advance: (done) => {
      latest = done;
      if (nowMs() - drawnAt < redrawMs) return;
      drawnAt = nowMs();
      show(done);
    },
    end: () => {
      show(latest);
      draw('\n');
    },
  };
}

function lines({ remark }: Terminal, total: number, what: string): Progress {
  let told = 0;
  return {
    advance: (done) => {
      const tenth = Math.floor(shareOf(done, total) * 10);
      if (tenth === told) return;
      told = tenth;
      remark(`${done} of ${total} ${what}`);
    },
    end: () => undefined,
  };
}
