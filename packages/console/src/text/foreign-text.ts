/**
 * Texts of strangers as a reader must see them: what a page would obey instead of show, or not show at all, becomes a
 * mark that names it; what is seen and yet easily read as something else is told apart. A value that is relied on reads
 * as what was signed, and never as what it was made to look like.
 */
import { unsafeCharacter } from '@symbolon/core/basics/plain-text';
import { alphabetsOf, isWrittenFromRight } from './alphabets.ts';

export interface HiddenMark {
  readonly kind: 'mark';
  /** `U+202E`. */
  readonly code: string;
  /** How many of it stand one after the other. */
  readonly count: number;
  /** Not shown; turns the direction of the text; drawn over another character; stands for something that is not there. */
  readonly sort: 'unseen' | 'turning' | 'overlaid' | 'standIn';
}
/** Characters that are seen, and that may be taken for others. */
export interface DoubtfulPiece {
  readonly kind: 'doubt';
  readonly text: string;
  /** Of one word, by their codes (`Latn`); none where digits stand beside letters that are written from the right. */
  readonly alphabets: readonly string[];
}
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | HiddenMark
  | DoubtfulPiece;

const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** Strokes, rings and frames over a whole character: with one of them it is another one, or none that can be read. */
const overlaid = /[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb\p{Me}]/u;
const standIn = /[\ufffc\ufffd]/;
const hidden = `[${unsafeCharacter.source}${overlaid.source}${standIn.source}\\u2800]`;
const letters = String.raw`[[\p{L}\p{M}]--${hidden}]+`;
/** Not the beginning of an emoji. */
const digit = String.raw`\p{Nd}(?!\ufe0f)`;
/** A sign of several characters, such as an emoji with a joiner in it, is seen as one. */
const noticed = new RegExp(
  [
    String.raw`\p{RGI_Emoji}`,
    String.raw`\r?\n`,
    `(?<hidden>${hidden})`,
    String.raw`(?<word>${letters}(?:\p{Nd}+${letters})*)`,
    String.raw`(?<digits>${digit}(?:[ .,:\/\-]?${digit})*)`,
  ].join('|'),
  'gv',
);

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

function sortOf(character: string): HiddenMark['sort'] {
  if (turning.test(character)) return 'turning';
  if (overlaid.test(character)) return 'overlaid';
  return standIn.test(character) ? 'standIn' : 'unseen';
}

/** The text in pieces: what is read as it stands, ends of lines, marks for what cannot be seen, and what is doubtful. */
export function foreignPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  const put = (piece: TextPiece): void => {
    const last = pieces.at(-1);
    if (piece.kind === 'mark' && last?.kind === 'mark' && last.code === piece.code)
      pieces.splice(-1, 1, { ...last, count: last.count + 1 });
    else if (piece.kind !== 'text' || piece.text !== '') pieces.push(piece);
  };
  const pieceOf = noticedPieces(text);
  let from = 0;
  for (const match of text.matchAll(noticed)) {
    const piece = pieceOf(match);
    if (piece === undefined) continue;
    put({ kind: 'text', text: text.slice(from, match.index) });
    put(piece);
    from = match.index + match[0].length;
  }
  put({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** What a match stands for, one after the other; undefined where it is read as it stands. */
function noticedPieces(text: string): (match: RegExpExecArray) => TextPiece | undefined {
  // Digits go the way of the letters before them, those at the beginning that of the first letter.
  let isFromRight = isWrittenFromRight(text.match(/\p{L}/u)?.[0] ?? '');
  return ({ 0: found, groups = {} }) => {
    const { hidden: character, word, digits } = groups;
    if (found.endsWith('\n')) return { kind: 'break' };
    if (character !== undefined)
      return { kind: 'mark', code: codeOf(character), count: 1, sort: sortOf(character) };
    if (word !== undefined) {
      isFromRight = isWrittenFromRight(word);
      const alphabets = alphabetsOf(word);
      if (alphabets.length > 1) return { kind: 'doubt', text: word, alphabets };
    }
    const isTurned = isFromRight && /\p{Nd}/u.test(word ?? digits ?? '');
    return isTurned ? { kind: 'doubt', text: found, alphabets: [] } : undefined;
  };
}

/** Whether there is something in it that one line of text does not show, or not as what it is. */
export const hidesSomething = (text: string): boolean =>
  foreignPieces(text).some(({ kind }) => kind !== 'text');

/** Lines that end and tabs are how a longer text is laid out. */
const plainLayout = /^[\t\n -~]*$/;
const tab = 'U+0009';

/** The marks in a longer text, on several lines. */
export function unseenCodes(text: string): readonly string[] {
  if (plainLayout.test(text)) return [];
  return foreignPieces(text).flatMap((piece) =>
    piece.kind === 'mark' && piece.code !== tab ? [piece.code] : [],
  );
}

/** The same without what is not shown or turns the text: for names, which are called as they are read. */
export const withoutHidden = (text: string): string =>
  foreignPieces(text)
    .map((piece) => ('text' in piece ? piece.text : ''))
    .join('');

/** The same as plain text, for names of controls, messages and paper; on one line, unless its lines end as told. */
export const foreignLine = (text: string, lineEnd: string = ' ↵ '): string =>
  foreignPieces(text)
    .map((piece) => {
      if (piece.kind === 'text') return piece.text;
      if (piece.kind === 'break') return lineEnd;
      if (piece.kind === 'mark') return `[${markText(piece)}]`;
      return `${piece.text}[${piece.alphabets.join('+') || 'RTL'}]`;
    })
    .join('');

/** What stands in the place of what cannot be seen. */
export const markText = ({ code, count }: Pick<HiddenMark, 'code' | 'count'>): string =>
  count === 1 ? code : `${code} × ${count}`;

/** The beginning of a long text, of whole characters; undefined where it is not longer than that. */
export function foreignBeginning(text: string, charsMax: number): string | undefined {
  if (text.length <= charsMax) return undefined;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(charsMax - 1));
  return text.slice(0, isHalf ? charsMax - 1 : charsMax);
}
