/** A word as a shell reads it, whatever is in it. */
export const shellQuoted = (text: string): string =>
  /^[\w:./=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
