/** Where an offer stands: a shape, a word and a colour. */
import type { OfferState } from '@symbolon/wire/offers/schemas';
import { Icon, type IconName } from '../../../parts/controls/icon.tsx';
import { useDeskWords } from '../../../words/words.ts';

const looks: Readonly<Record<OfferState, { readonly tone: string; readonly icon: IconName }>> = {
  open: { tone: 'warn', icon: 'statusWarn' },
  accepted: { tone: 'ok', icon: 'statusOk' },
  issued: { tone: 'ok', icon: 'statusOk' },
  rejected: { tone: 'bad', icon: 'statusBad' },
  withdrawn: { tone: 'idle', icon: 'statusIdle' },
  expired: { tone: 'idle', icon: 'clock' },
  locked: { tone: 'bad', icon: 'lock' },
};

export function OfferStatus({ state }: { readonly state: OfferState }) {
  const { words } = useDeskWords('issue');
  const { tone, icon } = looks[state];
  return (
    <span className={`st ${tone}`}>
      <Icon name={icon} />
      {words.offers.states[state]}
    </span>
  );
}
