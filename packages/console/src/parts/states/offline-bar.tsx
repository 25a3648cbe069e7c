/** No connection: since when, that what is seen is from then, and when it is tried again. */
import { clockText } from '../../text/times.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { useNow } from '../hooks/use-now.ts';

export interface OfflineBarProps {
  /** Since when nobody answers. */
  readonly since: number;
  /** When the last answer came; undefined if none ever did. */
  readonly seenAt: number | undefined;
  /** When it is tried again; undefined while it is. */
  readonly nextTryAt: number | undefined;
  readonly onTryNow?: () => void;
}

export function OfflineBar({ since, seenAt, nextTryAt, onTryNow }: OfflineBarProps) {
  const { words, language } = useWords();
  const now = useNow();
  const seconds = nextTryAt === undefined ? 0 : Math.max(0, Math.ceil((nextTryAt - now) / 1_000));
  return (
    <div className="offline">
      <Icon name="broken" />
      <span role="status">
        {seenAt === undefined
          ? words.parts.offlineFirst
          : words.parts.offline(clockText(since, language), clockText(seenAt, language))}
      </span>
      <span className="num offline-next" aria-hidden="true">
        {seconds === 0 ? words.parts.askingAgain : words.parts.againIn(seconds)}
      </span>
      {onTryNow && (
        <Button size="small" kind="quiet" onClick={onTryNow}>
          {words.parts.tryNow}
        </Button>
      )}
    </div>
  );
}
