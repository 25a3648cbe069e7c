/**
 * Showing a service that one is there: a text with purpose, audience, subject and time, signed for one call. Nobody who
 * sees it can use it for anything else, at another service, or a few minutes later.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64Url, encodeHex, encodeUtf8 } from '@symbolon/core/bytes';
import { contentSubject, type Presence, presenceTextAt } from '@symbolon/core/credential/presence-text';
import { SdkError } from './errors.ts';
import type { Signer } from './signer.ts';

/** A service by the origin that it is known under: every client of one is such a thing. */
export interface Audience {
  readonly audience?: string;
}

export interface SignedPresence {
  readonly text: string;
  /** In hex. */
  readonly signature: string;
}

export type PresenceOrder = Pick<Presence, 'purpose' | 'subject' | 'challenge'>;

export async function signPresence(
  signer: Signer,
  { audience }: Audience,
  order: PresenceOrder,
): Promise<SignedPresence> {
  if (audience === undefined) {
    const hint =
      'Give createCredentialClient the option audience: the origin that the service calls its publicUrl.';
    throw new SdkError('invalidArgument', 'it is not known which service this is signed for', { hint });
  }
  const text = presenceTextAt({ ...order, audience, nonce: freshNonce() }, Date.now());
  return { text, signature: encodeHex(await signer.sign(encodeUtf8(text))) };
}

const nonceBytes = 16;

/** Two texts of one second are two texts. */
const freshNonce = (): string =>
  encodeBase64Url(globalThis.crypto.getRandomValues(new Uint8Array(nonceBytes)));

/** The subject of a text that is about contents. */
export const subjectOf = (content: string): string => contentSubject(content, sha256);
