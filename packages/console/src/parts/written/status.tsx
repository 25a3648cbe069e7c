/** A status: a shape, a word and a colour, never one of them alone. */
import type { FrameWords } from '../../words/catalogue.ts';
import { useWords } from '../../words/words.ts';
import { Icon, type IconName } from '../controls/icon.tsx';

export type StatusName = keyof FrameWords['parts']['statuses'];

const looks: Readonly<Record<StatusName, { readonly tone: string; readonly icon: IconName }>> = {
  Active: { tone: 'ok', icon: 'statusOk' },
  Ready: { tone: 'ok', icon: 'statusOk' },
  Pending: { tone: 'warn', icon: 'statusWarn' },
  NotReady: { tone: 'warn', icon: 'statusWarn' },
  Suspended: { tone: 'idle', icon: 'statusIdle' },
  Unknown: { tone: 'idle', icon: 'statusWarn' },
  NotYet: { tone: 'warn', icon: 'clock' },
  Expired: { tone: 'idle', icon: 'clock' },
  Revoked: { tone: 'bad', icon: 'statusBad' },
};

export interface StatusProps {
  readonly status: StatusName;
}

export function Status({ status }: StatusProps) {
  const { words } = useWords();
  const { tone, icon } = looks[status];
  return (
    <span className={`st ${tone}`}>
      <Icon name={icon} />
      {words.parts.statuses[status]}
    </span>
  );
}
