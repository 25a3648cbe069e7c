/**
 * A certificate as a PDF of one or more pages, made here and nowhere else: who certifies what to whom, each value, the
 * code that leads to the ledger's word, and the signed credential as a file in it.
 */

import type { PdfDocument } from 'pdfkit';
import { encodeQR } from 'qr';
import { cardLine, cardSize } from '../../../parts/card/card-line.ts';
import { cardInk, identityColour } from '../../../text/identity.ts';
import type { DeskSections } from '../../../words/desk-words.ts';
import { drawText, type TextOrder } from './drawn-text.ts';
import { type FontOf, type FontWeight, loadFonts } from './paper-fonts.ts';
import { textLines } from './text-lines.ts';

export interface CertificateOrder {
  readonly words: DeskSections['issueInbox']['certificate']['page'];
  readonly language: string;
  readonly issuer: { readonly did: string; readonly name: string };
  readonly template: { readonly id: string; readonly name: string };
  readonly holder: string;
  readonly values: readonly { readonly label: string; readonly text: string }[];
  /** Pairs of a name and a value about the record. */
  readonly record: readonly { readonly label: string; readonly text: string }[];
  readonly recorded: string | undefined;
  /** What the code leads to. */
  readonly address: string;
  readonly attachment: { readonly name: string; readonly bytes: Uint8Array } | undefined;
  readonly at: Date;
}

/** In points of an A4 page. */
const page = { width: 595.28, height: 841.89, edge: 56, band: 150, foot: 190 } as const;
const inks = { dark: '#1a1916', soft: '#57534b', line: '#e5e2db', white: '#ffffff' } as const;
const codeModule = 3;

export async function makeCertificate(order: CertificateOrder): Promise<Uint8Array<ArrayBuffer>> {
  const [{ default: Document }, { toBytes }] = await Promise.all([import('pdfkit'), import('pdfkit/output')]);
  const document = new Document({
    size: 'A4',
    margin: 0,
    font: null,
    lang: order.language,
    displayTitle: true,
    info: {
      Title: order.template.name,
      Author: order.issuer.name,
      Creator: 'Symbolon',
      Producer: 'Symbolon',
      CreationDate: order.at,
    },
  });
  const bytes = toBytes(document);
  const paper = createPaper(document, await loadFonts(document, textsOf(order)));
  await drawPages(paper, order);
  if (order.attachment) {
    const { name, bytes: contents } = order.attachment;
    document.file(contents, {
      name,
      type: 'application/json',
      description: order.words.attached,
      creationDate: order.at,
      modifiedDate: order.at,
      relationship: 'Source',
    });
  }
  document.end();
  return bytes;
}

const textsOf = ({
  words,
  issuer,
  template,
  holder,
  values,
  record,
  recorded = '',
}: CertificateOrder): string[] => [
  ...Object.values(words).filter((text) => typeof text === 'string'),
  issuer.name,
  template.name,
  holder,
  recorded,
  ...[...values, ...record].flatMap(({ label, text }) => [label, text]),
];

interface Paper {
  readonly document: PdfDocument;
  /** Draws a text with its top at `y` and answers how high it is. */
  readonly write: (
    text: string,
    place: TextOrder & { readonly x: number; readonly y: number },
  ) => Promise<number>;
}

const lineHeight = 1.4;

function createPaper(document: PdfDocument, fontOf: FontOf): Paper {
  return {
    document,
    async write(text, { x, y, ...order }) {
      const { size, weight, width, colour } = order;
      const lines = textLines(text, {
        width,
        fontOf: (character) => fontOf(character, weight),
        widthOf: (run, font) => document.font(font).fontSize(size).widthOfString(run),
      });
      if (!lines) {
        const drawn = await drawText(text, order);
        document.image(drawn.picture, x, y, { width: drawn.width });
        return drawn.height;
      }
      document.fillColor(colour);
      for (const [at, line] of lines.entries()) {
        let left = x;
        for (const run of line) {
          document
            .font(run.font)
            .fontSize(size)
            .text(run.text, left, y + at * size * lineHeight, { lineBreak: false });
          left += run.width;
        }
      }
      return lines.length * size * lineHeight;
    },
  };
}

