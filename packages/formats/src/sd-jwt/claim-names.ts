/**
 * Which claims of an SD-JWT VC have a meaning of their own: those that must be open to every verifier, and those that
 * no attribute of a template can be named like.
 */

/** The type of the token, and of the key binding beside it. */
export const sdJwtType = 'dc+sd-jwt';
export const keyBindingType = 'kb+jwt';
export const digestAlgorithm = 'sha-256';

/** A holder who could choose to hide or show these would choose what is checked. */
export const alwaysOpenClaims: readonly string[] = [
  'iss',
  'nbf',
  'exp',
  'cnf',
  'vct',
  'vct#integrity',
  'status',
];

/** The standard lets these two be disclosed; ours are open, and what others disclose of them is read all the same. */
const namesWithMeaning: readonly string[] = [...alwaysOpenClaims, 'iat', 'sub', 'aud', 'jti', 'nonce'];

/** Members that are no claims but carry digests. */
export const digestsMember = '_sd';
export const elementMember = '...';
export const algorithmMember = '_sd_alg';
export const isDigestMember = (name: string): boolean => name === digestsMember || name === elementMember;

/** Whether an attribute of this key would be taken for something else at the top of a token. */
export const isTakenClaim = (key: string): boolean => namesWithMeaning.includes(key);
