/**
 * A decimal as people type it, in the spelling that rules read: `1,3` is `1.3`. A comma that may be one of thousands,
 * `1,300`, stays, so that the rule refuses it instead of guessing.
 */
export const readTypedDecimal = (typed: string): string => {
  const text = typed.trim();
  const isOfThousands = /^-?[1-9]\d{0,2},\d{3}$/.test(text);
  return isOfThousands ? text : text.replace(/^(-?\d+),(\d+)$/, '$1.$2');
};
