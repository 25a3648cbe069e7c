/**
 * Texts of others are data: read where they have the form, undefined where not; made fit for a line that a person
 * reads.
 */
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';

const shownTextMax = 60;

/** On one line, short, and without characters that a terminal or a page would obey instead of show. */
export function plainText(text: string, charactersMax: number = shownTextMax): string {
  const shown = Array.from(text.slice(0, 2 * charactersMax + 2));
  const cut = shown
    .slice(0, charactersMax)
    .join('')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  return shown.length > charactersMax ? `${cut}…` : cut;
}

/** The usual alphabet, with or without padding; nothing else, white space included. */
export const parseForeignBase64 = (text: string): Uint8Array | undefined =>
  /^[A-Za-z0-9+/]*={0,2}$/.test(text)
    ? decodeOrNothing(() => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
    : undefined;

/** The alphabet of URLs, without padding. */
export const parseBase64Url = (text: string): Uint8Array | undefined =>
  /^[A-Za-z0-9_-]*$/.test(text)
    ? parseForeignBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
    : undefined;
