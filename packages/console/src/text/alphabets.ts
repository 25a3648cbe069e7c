/**
 * Alphabets whose letters are taken for one another, and those that are written from right to left. Writing without
 * spaces between words, such as Japanese or Thai, is not among them: there Latin words stand among the others by right.
 */

/** By their codes in ISO 15924, which every browser has names for. */
const alphabets = Object.entries({
  Latn: /\p{Script=Latin}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Grek: /\p{Script=Greek}/u,
  Armn: /\p{Script=Armenian}/u,
  Arab: /\p{Script=Arabic}/u,
  Cans: /\p{Script=Canadian_Aboriginal}/u,
  Cher: /\p{Script=Cherokee}/u,
  Copt: /\p{Script=Coptic}/u,
  Dsrt: /\p{Script=Deseret}/u,
  Geor: /\p{Script=Georgian}/u,
  Goth: /\p{Script=Gothic}/u,
  Hebr: /\p{Script=Hebrew}/u,
  Ital: /\p{Script=Old_Italic}/u,
  Lisu: /\p{Script=Lisu}/u,
  Mlym: /\p{Script=Malayalam}/u,
  Orya: /\p{Script=Oriya}/u,
  Osge: /\p{Script=Osage}/u,
  Tfng: /\p{Script=Tifinagh}/u,
});

/** Of which of them a word has letters. */
export const alphabetsOf = (word: string): readonly string[] =>
  alphabets.flatMap(([code, letter]) => (letter.test(word) ? [code] : []));

/** Unicode's blocks for such alphabets. */
const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export const isWrittenFromRight = (word: string): boolean => fromRight.test(word);
