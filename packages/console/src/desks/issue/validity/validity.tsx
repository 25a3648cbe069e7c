/** From when and until when it is valid, typed as text and read while it is typed. */
import { TextInput } from '@mantine/core';
import { unreadText } from '../../../parts/controls/misspelt-text.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { dayText } from '../../../text/times.ts';
import { msOfDay } from '../../../text/typed-day.ts';
import { useDeskWords } from '../../../words/words.ts';
import { daysLeft, readUntil, type TypedValidity, type UsualUntil } from './read-validity.ts';
import { understoodDay } from './understood-day.ts';

export interface ValidityProps {
  readonly typed: TypedValidity;
  readonly usual: UsualUntil;
  readonly onType: (typed: TypedValidity) => void;
}

export function Validity({ typed, usual, onType }: ValidityProps) {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox;
  const from = understoodDay(typed.from, language);
  const isWrong = typed.from.trim() !== '' && from === undefined;
  return (
    <div className="grid rev-validity">
      <TextInput
        label={texts.validFrom}
        placeholder={texts.whenSigned}
        description={from}
        error={
          isWrong
            ? unreadText({ type: 'date', typed: typed.from }, { words, language }, texts.noDay)
            : undefined
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={typed.from}
        onChange={(event) => onType({ ...typed, from: event.target.value })}
      />
      <UntilField typed={typed.until} usual={usual} onType={(until) => onType({ ...typed, until })} />
    </div>
  );
}

export interface UntilFieldProps {
  readonly typed: string;
  readonly usual: UsualUntil;
  readonly isLocked?: boolean;
  readonly onType: (typed: string) => void;
}

/** The last day, with how it was understood, and why it is this one where nobody chose. */
export function UntilField({ typed, usual, isLocked = false, onType }: UntilFieldProps) {
  const { words, language } = useDeskWords('issue');
  const now = useNow();
  const texts = words.issueInbox;
  const read = readUntil(typed, now);
  const understood = 'day' in read && [
    dayText(msOfDay(read.day), language),
    texts.lasts(daysLeft(read.day, now)),
    ...(read.day === usual.day ? [texts.usual[usual.why]] : []),
  ];
  const isUnsaid = typed.trim() === '' && usual.why === 'differs';
  const wrong = isUnsaid
    ? texts.usual.differs
    : 'wrong' in read && read.wrong === 'past'
      ? texts.pastDay
      : unreadText({ type: 'date', typed }, { words, language }, texts.noDay);
  return (
    <TextInput
      label={texts.validUntil}
      description={understood ? understood.join(', ') : undefined}
      error={'wrong' in read ? wrong : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={typed}
      readOnly={isLocked}
      onChange={(event) => onType(event.target.value)}
    />
  );
}
