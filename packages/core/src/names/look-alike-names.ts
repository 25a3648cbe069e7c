/**
 * Names that people take for one another: templates and issuers are told apart by what is read, so a name that looks
 * like another's is refused where names are registered and not shown where it was not registered. Pure, by the table
 * beside (`look-alike-table.ts`); who has which name is known to the registry only.
 */
import { credentialLimits } from '../limits/documents.ts';
import { lookAlikeLatin, lookAlikeLatinLetters, lookAlikeLetters } from './look-alike-table.ts';
import { isCleanName } from './template-names.ts';

const looksLike: ReadonlyMap<string, string> = new Map(
  [lookAlikeLetters, lookAlikeLatinLetters].flatMap((table) =>
    Object.entries(table).flatMap(([plain, others]) =>
      Array.from(others, (other): [string, string] => [other, plain]),
    ),
  ),
);

/** The small form of a letter that looks like a capital looks like the small letter. */
function plainLetter(letter: string): string {
  const found = looksLike.get(letter);
  if (found !== undefined) return found;
  const capital = letter.toUpperCase();
  return capital === letter ? letter : (looksLike.get(capital)?.toLowerCase() ?? letter);
}

const plainLetters = (text: string): string => Array.from(text, plainLetter).join('');

/** Accents on letters of alphabets that have capitals; elsewhere a mark is often a letter of its own. */
const accents = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu;
/** A 1 or a bar among letters is read as a capital I, and so as an i or an l. */
const strokeInWord = /(?<=\p{L})[1|]|[1|](?=\p{L})/gu;
/** In a word of capitals an l is read as an I. */
const capitalWord = /(?<![\p{Ll}\p{Lu}])[\p{Lu}l1|]*\p{Lu}[\p{Lu}l1|]+(?![\p{Ll}\p{Lu}])/gu;
const unseen = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
const notRead = /[^\p{L}\p{N}\p{M}]+/gu;

/**
 * What a name is read as: two names are alike if they have a form in common. A capital I is read as an i and as an l,
 * an l with a bar as an l and as a t, therefore there may be several.
 */
export const readForms = (name: string): readonly string[] => [
  ...new Set([...new Set([name, name.replaceAll('ƚ', 't')])].flatMap(formsOf)),
];

function formsOf(name: string): readonly string[] {
  // Twice: some letters look like another than the one that they are compatible with.
  const plain = plainLetters(
    plainLetters(name.replace(unseen, '')).normalize('NFKC').normalize('NFD').replace(accents, '$1'),
  )
    .replace(accents, '$1')
    .normalize('NFC')
    .replace(strokeInWord, 'I')
    .replace(capitalWord, (word) => word.replace(/[l1|]/g, 'I'));
  return [plain, plain.replaceAll('I', 'l')].map((text) => {
    let form = text.toLowerCase();
    for (const [from, to] of lookAlikeLatin) form = form.replace(from, to);
    const read = form.replace(notRead, '');
    // A name of signs alone is read as these signs.
    return read === '' ? form : read;
  });
}

/** Whether people may take one name for the other; the same name is like itself. */
export function areAlike(one: string, other: string): boolean {
  const forms = readForms(one);
  return readForms(other).some((form) => forms.includes(form));
}

/** Scripts in which names are written. Letters of any other count as one script more. */
const scripts = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Canadian_Aboriginal',
  'Cherokee',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
].map((name) => ({ name, has: new RegExp(`\\p{Script_Extensions=${name}}`, 'u') }));

/** Scripts that stand together in ordinary words of a language. */
const mixtures: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

const otherScript = 'another script';

/** A word of a name whose letters are of scripts that do not belong together, with those scripts. */
export function findMixedWord(
  name: string,
): { readonly word: string; readonly scripts: readonly string[] } | undefined {
  for (const word of name.split(notRead)) {
    const choices = Array.from(word.match(/\p{L}/gu) ?? [], scriptsOf);
    const sets = [...scripts.map(({ name }) => [name]), ...mixtures, [otherScript]];
    const isOrdinary = sets.some((set) => choices.every((choice) => choice.some((one) => set.includes(one))));
    if (!isOrdinary) return { word, scripts: [...new Set(choices.map(([first]) => first ?? otherScript))] };
  }
  return undefined;
}

/**
 * Signs that vouch for something, as a mark of trade, a tick, a shield or small raised letters do: nobody said so but who
 * wrote the name. Of signs only those stay that belong to a writing, degrees, and the sign for a number.
 */
const vouchingSign =
  /(?![\u00b0\u2116\u3200-\u33ff])(?=\p{Script=Common})\p{So}|[\u221a\u00b2\u00b3\u00b9\u02b0-\u02b8\u02e0-\u02e4\u1d2c-\u1d6a\u1d78\u1d9b-\u1dbf\u2070-\u209c\u2c7c\u2c7d\ua69c\ua69d\ua770\ua7f2-\ua7f4\ua7f8\ua7f9\uab5c-\uab5f\uab69\u{10780}-\u{107ba}]/u;
/** A DID in a name would stand where people look for the true one. Colons of other writings read as one. */
const didInName = /(?<![\p{L}\p{N}])did\s*[:\u02d0\u02f8\u05c3\u2236\ua789]/iu;

/** Why a name cannot be one that people read, in words that follow it; undefined for a good one. */
export function nameProblem(name: string): string | undefined {
  if (!isCleanName(name))
    return `must be 1 to ${credentialLimits.nameCharsMax} characters that can be seen, with single spaces inside`;
  const sign = vouchingSign.exec(name)?.[0];
  if (sign !== undefined) return `has the sign "${sign}", which no name may have`;
  if (didInName.test(plainLetters(name.normalize('NFKC')))) return 'has "did:" in it, which no name may have';
  const mixed = findMixedWord(name);
  return mixed && `mixes letters of ${mixed.scripts.join(' and ')} in one word, "${mixed.word}"`;
}

function scriptsOf(letter: string): readonly string[] {
  const found = scripts.filter(({ has }) => has.test(letter)).map(({ name }) => name);
  return found.length === 0 ? [otherScript] : found;
}
