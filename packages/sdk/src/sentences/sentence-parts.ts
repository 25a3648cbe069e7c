/**
 * What sentences are made of. A part knows what it stands for, so that a page can make a link of it; its text alone
 * makes the sentence for a terminal.
 */
import type { SentenceWord, SentenceWords } from './sentence-words.ts';

/** Words of ours, and texts that somebody else has chosen, made plain. */
interface TextPart {
  readonly kind: 'words' | 'foreign';
  readonly text: string;
}
interface AmountPart {
  readonly kind: 'amount';
  readonly text: string;
  /** In the smallest unit. */
  readonly amount: bigint;
}
interface ThingPart {
  readonly kind: 'account' | 'template' | 'credential';
  readonly text: string;
  /** Address or DID. */
  readonly id: string;
  /** Whether the text is the reader's own name for it. */
  readonly isNamed: boolean;
}
export type SentencePart = TextPart | AmountPart | ThingPart;

/** Something said in the words of a language, with what stands at its places; a place may stay empty. */
export interface Saying {
  readonly says: SentenceWord;
  readonly with?: Readonly<Record<string, SentencePart | Saying | undefined>>;
}

export const plainWords = (text: string): SentencePart => ({ kind: 'words', text });

/** The parts of something said, one behind the other. */
export function sayingParts(saying: Saying, words: SentenceWords): readonly SentencePart[] {
  const pieces = words[saying.says].split(/\{([a-z]+)\}/i);
  return pieces.flatMap((piece, at) => {
    if (at % 2 === 0) return piece === '' ? [] : [plainWords(piece)];
    const given = saying.with?.[piece];
    if (given === undefined) return [];
    return 'says' in given ? sayingParts(given, words) : [given];
  });
}

/** Words that stand next to each other are one part. */
export function joinedParts(parts: readonly SentencePart[]): readonly SentencePart[] {
  const joined: SentencePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'words' && last?.kind === 'words')
      joined[joined.length - 1] = plainWords(last.text + part.text);
    else joined.push(part);
  }
  return joined;
}
