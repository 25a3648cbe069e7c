/**
 * Whether a text looks like a secret that somebody has put into the wrong field: a private key of the ledger or an API key,
 * whole, cut off or with a slip. What is searched for goes out in addresses, which logs and histories keep; so this is
 * asked before anything is sent. Pure.
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

export const looksSecret = (text: string): boolean =>
  [privateKey, apiKey, keyFile, webKey].some((form) => form.test(seen(text)));
