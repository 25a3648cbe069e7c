/** Reads key presses into names of bindings, one after the other. Pure but for the clock. */

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** How long the second key of a pair may take. */
const pairMsMax = 1_200;

/**
 * A reader that remembers the first key of a pair. Gives the binding that was pressed, out of those there are, or
 * nothing. In a field only bindings with `mod` count.
 */
export function createKeyReader(clock: () => number = Date.now) {
  let first: { readonly key: string; readonly at: number } | undefined;
  return (press: KeyPress, bindings: readonly string[], isTyping: boolean): string | undefined => {
    const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
    if (press.altKey) return undefined;
    if (press.ctrlKey || press.metaKey) {
      first = undefined;
      return bindings.find((keys) => keys === `mod+${key}`);
    }
    if (isTyping) return undefined;
    const begun = first && clock() - first.at <= pairMsMax ? first.key : undefined;
    first = undefined;
    const pair = begun === undefined ? undefined : bindings.find((keys) => keys === `${begun} ${key}`);
    if (pair !== undefined) return pair;
    const single = bindings.find((keys) => keys === key);
    if (single !== undefined) return single;
    if (bindings.some((keys) => keys.startsWith(`${key} `))) first = { key, at: clock() };
    return undefined;
  };
}
