/** A draft in an address: base64url of its JSON, up to a length that every browser and messenger passes on. */
import { decodeUtf8, encodeBase64Url, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { parseBase64Url } from '@symbolon/sdk/arguments/foreign-texts';
import { stringifyJson } from '@symbolon/wire/json/json';
import { looksSecret } from '../../../text/secret-text.ts';
import { type Draft, draftOfText } from './draft.ts';

const linkCharsMax = 8_000;

/** Undefined for what is too long, or looks like a secret that somebody has put into a field. */
export function linkOfDraft(draft: Draft): string | undefined {
  const json = stringifyJson(draft);
  if (looksSecret(json)) return undefined;
  const text = encodeBase64Url(encodeUtf8(json));
  return text.length <= linkCharsMax ? text : undefined;
}

/** Undefined for what is no draft: somebody else has written it. */
export function draftOfLink(text: unknown): Draft | undefined {
  if (typeof text !== 'string' || text === '' || text.length > linkCharsMax) return undefined;
  const bytes = parseBase64Url(text);
  const json = bytes && decodeOrNothing(() => decodeUtf8(bytes));
  return json === undefined ? undefined : draftOfText(json);
}
