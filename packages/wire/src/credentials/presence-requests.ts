/**
 * Signed texts of presence as requests carry them: in a body as they are, in a header in base64url, because they have
 * several lines. Beside them stands the signature, in the member or header that it always had.
 */
import { decodeUtf8, encodeBase64Url, encodeUtf8, parseExactBase64Url } from '@symbolon/core/basics/bytes';
import { presenceLimits as limits } from '@symbolon/core/limits/documents';
import { type Presence, parsePresenceText } from '@symbolon/core/presentation/presence-text';
import { maybe, text } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';

/** What a text says, and the text itself: that is what was signed. */
export interface GivenPresence extends Presence {
  readonly text: string;
}

/** The member of bodies. */
export const signedText = maybe(text(limits.textCharsMax));

function parse(given: string): GivenPresence | undefined {
  const presence = parsePresenceText(given);
  return presence && { ...presence, text: given };
}

/** Undefined where none is given, and the older form is meant. */
export function readPresence(given: string | undefined, pointer = '/signedText'): GivenPresence | undefined {
  if (given === undefined) return undefined;
  const presence = parse(given);
  if (presence) return presence;
  const detail =
    'must be symbolon-presence-v1, purpose, audience, subject and created, each on its line, then challenge and nonce';
  throw malformedAt(pointer, detail);
}

export const presenceHeader = (given: string): string => encodeBase64Url(encodeUtf8(given));

/** Undefined for what is no such text. */
export function parsePresenceHeader(header: string): GivenPresence | undefined {
  if (header.length > limits.headerCharsMax) return undefined;
  const bytes = parseExactBase64Url(header);
  // Whatever is no UTF-8 is no ASCII either.
  if (!bytes?.every((byte) => byte < 0x80)) return undefined;
  return parse(decodeUtf8(bytes));
}
