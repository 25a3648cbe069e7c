/**
 * A sentence about a transaction: known people with their marks, identifiers shortened, and links where the page gives
 * them. Texts that strangers have chosen are text, and keep their direction to themselves.
 */
import type { SentencePart } from '@symbolon/sdk/sentences/sentence-parts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { countText } from '../../text/numbers.ts';
import { useWords } from '../../words/words.ts';
import { Who } from './who.tsx';

/** A part that stands for something one can go to. */
export type SentenceThing = Extract<SentencePart, { readonly id: string }>;

export interface SentenceMark {
  /** From which the colour follows. */
  readonly id: string;
  readonly kind: 'organisation' | 'person';
}

export interface SentenceProps {
  readonly parts: readonly SentencePart[];
  /** Where something leads, if anywhere. */
  readonly linkOf?: ((thing: SentenceThing) => string | undefined) | undefined;
  /** The mark of somebody known. */
  readonly markOf?: ((thing: SentenceThing) => SentenceMark | undefined) | undefined;
}

export function Sentence({ parts, linkOf, markOf }: SentenceProps) {
  return (
    <span className="told">
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sentence has its parts in their order, and nothing else tells them apart.
        <SentencePiece key={at} part={part} linkOf={linkOf} markOf={markOf} />
      ))}
    </span>
  );
}

function SentencePiece({
  part,
  linkOf,
  markOf,
}: Omit<SentenceProps, 'parts'> & { readonly part: SentencePart }) {
  const { words, language } = useWords();
  switch (part.kind) {
    case 'words':
      return part.text;
    case 'foreign':
      return <bdi>{part.text}</bdi>;
    case 'amount':
      return (
        <span className="num nowrap" title={words.parts.units(countText(part.amount, language))}>
          {part.text}
        </span>
      );
    default:
      return <Thing part={part} to={linkOf?.(part)} mark={markOf?.(part)} />;
  }
}

function Thing({
  part,
  to,
  mark,
}: {
  readonly part: SentenceThing;
  readonly to: string | undefined;
  readonly mark: SentenceMark | undefined;
}) {
  const inside = insideOf(part, mark);
  return to === undefined ? (
    inside
  ) : (
    <Link to={to} className={part.isNamed ? 'told-name' : 'lk'}>
      {inside}
    </Link>
  );
}

function insideOf({ id, text, isNamed }: SentenceThing, mark: SentenceMark | undefined): ReactNode {
  if (isNamed && mark) return <Who id={mark.id} name={text} kind={mark.kind} />;
  return (
    <bdi className={isNamed ? '' : 'told-id'} title={id}>
      {text}
    </bdi>
  );
}
