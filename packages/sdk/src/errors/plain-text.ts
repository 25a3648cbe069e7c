/** Texts of others, made fit for a line that a person reads. */

const shownTextMax = 60;

/** On one line, short, and without characters that a terminal or a page would obey instead of show. */
export function plainText(text: string, charactersMax: number = shownTextMax): string {
  const shown = Array.from(text.slice(0, 2 * charactersMax + 2));
  const cut = shown
    .slice(0, charactersMax)
    .join('')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  return shown.length > charactersMax ? `${cut}…` : cut;
}
