/** A time: how long ago, up to a day, then the day. The exact one, in UTC, is its title. */
import { agoText, logTimeText, type TimeWidth } from '../../text/times.ts';
import { useWords } from '../../words/words.ts';
import { useNow } from '../hooks/use-now.ts';

export interface TimeProps {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly width?: TimeWidth | 'log';
}

export function Time({ at, width = 'long' }: TimeProps) {
  const { language } = useWords();
  const now = useNow();
  const exact = new Date(at).toISOString();
  return (
    <time className="num" dateTime={exact} title={exact}>
      {width === 'log' ? logTimeText(at) : agoText(at, now, language, width)}
    </time>
  );
}
