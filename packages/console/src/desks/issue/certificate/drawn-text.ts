/** A text that none of our fonts has, as a picture: the browser draws it with whatever font its machine has. */
import type { FontWeight } from './paper-fonts.ts';

export interface TextOrder {
  readonly width: number;
  readonly size: number;
  readonly weight: FontWeight;
  readonly colour: string;
  /** What it stands on. */
  readonly ground: string;
}

export interface DrawnText {
  /** A JPEG, because that goes into a PDF as it is; what has to be unpacked takes a worker, which the policy refuses. */
  readonly picture: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Fine enough for a printer. */
const pixelsPerPoint = 4;
const lineHeight = 1.4;
const pictureQuality = 0.95;

export async function drawText(
  text: string,
  { width, size, weight, colour, ground }: TextOrder,
): Promise<DrawnText> {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser draws no text on a canvas');
  const font = `${weight} ${size * pixelsPerPoint}px 'Inter Variable', system-ui, sans-serif`;
  pen.font = font;
  const lines = linesOf(text, (line) => pen.measureText(line).width <= width * pixelsPerPoint);
  const drawnWidth = Math.ceil(Math.max(1, ...lines.map((line) => pen.measureText(line).width)));
  const step = size * lineHeight * pixelsPerPoint;
  canvas.width = drawnWidth;
  canvas.height = Math.ceil(step * lines.length);
  pen.fillStyle = ground;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  // A canvas that changed its size has forgotten its pen.
  pen.font = font;
  pen.fillStyle = colour;
  pen.textBaseline = 'middle';
  const isFromTheRight = /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text);
  pen.direction = isFromTheRight ? 'rtl' : 'ltr';
  for (const [at, line] of lines.entries())
    pen.fillText(line, isFromTheRight ? drawnWidth : 0, step * (at + 0.5));
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', pictureQuality),
  );
  if (!blob) throw new Error('this browser makes no picture of a canvas');
  return {
    picture: new Uint8Array(await blob.arrayBuffer()),
    width: drawnWidth / pixelsPerPoint,
    height: canvas.height / pixelsPerPoint,
  };
}

/** Broken between words, or where there are none, between characters. */
function linesOf(text: string, fits: (line: string) => boolean): readonly string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const { segment } of segmenter.segment(paragraph)) {
      if (line !== '' && !fits(line + segment)) {
        lines.push(line.trim());
        line = '';
      }
      line += segment;
    }
    return [...lines, line.trim()];
  });
}
