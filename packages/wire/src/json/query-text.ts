/** The text behind the `?` of an address, as pairs. Which of them a route knows is not its business. */

export type QueryValues = Readonly<Record<string, string | undefined>>;

/** Every pair as it was given, split at `&` and the first `=`, and decoded. */
export const queryPairs = (text: string): readonly (readonly [name: string, value: string])[] =>
  text === ''
    ? []
    : text.split('&').map((pair) => {
        const split = pair.indexOf('=');
        const name = decodePercent(split === -1 ? pair : pair.slice(0, split));
        return [name, split === -1 ? '' : decodePercent(pair.slice(split + 1))];
      });

function decodePercent(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // A stray percent sign is taken as it stands.
    return spaced;
  }
}