const style = (
  size: number,
  weight: FontWeight,
  colour: string,
  width: number,
  ground: string = inks.white,
): TextOrder => ({ size, weight, colour, width, ground });

async function drawPages(paper: Paper, order: CertificateOrder): Promise<void> {
  const { words, issuer, template, holder, values } = order;
  const inner = page.width - 2 * page.edge;
  const x = page.edge;
  await drawBand(paper, order);
  let y = page.band + 44;
  y += await paper.write(`${issuer.name} ${words.issuedTo}`, { ...style(12, 400, inks.soft, inner), x, y });
  y += 4 + (await paper.write(holder, { ...style(30, 600, inks.dark, inner), x, y: y + 4 }));
  y += 8 + (await paper.write(template.name, { ...style(16, 600, inks.dark, inner), x, y: y + 4 }));
  y += 18;
  for (const { label, text } of values) {
    // What does not fit above the foot goes on on a page of its own.
    if (y > page.height - page.foot - 30) {
      await drawFoot(paper, order);
      paper.document.addPage();
      y = page.edge;
    }
    rule(paper.document, y);
    const high = await paper.write(label, { ...style(10, 400, inks.soft, 150), x, y: y + 7 });
    const value = await paper.write(text, {
      ...style(10, 600, inks.dark, inner - 160),
      x: x + 160,
      y: y + 7,
    });
    y += Math.max(high, value) + 14;
  }
  if (values.length > 0) rule(paper.document, y);
  await drawFoot(paper, order);
}

function rule(document: PdfDocument, y: number): void {
  document
    .moveTo(page.edge, y)
    .lineTo(page.width - page.edge, y)
    .lineWidth(0.7)
    .stroke(inks.line);
}

/** The issuer's colour and the line of the template, as on the card. */
async function drawBand({ document, write }: Paper, { issuer, template }: CertificateOrder): Promise<void> {
  const { strokes, area } = cardLine(template.id);
  const ground = identityColour(issuer.did);
  document.rect(0, 0, page.width, page.band).fill(ground);
  document.save();
  document.rect(0, 0, page.width, page.band).clip();
  document.scale(page.width / cardSize.width, page.band / cardSize.height);
  document.path(area).fillOpacity(0.5).fill(cardInk(template.id));
  for (const { path, opacity, width } of strokes)
    document.path(path).lineWidth(width).strokeOpacity(opacity).stroke(inks.white);
  document.restore();
  document.fillOpacity(1).strokeOpacity(1);
  await write(issuer.name, { ...style(17, 600, inks.white, page.width * 0.6, ground), x: page.edge, y: 54 });
}

async function drawFoot(paper: Paper, order: CertificateOrder): Promise<void> {
  const { words, record, recorded, address, attachment } = order;
  const top = page.height - page.foot;
  const size = drawCode(paper.document, address, { x: page.edge, y: top });
  const x = page.edge + size + 22;
  const width = page.width - page.edge - x;
  let y = top;
  for (const { label, text } of record) {
    await paper.write(label, { ...style(8, 400, inks.soft, 70), x, y });
    y += 3 + (await paper.write(text, { ...style(8, 600, inks.dark, width - 76), x: x + 76, y }));
  }
  y += 4;
  const notes = [recorded, words.scan, attachment && words.attached, words.paper];
  for (const note of notes)
    if (note !== undefined) y += await paper.write(note, { ...style(8, 400, inks.soft, width), x, y });
}

/** Drawn module by module, so that it is sharp on any paper. Answers how wide it is. */
function drawCode(
  document: PdfDocument,
  text: string,
  { x, y }: { readonly x: number; readonly y: number },
): number {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 1 });
  for (const [down, row] of rows.entries()) {
    for (let from = 0; from < row.length; from++) {
      if (!row[from]) continue;
      let to = from;
      while (row[to]) to += 1;
      document.rect(x + from * codeModule, y + down * codeModule, (to - from) * codeModule, codeModule);
      from = to;
    }
  }
  document.fill(inks.dark);
  return rows.length * codeModule;
}
