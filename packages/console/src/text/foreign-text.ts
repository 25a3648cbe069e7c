/**
 * Texts of strangers as a reader must see them: what a page would obey instead of show, or not show at all, becomes a
 * mark that names it. A value that is relied on reads as what was signed, and never as what it was made to look like.
 */
import { unsafeCharacter } from '@symbolon/core/basics/plain-text';

export interface HiddenMark {
  readonly kind: 'mark';
  /** `U+202E`. */
  readonly code: string;
  /** How many of it stand one after the other. */
  readonly count: number;
  /** Whether it changes the direction in which the text is read. */
  readonly isTurning: boolean;
}
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | HiddenMark;

/** A sign of several characters, such as an emoji with a joiner in it, is seen as one; the blank of Braille is not seen. */
const noticed = new RegExp(String.raw`\p{RGI_Emoji}|\r?\n|(?<hidden>${unsafeCharacter.source}|\u2800)`, 'gv');
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The text in pieces: what is read as it stands, ends of lines, and marks for what cannot be seen. */
export function foreignPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  const put = (piece: TextPiece): void => {
    const last = pieces.at(-1);
    if (piece.kind === 'mark' && last?.kind === 'mark' && last.code === piece.code)
      pieces.splice(-1, 1, { ...last, count: last.count + 1 });
    else if (piece.kind !== 'text' || piece.text !== '') pieces.push(piece);
  };
  let from = 0;
  for (const { 0: found, index, groups } of text.matchAll(noticed)) {
    const isBreak = found.endsWith('\n');
    const hidden = groups?.hidden;
    if (!isBreak && hidden === undefined) continue;
    put({ kind: 'text', text: text.slice(from, index) });
    put(
      isBreak
        ? { kind: 'break' }
        : { kind: 'mark', code: codeOf(found), count: 1, isTurning: turning.test(found) },
    );
    from = index + found.length;
  }
  put({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** Whether there is something in it that one line of text does not show. */
export const hidesSomething = (text: string): boolean =>
  foreignPieces(text).some(({ kind }) => kind !== 'text');

/** The same as plain text, for names of controls, messages and paper; on one line, unless its lines end as told. */
export const foreignLine = (text: string, lineEnd: string = ' ↵ '): string =>
  foreignPieces(text)
    .map((piece) => {
      if (piece.kind === 'text') return piece.text;
      return piece.kind === 'break' ? lineEnd : `[${markText(piece)}]`;
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
