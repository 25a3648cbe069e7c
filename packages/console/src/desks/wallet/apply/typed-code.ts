/** The further code of an offer as people type, paste or hear it: in groups, with dashes, with characters nobody sees. Pure. */

const between = /[\s\p{Pd}\p{C}\p{Default_Ignorable_Code_Point}]/gu;

/** Undefined for what is no code of so many digits: a code that cannot be right costs no try. */
export function readTypedCode(typed: string, digits: number): string | undefined {
  const code = typed.normalize('NFKC').replaceAll(between, '');
  return /^[0-9]+$/.test(code) && code.length === digits ? code : undefined;
}
