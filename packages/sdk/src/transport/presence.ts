/**
 * Showing a service that one is there: a text with purpose, audience, subject and time, signed for one call. Nobody who
 * sees it can use it for anything else, at another service, or a few minutes later.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64Url, encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { presenceLimits } from '@symbolon/core/limits/documents';
import { contentSubject, type Presence, presenceTextAt } from '@symbolon/core/presentation/presence-text';
import { SdkError } from '../errors/errors.ts';
import type { Signer } from '../keys/signer.ts';

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
  const parts = { ...order, audience, nonce: freshNonce() };
  assertPlain({ audience, ...order });
  const text = presenceTextAt(parts, Date.now());
  if (text.length > presenceLimits.textCharsMax) throw unsignable('subject, audience and challenge together');
  return { text, signature: encodeHex(await signer.sign(encodeUtf8(text))) };
}

/** As services read such texts: printable, without a space in a part, so that no part can look like two. */
function assertPlain({ audience, subject, ...order }: PresenceOrder & { readonly audience: string }): void {
  const parts = { audience, subject, ...('challenge' in order && { challenge: order.challenge }) };
  for (const [name, part] of Object.entries(parts))
    if (typeof part !== 'string' || !/^[\x21-\x7e]+$/.test(part)) throw unsignable(name);
}

function unsignable(parts: string): SdkError {
  const hint = `Nothing was signed. Such texts are of ASCII, at most ${presenceLimits.textCharsMax} characters, without spaces or line breaks in a part.`;
  return new SdkError('invalidArgument', `the text of presence cannot hold this: ${parts}`, { hint });
}

const nonceBytes = 16;

/** Two texts of one second are two texts. */
const freshNonce = (): string =>
  encodeBase64Url(globalThis.crypto.getRandomValues(new Uint8Array(nonceBytes)));

/** The subject of a text that is about contents. */
export const subjectOf = (content: string): string => contentSubject(content, sha256);
