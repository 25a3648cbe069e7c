/** Ends a BBS+ key, after a question that names it and what follows; with since when others may have it, if they do. */
import { useState } from 'react';
import { TextField, TickField } from '../../../parts/controls/fields.tsx';
import { unreadText } from '../../../parts/controls/misspelt-text.ts';
import { msOfDay, readTypedDay } from '../../../text/typed-day.ts';
import { useDeskWords } from '../../../words/words.ts';
import { Confirm } from '../acting/confirm.tsx';
import { useAct } from '../acting/use-act.ts';
import { understoodDay } from '../validity/understood-day.ts';
import { type KeyChange, useKeyActs } from './issuer-keys.ts';
import type { IssuerKeyRow } from './key-rows.ts';

export interface EndKeyProps {
  readonly row: IssuerKeyRow;
  readonly onEnded: (change: KeyChange) => void;
  readonly onClose: () => void;
}

export function EndKey({ row, onEnded, onClose }: EndKeyProps) {
  const { words, language } = useDeskWords('issue');
  const { issuerKeys } = words;
  const { end } = useKeyActs();
  const [isStolen, setStolen] = useState(false);
  const [day, setDay] = useState(() => new Date().toISOString().slice(0, 10));
  const read = readTypedDay(day);
  const since = read !== undefined && msOfDay(read) <= Date.now() ? msOfDay(read) : undefined;
  const wrongDay = unreadText({ type: 'date', typed: day }, { words, language }, issuerKeys.wrongDay);
  const act = useAct(async () => {
    if (!isStolen) return onEnded(await end(row, undefined));
    if (since === undefined) return;
    // Never before the key was there: nobody can have had it then.
    onEnded(await end(row, Math.max(Math.floor(since / 1_000), Math.ceil(row.since / 1_000))));
  });
  return (
    <Confirm
      title={issuerKeys.endTitle(row.number ?? 0)}
      text={isStolen ? issuerKeys.endStolenText : issuerKeys.endText}
      doIt={issuerKeys.end}
      act={act}
      onClose={onClose}
    >
      <TickField
        label={issuerKeys.stolen}
        hint={issuerKeys.stolenHint}
        isTicked={isStolen}
        onChange={setStolen}
      />
      {isStolen && (
        <TextField
          label={issuerKeys.stolenDay}
          value={day}
          onChange={setDay}
          hint={understoodDay(day, language)}
          error={since === undefined ? wrongDay : undefined}
        />
      )}
    </Confirm>
  );
}
