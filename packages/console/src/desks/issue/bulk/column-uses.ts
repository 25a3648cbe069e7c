/** What each column of a table is: an attribute, whose credential a row is, or nothing. Guessed, then a person's choice. */

/** `attribute:<key>`, the holder's DID, the application, or left out. */
export type ColumnUse = `attribute:${string}` | 'holder' | 'application' | '';

export interface MappedAttribute {
  readonly key: string;
  /** The name for people. */
  readonly attribute: string;
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

const holderNames = new Set(['did', 'holder', 'holderdid', 'inhaber', 'inhaberdid']);
const applicationNames = new Set(['applicationid', 'application', 'vcid', 'antrag', 'antragid']);

/** By key first, then by the name for people, whatever their case and spaces. No attribute is taken twice. */
export function guessUses(
  header: readonly string[],
  attributes: readonly MappedAttribute[],
): readonly ColumnUse[] {
  const taken = new Set<string>();
  const take = (use: ColumnUse): ColumnUse => {
    if (taken.has(use)) return '';
    taken.add(use);
    return use;
  };
  const guesses = header.map((column): ColumnUse => {
    const name = plain(column);
    const found =
      attributes.find(({ key }) => plain(key) === name) ??
      attributes.find(({ attribute }) => plain(attribute) === name);
    if (found) return take(`attribute:${found.key}`);
    if (holderNames.has(name)) return take('holder');
    return applicationNames.has(name) ? take('application') : '';
  });
  return guesses;
}

export type UseFault = 'noSubject' | 'twice';

/** What does not fit together: nothing says whose a row is, or two columns are the same. */
export function faultOfUses(uses: readonly ColumnUse[]): UseFault | undefined {
  const used = uses.filter((use) => use !== '');
  if (new Set(used).size < used.length) return 'twice';
  return used.includes('holder') || used.includes('application') ? undefined : 'noSubject';
}
