/** The fonts of a certificate: Inter, in pieces that are fetched when a text needs them. They come from this service. */
import cyrillic400 from '@fontsource/inter/files/inter-cyrillic-400-normal.woff?url';
import cyrillic600 from '@fontsource/inter/files/inter-cyrillic-600-normal.woff?url';
import greek400 from '@fontsource/inter/files/inter-greek-400-normal.woff?url';
import greek600 from '@fontsource/inter/files/inter-greek-600-normal.woff?url';
import latin400 from '@fontsource/inter/files/inter-latin-400-normal.woff?url';
import latin600 from '@fontsource/inter/files/inter-latin-600-normal.woff?url';
import latinExt400 from '@fontsource/inter/files/inter-latin-ext-400-normal.woff?url';
import latinExt600 from '@fontsource/inter/files/inter-latin-ext-600-normal.woff?url';
import type { PdfDocument } from 'pdfkit';

export type FontWeight = 400 | 600;

const addresses: Readonly<Record<FontWeight, readonly string[]>> = {
  400: [latin400, latinExt400, cyrillic400, greek400],
  600: [latin600, latinExt600, cyrillic600, greek600],
};

/** Which of the fonts that are loaded has a character; undefined for none. */
export type FontOf = (character: string, weight: FontWeight) => string | undefined;

/** Registers the pieces that these texts need, and no others. */
export async function loadFonts(document: PdfDocument, texts: readonly string[]): Promise<FontOf> {
  const characters = [...new Set(texts.join(''))].filter((character) => !/\s/.test(character));
  const loaded = new Map<FontWeight, readonly string[]>();
  const has = (font: string, character: string): boolean =>
    document.font(font)._font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  for (const weight of [400, 600] as const) {
    const fonts: string[] = [];
    let missing = characters;
    for (const address of addresses[weight]) {
      // The first piece has the figures and what the paper itself says.
      if (missing.length === 0 && fonts.length > 0) break;
      const name = `inter-${weight}-${fonts.length}`;
      document.registerFont(name, new Uint8Array(await (await fetch(address)).arrayBuffer()));
      fonts.push(name);
      missing = missing.filter((character) => !has(name, character));
    }
    loaded.set(weight, fonts);
  }
  return (character, weight) => loaded.get(weight)?.find((font) => has(font, character));
}
