/**
 * The canonical statements of a JSON-LD document (RDFC-1.0): the text that proofs are about. A term that no context defines
 * is an error, because what a context does not know would be shown and not signed.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import jsonld from 'jsonld';
import { canonize } from 'rdf-canonize';
import { jsonLdLimits } from '../limits/document-limits.ts';
import { boundedDocument } from './document-bounds.ts';
import { boundedLoader, type DocumentLoader } from './document-loader.ts';

/** What bounds the work of the libraries, for one document. */
export const workOptions = (load: DocumentLoader) => ({
  documentLoader: boundedLoader(load),
  maxWorkFactor: jsonLdLimits.canonicalWorkFactor,
  signal: AbortSignal.timeout(jsonLdLimits.canonicalMs),
});

interface JsonLdEvent {
  readonly name?: unknown;
  readonly details?: {
    readonly cause?: unknown;
    readonly event?: { readonly code?: unknown; readonly details?: unknown };
  };
}

const detailCharsMax = 300;

/** Why the library refused a document, in words that say which term it was. */
function refusalOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const { details } = error as JsonLdEvent;
  if (details?.cause instanceof Fault) return details.cause;
  const event = details?.event;
  const said = event?.code === undefined ? String((error as Error)?.message ?? error) : String(event.code);
  const about = event?.details === undefined ? '' : `: ${JSON.stringify(event.details)}`;
  return new Fault('credentialMalformed', {
    detail: `The document is no JSON-LD that can be signed (${`${said}${about}`.slice(0, detailCharsMax)})`,
    cause: error,
  });
}

/** Does one piece of JSON-LD work; whatever the libraries throw is a refusal of the document. */
export async function jsonLdWork<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The canonical N-Quads of a document. */
export function canonicalQuads(document: unknown, load: DocumentLoader): Promise<string> {
  return jsonLdWork(async () => {
    const { documentLoader, maxWorkFactor, signal } = workOptions(load);
    const dataset = await jsonld.toRDF(boundedDocument(document), {
      documentLoader,
      base: null,
      safe: true,
      rdfDirection: 'i18n-datatype',
      produceGeneralizedRdf: false,
    });
    return canonize(dataset, {
      algorithm: 'RDFC-1.0',
      format: 'application/n-quads',
      maxWorkFactor,
      signal,
    });
  });
}

/** The canonical statements, hashed. */
export const canonicalHash = async (document: unknown, load: DocumentLoader): Promise<Uint8Array> =>
  sha256(encodeUtf8(await canonicalQuads(document, load)));

/** The types of a document and of everything in it, as full addresses, by where they stand; for checks of meaning. */
export const expandedDocument = (document: unknown, load: DocumentLoader): Promise<object[]> =>
  jsonLdWork(() =>
    jsonld.expand(boundedDocument(document), { ...workOptions(load), base: null, safe: true }),
  );
