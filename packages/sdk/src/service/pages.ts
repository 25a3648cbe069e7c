/**
 * Lists that a server gives page by page: read to their end, which comes whatever the server says. A cursor that was
 * there before, or more pages than any list has, is no list.
 */

import { SdkError } from '../errors/errors.ts';
import { clientLimits } from '../limits/client-limits.ts';

export interface PagedList<Page> {
  /** Asks for the page after this cursor; for the first one, if there is none. */
  readonly ask: (cursor: string | undefined) => Promise<Page>;
  /** The cursor of the next page; undefined after the last. */
  readonly next: (page: Page) => string | undefined;
  readonly pagesMax?: number;
}

export async function* readPages<Page>(list: PagedList<Page>): AsyncGenerator<Page, void, undefined> {
  const { ask, next, pagesMax = clientLimits.pagesMax } = list;
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < pagesMax; count += 1) {
    const page = await ask(cursor);
    yield page;
    cursor = next(page);
    if (cursor === undefined) return;
    if (seen.has(cursor)) throw endless('a page is followed by one that was there before');
    seen.add(cursor);
  }
  throw endless(`there are more than ${pagesMax} pages`);
}

const endless = (how: string): SdkError =>
  new SdkError('unexpectedReply', `the server's list does not end: ${how}`, {
    hint: 'Ask for less at once. If it stays, do not trust this server: what it listed may be made up.',
  });
