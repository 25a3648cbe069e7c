/**
 * A text that a stranger has chosen: what cannot be seen in it is marked and named, words of several alphabets say so,
 * ends of lines stay visible, and its direction ends with it. `ForeignValue` shows the beginning of a long one, and all
 * of it when asked.
 */
import { Fragment, useState } from 'react';
import {
  type DoubtfulPiece,
  foreignBeginning,
  foreignPieces,
  type HiddenMark,
  hidesSomething,
  markText,
  type TextPiece,
} from '../../text/foreign-text.ts';
import { countText } from '../../text/numbers.ts';
import { useWords } from '../../words/words.ts';

export function ForeignText({ text }: { readonly text: string }) {
  const pieces = foreignPieces(text);
  // Where letters would carry digits along, all of it stands as it was signed, from left to right.
  const isInOrder = pieces.some((piece) => piece.kind === 'doubt' && piece.alphabets.length === 0);
  return (
    <bdi className="foreign" {...(isInOrder && { dir: 'ltr' })}>
      {pieces.map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces stand in their order, and nothing else tells them apart.
        <Piece key={at} piece={piece} />
      ))}
    </bdi>
  );
}

/** Of a stranger's code: lines end where they are seen to. */
export const ForeignLines = ({ text }: { readonly text: string }) =>
  text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line of a text is its place.
    <Fragment key={at}>
      {at > 0 && '\n'}
      {hidesSomething(line) ? <ForeignText text={line} /> : line}
    </Fragment>
  ));

function Piece({ piece }: { readonly piece: TextPiece }) {
  if (piece.kind === 'text') return piece.text;
  if (piece.kind === 'break') return <LineEnd />;
  if (piece.kind === 'mark') return <Mark mark={piece} />;
  const { text, alphabets } = piece;
  return (
    <>
      {alphabets.length === 0 ? <span className="in-order">{text}</span> : text}
      <Doubt alphabets={alphabets} />
    </>
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
  const { code, sort } = mark;
  return (
    <span className="unseen" title={words.parts.hiddenSorts[sort](code)}>
      {markText(mark)}
    </span>
  );
}

function Doubt({ alphabets }: Pick<DoubtfulPiece, 'alphabets'>) {
  const { words, language } = useWords();
  if (alphabets.length === 0)
    return (
      <span className="unseen told" title={words.parts.turnedDigitsWhy}>
        {words.parts.turnedDigits}
      </span>
    );
  const names = new Intl.DisplayNames(language, { type: 'script' });
  return (
    <span className="unseen told" title={words.parts.mixedLettersWhy}>
      {words.parts.mixedLetters(alphabets.map((code) => names.of(code) ?? code).join(', '))}
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
