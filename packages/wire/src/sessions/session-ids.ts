/** Ids of verification sessions, which say by which protocol a session is answered. */

/** The id of a new session, made of the time and of random hex that nobody guesses. */
export const sessionIdOf = (ms: number, randomHex: string): string => `pres_${ms}_${randomHex}`;

const openidSessionStart = 'oid4vp_';

/** The id of a session that is answered by OpenID4VP, which no wallet of the family can read or answer. */
export const openidSessionIdOf = (ms: number, randomHex: string): string =>
  `${openidSessionStart}${ms}_${randomHex}`;
export const isOpenidSession = (id: string): boolean => id.startsWith(openidSessionStart);
