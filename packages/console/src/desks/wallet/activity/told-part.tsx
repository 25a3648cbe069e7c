/** What was shown of one card, in one line: values that left, ranges that were proved. */
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { SharedPart } from './activity-log.ts';

export function ToldPart({ part }: { readonly part: SharedPart }) {
  const { words } = useDeskWords('wallet');
  const { template, shared, proved } = part;
  return (
    <span className="hint wallet-reason">
      {template}
      {shared.map(({ label, text }) => (
        <span key={label}>
          {' · '}
          {words.parts.shared} <ForeignText text={label} />: <ForeignText text={text} />
        </span>
      ))}
      {proved.map(({ key, label, claim }) => (
        <span key={key}>
          {' · '}
          {words.parts.proved} {label}: {claim}
        </span>
      ))}
    </span>
  );
}
