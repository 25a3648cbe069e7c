/**
 * What the family's old clients sign instead of a text: the text read as if it were hex, by a reader that never says
 * no. Two different texts can give the same bytes, so a signature over these proves that somebody has the key and not
 * what was meant; it is taken only where an operator switched it on.
 */
const digits = '0123456789ABCDEF';

/** Pairs of characters in upper case; one that is no digit counts as -1, and an odd last one is dropped. */
export function lenientHexBytes(text: string): Uint8Array {
  const upper = text.toUpperCase();
  const bytes = new Uint8Array(upper.length >> 1);
  for (let index = 0; index < bytes.length; index++) {
    const [high, low] = [digits.indexOf(upper[2 * index]), digits.indexOf(upper[2 * index + 1])];
    bytes[index] = (high << 4) | low;
  }
  return bytes;
}
