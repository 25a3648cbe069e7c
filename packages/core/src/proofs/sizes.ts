/** Sizes of BBS keys and signatures over BLS12-381, for whoever measures them and computes nothing. */
export const secretKeyBytes = 32;
export const bbsPublicKeyBytes = 96;
export const bbsSignatureBytes = 80;
/** A compressed point of G1, the first part of a signature. */
export const pointBytes = 48;
export const scalarBytes = 32;
