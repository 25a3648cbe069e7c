/**
 * Where JSON-LD processing gets documents from: the published contexts that came with the program, the contexts of our own
 * templates, keys that are their own identifiers, and for everything else a guarded fetcher, if whoever asks has one.
 * Nothing else is fetched.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { jsonLdLimits } from '../limits/document-limits.ts';
import { publishedContext } from './contexts.ts';
import { didKeyDocument } from './did-key.ts';
import { documentProblem } from './document-bounds.ts';

export interface LoadedDocument {
  readonly document: unknown;
  readonly documentUrl: string;
  readonly contextUrl: null;
  /** It never changes: what was made of it may be kept. */
  readonly tag?: 'static';
}

export type DocumentLoader = (url: string) => Promise<LoadedDocument>;

export interface LoaderOptions {
  /** The contexts of our own templates, by their URL. */
  readonly ownContext?: (url: string) => object | undefined | Promise<object | undefined>;
  /**
   * Fetches JSON over https, with limits on size, time, redirects and private addresses. Without one, a document that names
   * anything else is refused.
   */
  readonly fetchDocument?: (url: string, signal: AbortSignal) => Promise<unknown>;
}

const shownCharsMax = 200;

const notLoaded = (url: string, why: string, cause?: unknown): Fault =>
  new Fault('credentialMalformed', {
    detail: `${JSON.stringify(url.slice(0, shownCharsMax))} ${why}`,
    ...(cause === undefined ? {} : { cause }),
  });

export function createDocumentLoader({ ownContext, fetchDocument }: LoaderOptions = {}): DocumentLoader {
  return async (url) => {
    const published = publishedContext(url);
    if (published !== undefined)
      return { document: published, documentUrl: url, contextUrl: null, tag: 'static' };
    const known = didKeyDocument(url) ?? (await ownContext?.(url));
    if (known !== undefined) return { document: known, documentUrl: url, contextUrl: null };
    if (fetchDocument === undefined) throw notLoaded(url, 'is not known here, and nothing is fetched');
    const document = await fetchGuarded(url, fetchDocument);
    return { document, documentUrl: url, contextUrl: null };
  };
}

async function fetchGuarded(
  url: string,
  fetchDocument: NonNullable<LoaderOptions['fetchDocument']>,
): Promise<unknown> {
  if (URL.parse(url)?.protocol !== 'https:') throw notLoaded(url, 'is not an https address');
  let document: unknown;
  try {
    document = await fetchDocument(url, AbortSignal.timeout(jsonLdLimits.fetchMs));
  } catch (error) {
    throw notLoaded(url, 'cannot be fetched', error);
  }
  const problem = documentProblem(document);
  if (problem !== undefined) throw notLoaded(url, problem);
  return document;
}

/** The same loader for one document, which may have only so many others loaded for it. */
export function boundedLoader(load: DocumentLoader): DocumentLoader {
  const seen = new Set<string>();
  return (url) => {
    seen.add(url);
    if (seen.size > jsonLdLimits.contextsMax)
      throw notLoaded(
        url,
        `is one context more than the ${jsonLdLimits.contextsMax} that a document may name`,
      );
    return load(url);
  };
}
