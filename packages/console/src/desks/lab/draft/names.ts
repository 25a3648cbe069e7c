/** Whom a name means that somebody types instead of an address. Pure. */

const plain = (name: string): string => name.trim().toLocaleLowerCase();

/** The address of whoever alone is called so, and whose name is not the beginning of another one's; else undefined. */
export function addressOfName(
  typed: string,
  parties: ReadonlyMap<string, { readonly name: string }>,
): string | undefined {
  if (typed === '') return undefined;
  const meant = [...parties].filter(([, { name }]) => plain(name).startsWith(plain(typed)));
  const [first, ...others] = meant;
  return first && others.length === 0 && plain(first[1].name) === plain(typed) ? first[0] : undefined;
}
