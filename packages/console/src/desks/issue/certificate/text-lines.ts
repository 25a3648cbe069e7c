/** Text in lines: which font draws which piece of it, and where it is broken. Knows nothing of any document. */

export interface TextRun {
  readonly font: string;
  readonly text: string;
  readonly width: number;
}

export type TextLine = readonly TextRun[];

export interface LineRules {
  readonly width: number;
  readonly fontOf: (character: string) => string | undefined;
  readonly widthOf: (text: string, font: string) => number;
}

/** Scripts that are written from the right need more than one character after the other. */
const fromTheRight = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Lines of runs; undefined where no font has a character, or its script is drawn in another way. */
export function textLines(text: string, rules: LineRules): readonly TextLine[] | undefined {
  if (fromTheRight.test(text)) return undefined;
  const lines: TextLine[] = [];
  for (const paragraph of text.normalize('NFC').split('\n')) {
    const words = paragraph.split(/\s+/).filter((word) => word !== '');
    let line: TextRun[] = [];
    let used = 0;
    for (const word of words.flatMap((one) => brokenToFit(one, rules))) {
      const spaced = line.length === 0 ? word : ` ${word}`;
      const runs = runsOf(spaced, rules);
      if (!runs) return undefined;
      const width = widthOfRuns(runs);
      if (line.length > 0 && used + width > rules.width) {
        lines.push(line);
        line = [...(runsOf(word, rules) ?? [])];
        used = widthOfRuns(line);
      } else {
        line.push(...runs);
        used += width;
      }
    }
    lines.push(line);
  }
  return lines;
}

const widthOfRuns = (runs: TextLine): number => runs.reduce((sum, { width }) => sum + width, 0);

/** Neighbours of one font are one run; a space goes with whoever is beside it. */
function runsOf(text: string, { fontOf, widthOf }: LineRules): TextLine | undefined {
  const pieces: { font: string; text: string }[] = [];
  for (const character of text) {
    const last = pieces.at(-1);
    const font = character === ' ' ? (last?.font ?? fontOf('n')) : fontOf(character);
    if (font === undefined) return undefined;
    if (last?.font === font) last.text += character;
    else pieces.push({ font, text: character });
  }
  return pieces.map((piece) => ({ ...piece, width: widthOf(piece.text, piece.font) }));
}

/** A word that is wider than a line, such as an identifier, is broken between characters. */
function brokenToFit(word: string, rules: LineRules): readonly string[] {
  const widthOfWord = (text: string): number => widthOfRuns(runsOf(text, rules) ?? []);
  if (widthOfWord(word) <= rules.width) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && widthOfWord(piece + character) > rules.width) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}
