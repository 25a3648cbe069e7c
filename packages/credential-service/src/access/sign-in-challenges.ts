/**
 * Words that whoever signs in has to sign. Each says itself until when it is good, and carries a mark that nobody makes
 * without a key of the vault: asking for them costs no room, however many ask. That one is good once is seen to where
 * sessions are kept.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { signInLimits } from '@symbolon/core/limits/console';
import { browserSessionLimits } from '../limits/service-limits.ts';
import { createMarkKey, type MarkKeyParts } from '../vault/mark-key.ts';

export interface SignInChallenges {
  make(): Promise<{ readonly challenge: string; readonly expiresAt: number }>;
  /** Whether it was made here, and is good still. */
  isGood(challenge: string): Promise<boolean>;
}

const form = /^([A-Za-z0-9_-]{22})\.([1-9][0-9]{12,14})\.([A-Za-z0-9_-]{43})$/;

export function createSignInChallenges(parts: MarkKeyParts): SignInChallenges {
  const { clock } = parts;
  const key = createMarkKey(parts, 'signIn.challengeKey');
  const markOf = async (word: string, expiresAt: string): Promise<Buffer> =>
    createHmac('sha256', await key())
      .update(`sign-in ${word} ${expiresAt}`)
      .digest();
  return {
    async make() {
      const expiresAt = clock.nowMs() + signInLimits.challengeMs;
      const word = randomBytes(browserSessionLimits.challengeBytes).toString('base64url');
      const mark = (await markOf(word, String(expiresAt))).toString('base64url');
      return { challenge: `${word}.${expiresAt}.${mark}`, expiresAt };
    },
    async isGood(challenge) {
      const [, word, expiresAt, mark] = form.exec(challenge) ?? [];
      if (word === undefined || expiresAt === undefined || mark === undefined) return false;
      const given = Buffer.from(mark, 'base64url');
      // The last digit of base64 has room for bits that say nothing: another spelling would be another challenge.
      if (given.toString('base64url') !== mark) return false;
      return timingSafeEqual(given, await markOf(word, expiresAt)) && clock.nowMs() < Number(expiresAt);
    },
  };
}
