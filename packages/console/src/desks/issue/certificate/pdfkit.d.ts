/** What of pdfkit certificates are drawn with. The library brings no types. */
declare module 'pdfkit' {
  interface PdfOptions {
    readonly size: 'A4';
    readonly margin: number;
    /** None: the usual one is a file that no browser has. */
    readonly font: null;
    readonly lang: string;
    readonly displayTitle: boolean;
    readonly info: Readonly<Record<string, string | Date>>;
  }
  interface ParsedFont {
    hasGlyphForCodePoint(point: number): boolean;
  }
  class PdfDocument {
    constructor(options: PdfOptions);
    /** The font in use, as fontkit has read it. */
    readonly _font: { readonly font: ParsedFont };
    registerFont(name: string, bytes: Uint8Array): this;
    font(name: string): this;
    fontSize(size: number): this;
    widthOfString(text: string): number;
    text(text: string, x: number, y: number, options: { readonly lineBreak: false }): this;
    image(bytes: Uint8Array, x: number, y: number, options: { readonly width: number }): this;
    file(
      bytes: Uint8Array,
      options: {
        readonly name: string;
        readonly type: string;
        readonly description: string;
        readonly creationDate: Date;
        readonly modifiedDate: Date;
        readonly relationship: 'Source';
      },
    ): unknown;
    rect(x: number, y: number, width: number, height: number): this;
    path(path: string): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    lineWidth(width: number): this;
    fill(colour: string): this;
    fillColor(colour: string): this;
    fillOpacity(opacity: number): this;
    stroke(colour: string): this;
    strokeOpacity(opacity: number): this;
    save(): this;
    restore(): this;
    clip(): this;
    translate(x: number, y: number): this;
    scale(x: number, y: number): this;
    addPage(): this;
    end(): void;
  }
  export default PdfDocument;
  export type { PdfDocument };
}

declare module 'pdfkit/output' {
  import type { PdfDocument } from 'pdfkit';

  /** Resolves when the document has ended. */
  export function toBytes(document: PdfDocument): Promise<Uint8Array<ArrayBuffer>>;
}
