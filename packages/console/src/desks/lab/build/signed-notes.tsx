/** Every note that is signed with a transaction, word for word; what is no text as bytes. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { ForeignValue } from '../../../parts/written/foreign-text.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { signedNotes } from '../draft/notes.ts';

export function SignedNotes({ transaction }: { readonly transaction: Transaction }) {
  const { words } = useDeskWords('lab');
  const { lab } = words;
  const notes = signedNotes(transaction);
  if (notes.length === 0) return null;
  return (
    <ul className="lab-notes">
      {notes.map(({ operation, text, hex }) => (
        <li key={operation ?? 'whole'}>
          <span className="muted">
            {operation === undefined ? lab.note : lab.fieldOf(lab.note, operation + 1)}
            {': '}
            {text === undefined && `${lab.noteBytes} `}
          </span>
          <ForeignValue text={text ?? hex} className={text === undefined ? 'mono' : ''} />
        </li>
      ))}
    </ul>
  );
}
