/** Whether an API key is in force, and until when. */
import { Icon } from '../../parts/controls/icon.tsx';
import { useNow } from '../../parts/hooks/use-now.ts';
import { Time } from '../../parts/written/time.tsx';
import { lastDayText } from '../../text/times.ts';
import { useDeskWords } from '../../words/words.ts';
import type { OwnApiKey } from './use-api-keys.ts';

export function KeyState({ apiKey: { endedAt, expiresAt } }: { readonly apiKey: OwnApiKey }) {
  const { words, language } = useDeskWords('dev');
  const now = useNow();
  const { keys } = words.dev;
  const overAt = endedAt ?? (expiresAt !== undefined && Date.parse(expiresAt) <= now ? expiresAt : undefined);
  if (overAt !== undefined)
    return (
      <span className="st idle">
        <Icon name="statusBad" />
        {keys.over} <Time at={Date.parse(overAt)} />
      </span>
    );
  return (
    <span className="st ok">
      <Icon name="statusOk" />
      {expiresAt === undefined ? keys.inForce : keys.until(lastDayText(Date.parse(expiresAt), language))}
    </span>
  );
}
