/** Reads back what a PDF holds: its streams, unpacked. Enough for files that we have made ourselves. */
import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';

export interface PdfStream {
  /** Its dictionary, as text. */
  readonly about: string;
  readonly bytes: Buffer;
}

export function pdfStreams(file: Buffer): readonly PdfStream[] {
  const text = file.toString('latin1');
  return [...text.matchAll(/<<(?:(?!endobj)[\s\S])*?>>\s*stream\r?\n/g)].map((match) => {
    const about = match[0];
    const length = Number(/\/Length (\d+)/.exec(about)?.[1]);
    const start = match.index + about.length;
    const raw = file.subarray(start, start + length);
    return { about, bytes: about.includes('/FlateDecode') ? inflateSync(raw) : raw };
  });
}

/** The files that are attached. */
export const attachedFiles = (file: Buffer): readonly Buffer[] =>
  pdfStreams(file).flatMap(({ about, bytes }) => (about.includes('/EmbeddedFile') ? [bytes] : []));

const pixels = 4;

/** The text of the code that is drawn with squares of this height. */
export function drawnCode(file: Buffer, module: number): string {
  const squares = pdfStreams(file).flatMap(({ bytes }) =>
    [...bytes.toString('latin1').matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re\b/g)]
      .map(([, ...numbers]) => numbers.map(Number) as [number, number, number, number])
      .filter(([, , , height]) => height === module),
  );
  const left = Math.min(...squares.map(([x]) => x));
  const top = Math.min(...squares.map(([, y]) => y));
  const size = Math.round((Math.max(...squares.map(([x, , width]) => x + width)) - left) / module);
  const border = 4;
  const width = (size + 2 * border) * pixels;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [x, y, run] of squares) {
    const from = (Math.round((x - left) / module) + border) * pixels;
    const down = (Math.round((y - top) / module) + border) * pixels;
    const to = from + Math.round(run / module) * pixels;
    for (let row = down; row < down + pixels; row++)
      for (let at = from; at < to; at++) data.fill(0, (row * width + at) * 4, (row * width + at) * 4 + 3);
  }
  return decodeQR({ width, height: width, data });
}
