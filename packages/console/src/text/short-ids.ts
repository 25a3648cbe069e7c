/** How long texts of machines are shortened: in the middle, so that both ends can be compared. */

const cut = (text: string, first: number, last: number): string =>
  text.length <= first + last + 1 ? text : `${text.slice(0, first)}…${text.slice(-last)}`;

/** `6c3c…ea45`; on its own page `6c3cb0ec8e…69d5ea45`. */
export const shortHash = (hash: string, isOwnPage = false): string =>
  isOwnPage ? cut(hash, 10, 8) : cut(hash, 4, 4);

/** `pres_17947…4c3e`. */
export const shortSession = (id: string): string => cut(id, 10, 4);

/** `ZTX3ZapF…bSDQVX`. */
export const shortAccount = (address: string): string => cut(address, 8, 6);

/** The part that all DIDs of a method share, and what is left of it, shortened. */
export function shortDid(did: string): { readonly method: string; readonly id: string } {
  const end = did.lastIndexOf(':') + 1;
  return { method: did.slice(0, end), id: cut(did.slice(end), 4, 4) };
}
