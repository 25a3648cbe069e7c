/**
 * A text that a stranger has chosen: what cannot be seen in it is marked and named, ends of lines stay visible, and its
 * direction ends with it. `ForeignValue` shows the beginning of a long one, and all of it when asked.
 */
import { useState } from 'react';
import {
  foreignBeginning,
  foreignPieces,
  type HiddenMark,
  hidesSomething,
  markText,
} from '../../text/foreign-text.ts';
import { countText } from '../../text/numbers.ts';
import { useWords } from '../../words/words.ts';

export function ForeignText({ text }: { readonly text: string }) {
  return (
    <bdi className="foreign">
      {foreignPieces(text).map((piece, at) => {
        if (piece.kind === 'text') return piece.text;
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces stand in their order, and nothing else tells them apart.
        return piece.kind === 'break' ? <LineEnd key={at} /> : <Mark key={at} mark={piece} />;
      })}
    </bdi>
  );
}

function LineEnd() {
  const { words } = useWords();
  return (
    <>
      <span className="unseen end" title={words.parts.lineEnd}>
        ↵
      </span>
      {'\n'}
    </>
  );
}

function Mark({ mark }: { readonly mark: HiddenMark }) {
  const { words } = useWords();
  const { code, isTurning } = mark;
  return (
    <span className="unseen" title={isTurning ? words.parts.turning(code) : words.parts.unseen(code)}>
      {markText(mark)}
    </span>
  );
}

export interface ForeignValueProps {
  readonly text: string;
  readonly className?: string;
}

/** More than this says little at a glance. */
const shownCharsMax = 200;

/** A value that somebody relies on: never cut without saying so. Holds a button, so it stands in no link. */
export function ForeignValue({ text, className = '' }: ForeignValueProps) {
  const { words, language } = useWords();
  const [isWhole, setWhole] = useState(false);
  const beginning = foreignBeginning(text, shownCharsMax);
  return (
    <span className={`foreign-value ${className}`}>
      <ForeignText text={isWhole || beginning === undefined ? text : `${beginning}…`} />
      {beginning !== undefined && (
        <button
          type="button"
          className="foreign-more"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? words.parts.showLess : words.parts.showAll(countText(text.length, language))}
        </button>
      )}
    </span>
  );
}

/** Beneath a field, which shows nothing of such characters: what is really in it. Nothing where all of it is seen. */
export function HiddenNote({ text }: { readonly text: string }) {
  const { words } = useWords();
  if (!hidesSomething(text)) return null;
  return (
    <span className="hint hidden-note" role="status">
      {words.parts.hides} <ForeignValue text={text} />
    </span>
  );
}
