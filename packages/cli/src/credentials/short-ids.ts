/**
 * The short form in which tables show an identifier, `did:zid:93bf…b002`, taken back: the one identifier that it fits
 * of those that whoever acts can list. For reading only: with some work somebody can make an identifier that fits too, so
 * what changes something asks for the whole one.
 */
import { given } from '@symbolon/core/basics/plain-values';
import { readPages } from '@symbolon/sdk/service/pages';
import { holderHeaders } from '@symbolon/sdk/transport/call-headers';
import { InvalidArgumentError } from 'commander';
import type { Connection } from '../profile/connection.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { identifierOption } from './party-commands.ts';

const shortForm = /^(?:did:[a-z0-9]+:)?([0-9a-f]{4,63})(?:(?:…|\.{3})([0-9a-f]{4,63}))?$/i;

/** A whole identifier, or what a table shows of one, or its beginning. */
export function shownIdentifierOption(text: string): string {
  if (shortForm.test(text)) return text;
  try {
    return identifierOption(text);
  } catch {
    throw new InvalidArgumentError(
      'It must be did:, a method, a colon and 64 hex digits, or what a list shows of it.',
    );
  }
}

/** Whether a word is the short form of an identifier. */
export function fits(word: string, identifier: string): boolean {
  const [, begin = '', end = ''] = shortForm.exec(word) ?? [];
  const digits = identifier.slice(identifier.lastIndexOf(':') + 1).toLowerCase();
  return digits.startsWith(begin.toLowerCase()) && digits.endsWith(end.toLowerCase());
}

/** The identifier that is meant; one that is whole is, without looking. */
export async function wholeIdentifier(word: string, list: () => Promise<readonly string[]>): Promise<string> {
  if (!shortForm.test(word)) return word;
  const [found, ...others] = new Set((await list()).filter((one) => fits(word, one)));
  if (found === undefined)
    throw new CommandFailure(
      'No credential has such an id.\nWhat is short is looked for among those that you can list.\nGive the whole id: symbolon vc held --wide, symbolon vc list --wide',
      exitCodes.notFound,
    );
  if (others.length > 0)
    throw usageFailure(
      'More than one credential has such an id.\nThe part that was given does not tell them apart.\nGive the whole id: symbolon vc held --wide, symbolon vc list --wide',
    );
  return found;
}

/** Of the credentials that wait for whoever signs. */
export async function heldIds({ service, walletSigner }: Connection): Promise<readonly string[]> {
  const signer = await walletSigner();
  const headers = await holderHeaders(signer, service, { purpose: 'download-all' });
  const { data } = await service.downloadExtended({ address: signer.address }, { headers });
  return data.map(({ vc }) => String(vc.id));
}

/** Of the applications for templates of whoever acts. */
export async function applicationIds({ service }: Connection): Promise<readonly string[]> {
  const ids: string[] = [];
  const pages = readPages({
    ask: (cursor) => service.listApplications(given({ cursor })),
    next: ({ nextCursor }) => nextCursor,
  });
  for await (const { applications } of pages) ids.push(...applications.map(({ vcId }) => vcId));
  return ids;
}
