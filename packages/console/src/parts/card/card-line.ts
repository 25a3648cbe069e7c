/**
 * The line of a card, drawn from an identifier: nine corners at two thirds of the width, and behind it sixteen fainter
 * copies that calm down. Numbers are those of a card 340 by 214.
 */
import { lineOffsets, linePath, lineThrough, type Point } from '../../text/identity.ts';

export const cardSize = { width: 340, height: 214 } as const;

const corners = 9;
const copies = 16;
const centre = cardSize.width * 0.652;
const step = 8.2;
const swing = 46;
/** Of the swing of one copy, what is left in the next. */
const calming = 0.86;

export interface CardStroke {
  readonly path: string;
  readonly opacity: number;
  readonly width: number;
}

export interface CardLine {
  /** The line itself first, then its copies. */
  readonly strokes: readonly CardStroke[];
  /** What lies right of the line. */
  readonly area: string;
  readonly points: readonly Point[];
}

export function cardLine(id: string): CardLine {
  const { height, width } = cardSize;
  const offsets = lineOffsets(id, corners);
  const lines = Array.from({ length: copies + 1 }, (_, copy) =>
    lineThrough(offsets, { centre: centre + copy * step, swing: swing * calming ** copy, height }),
  );
  const points = lines[0] as readonly Point[];
  return {
    points,
    area: `${linePath(points)}L${width} ${height}L${width} 0Z`,
    strokes: lines.map((line, copy) => ({
      path: linePath(line),
      opacity: Math.round((0.03 + 0.42 * 0.88 ** copy) * 1_000) / 1_000,
      width: copy === 0 ? 1.6 : 0.9,
    })),
  };
}

/** One half of a card that broke along its line, as a polygon of percentages. */
export function brokenHalf(points: readonly Point[], side: 'left' | 'right'): string {
  const edge = side === 'left' ? '0' : '100%';
  const line = points.map(
    ({ x, y }) => `${((x / cardSize.width) * 100).toFixed(2)}% ${((y / cardSize.height) * 100).toFixed(1)}%`,
  );
  return `polygon(${edge} 0, ${line.join(', ')}, ${edge} 100%)`;
}
