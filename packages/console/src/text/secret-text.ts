/**
 * Secrets that somebody has put into the wrong field. What is searched for goes out in addresses, which logs and histories
 * keep; so this is asked before anything is sent. Pure.
 */

/** Of keys of every network of the family: `priv`, then base58 in which no word is written. */
const privateKey = /(?<![A-Za-z0-9])priv(?=[a-km-z]*[1-9A-HJ-NP-Z])[1-9A-HJ-NP-Za-km-z]{16,}/;
/** The id of an API key is no secret; what follows it is. */
const apiKey = /sym_[a-z2-7]{8}_[A-Za-z0-9_-]{3,}/;
const keyFile = /-----BEGIN [A-Z ]*PRIVATE KEY/;

/** The secret part of a JSON Web Key. */
const webKey = /"d"\s*:\s*"[A-Za-z0-9_-]{16,}"/;

/** As it would be read: wide letters as the plain ones, and without what cannot be seen. */
const seen = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** Whether a private key of the ledger, an API key or a key file is in the text, whole, cut off or with a slip. */
export const looksSecret = (text: string): boolean =>
  [privateKey, apiKey, keyFile, webKey].some((form) => form.test(seen(text)));

/** All that a search knows by a long word: a hash or the beginning of one, a public key, an address, a DID, a request id. */
const searchedForms = [
  /^(?:0x)?[0-9a-f]{1,64}$/i,
  /^b0[0-9a-f]{2,74}$/i,
  /^(?:ZTX|bu)[1-9A-HJ-NP-Za-km-z]{1,36}$/,
  /^did:[a-z0-9]+:(?:[0-9a-f]{1,64}|[a-z0-9.:%-]+)(?:#[A-Za-z0-9-]*)?$/,
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
];

/** Half of the shortest key, in any spelling. */
const opaqueCharsMin = 32;
/** Longer than every hash. */
const longHex = /[0-9a-f]{65}/i;
/** In words every fifth letter or so is of another kind than the one before it, in keys two of three. */
const opaqueChange = 1 / 3;

const kindOf = (letter: string): 'digit' | 'lower' | 'upper' =>
  /[0-9]/.test(letter) ? 'digit' : /[a-z]/.test(letter) ? 'lower' : 'upper';

/** Whether letters and digits follow one another as in no name, whatever signs stand between them. */
function isOpaque(text: string): boolean {
  const joined = text.replace(/[^A-Za-z0-9]/g, '');
  const kinds = [...joined].map(kindOf);
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  const isMixed = joined.length >= opaqueCharsMin && changes >= joined.length * opaqueChange;
  return isMixed || longHex.test(joined);
}

/**
 * Whether a text may go out as something to search for. What is long and no form that a search knows may be a key without
 * its beginning, with spaces in it, or in base64: then it is not.
 */
export function isFitToSearch(text: string): boolean {
  const others = seen(text)
    .split(/\s+/)
    .filter((word) => word.length < opaqueCharsMin || !searchedForms.some((form) => form.test(word)));
  return !looksSecret(text) && !isOpaque(others.join(''));
}
