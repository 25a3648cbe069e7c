/**
 * The key that a proof of somebody names, whatever method their DID has: the ledger's own, `did:key` and `did:jwk`, which
 * are keys themselves, and `did:web`, whose document is fetched within bounds, or known where this service wrote it. What
 * is found is a key that its owner publishes for that purpose; whether the owner is to be trusted is another question.
 */
import { parseDid, splitDidUrl } from '@symbolon/core/did/did';
import { keyIdOfMethod, type Relationship } from '@symbolon/core/did/did-document';
import {
  type ForeignDidKey,
  keyOfJwkDid,
  keysOfForeignDocument,
  placeOfWebDid,
} from '@symbolon/core/did/foreign-document';
import { Fault } from '@symbolon/core/faults/faults';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { parseUniqueJson } from '@symbolon/wire/json/json-members';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { OutboundProblem } from '../outbound/outbound-address.ts';
import type { Resolver } from './resolver.ts';

export interface DidKeys {
  /**
   * The key of a verification method; of `did:key` and `did:jwk` the DID alone names it, too. Throws `didMalformed`,
   * `methodUnsupported`, `didUnknown`, `didDeactivated`, `keyNotPublished`, `foreignDocumentUnavailable`,
   * `ledgerUnreachable`.
   */
  find(verificationMethod: string, relationship: Relationship): Promise<ForeignDidKey>;
}

export interface DidKeyOptions {
  readonly resolver: Pick<Resolver, 'resolveDid'>;
  readonly fetchDocument: GuardedFetch;
  /** The document of a `did:web` that this service serves itself; undefined for any other. */
  readonly ownDocument?: (did: string) => Promise<object | undefined>;
  readonly profile?: NetworkProfile;
}

const documentTypes = [
  'application/did+json',
  'application/did+ld+json',
  'application/did',
  'application/json',
];

export function createDidKeys(options: DidKeyOptions): DidKeys {
  const { resolver, fetchDocument, ownDocument, profile = zetrixProfile } = options;

  const keysOfWeb = async (did: string): Promise<readonly ForeignDidKey[]> => {
    const place = placeOfWebDid(did);
    if (!place) throw new Fault('didMalformed');
    const document = (await ownDocument?.(did)) ?? (await fetchJson(fetchDocument, place));
    const keys = keysOfForeignDocument(document, did);
    if (!keys) throw unavailable('it is not the document of this DID');
    return keys;
  };

  const keysOfResolved = async (did: string): Promise<readonly ForeignDidKey[]> => {
    const found = await resolver.resolveDid(did);
    if (found === 'invalidDid') throw new Fault('didMalformed');
    if (found === 'methodNotSupported') throw new Fault('methodUnsupported');
    if (found === 'notFound') throw new Fault('didUnknown');
    if (found.metadata.deactivated) throw new Fault('didDeactivated');
    // Others may have it: from now on nothing is believed on its word.
    const compromised = new Set(found.metadata.compromisedKeys?.map(({ id }) => id));
    return found.keys.filter(({ id }) => !compromised.has(id)).map((key) => ({ ...key, controller: did }));
  };

  const keysOf = async (did: string): Promise<readonly ForeignDidKey[]> => {
    if (did.startsWith('did:web:')) return keysOfWeb(did);
    if (!did.startsWith('did:jwk:')) return keysOfResolved(did);
    const key = keyOfJwkDid(did);
    if (!key) throw new Fault('didMalformed');
    return [key];
  };

  return {
    async find(verificationMethod, relationship) {
      const url = splitDidUrl(verificationMethod);
      if (url?.path !== '' || url.query !== undefined) throw new Fault('didMalformed');
      const parsed = parseDid(url.did, profile);
      const isKey = url.did.startsWith('did:jwk:') || (typeof parsed === 'object' && parsed.method === 'key');
      if (url.fragment === undefined && !isKey) throw new Fault('keyNotPublished');
      const keys = await keysOf(url.did);
      // Only the ledger's documents have a key under two names.
      const isOfLedger = typeof parsed === 'object' && parsed.method === 'ledger';
      const id = isOfLedger ? keyIdOfMethod(verificationMethod) : verificationMethod;
      const able = keys.filter(({ relationships }) => relationships.includes(relationship));
      const key = url.fragment === undefined ? able[0] : able.find((candidate) => candidate.id === id);
      if (!key) throw new Fault('keyNotPublished', { detail: 'the DID has no such key for this purpose' });
      return key;
    },
  };
}

const unavailable = (why: string, cause?: unknown): Fault =>
  new Fault('foreignDocumentUnavailable', { detail: `the DID document cannot be had: ${why}`, cause });

/** Over https, or over http where the fetcher lets it, which is this machine alone. */
async function fetchJson(
  fetchDocument: GuardedFetch,
  { host, path }: { readonly host: string; readonly path: string },
): Promise<unknown> {
  const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3})(?::|$)/.test(host);
  try {
    const url = `${isLocal ? 'http' : 'https'}://${host}${path}`;
    const { text } = await fetchDocument({ url, types: documentTypes });
    return parseUniqueJson(text);
  } catch (error) {
    if (error instanceof OutboundProblem) throw unavailable(error.message, error);
    if (error instanceof SyntaxError) throw unavailable('it is not JSON', error);
    throw error;
  }
}
