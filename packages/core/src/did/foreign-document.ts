/**
 * DID documents of others: `did:web`, whose document somebody has to fetch, and `did:jwk`, which is one. A document of a
 * stranger is read for its keys alone; what is not understood in it is passed over, and a key that another controls is
 * none of its own.
 */
import { decodeUtf8, parseExactBase64Url } from '../basics/bytes.ts';
import { didLimits } from '../limits/documents.ts';
import { type DidKeyType, parseMultikey } from './did.ts';
import {
  type DidDocument,
  type DocumentKey,
  multikeyMethod,
  type Relationship,
  type VerificationMethod,
} from './did-document.ts';
import { didContext, jsonWebKeyContext, keyOfJwk, multikeyContext, publicJwk } from './public-jwk.ts';

/** A key of a document, and the identifier whose it is. */
export interface ForeignDidKey extends DocumentKey {
  readonly controller: string;
}

const webHost = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[1-9][0-9]{0,4})?$/;
const webSegment = /^(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$/;

/** `did:web` of an origin and the segments of a path behind it. */
export function webDid(origin: string, segments: readonly string[]): string {
  const host = origin.replace(/^https?:\/\//, '').replaceAll(':', '%3A');
  return ['did', 'web', host, ...segments].join(':');
}

/** Host, with its port, and path of the document; undefined where the text is no such identifier. */
export function placeOfWebDid(did: string): { readonly host: string; readonly path: string } | undefined {
  if (did.length > didLimits.didCharsMax || !did.startsWith('did:web:')) return undefined;
  const [, , written, ...segments] = did.split(':');
  const host = written.replace(/%3A/i, ':');
  // A dot segment would be resolved away and name another document, and so would a slash that is written as another sign.
  const isPlain = (segment: string) =>
    webSegment.test(segment) && !/^\.+$|%2f|%5c|%2e/i.test(segment) && !/%(?:[01][0-9a-f]|7f)/i.test(segment);
  if (!webHost.test(host) || !segments.every(isPlain)) return undefined;
  const path = segments.length === 0 ? '/.well-known/did.json' : `/${segments.join('/')}/did.json`;
  return { host, path };
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keys of a document; undefined where it is not one, or of somebody else. */
export function keysOfForeignDocument(document: unknown, did: string): readonly ForeignDidKey[] | undefined {
  if (!isObject(document) || document.id !== did) return undefined;
  const relationships: readonly Relationship[] = ['authentication', 'assertionMethod', 'keyAgreement'];
  const lists = [listOf(document.verificationMethod), ...relationships.map((name) => listOf(document[name]))];
  if (lists.some((list) => list.length > didLimits.documentKeysMax)) return undefined;
  const keys = new Map<string, ForeignDidKey>();
  for (const method of lists.flat().filter(isObject)) {
    const key = keyOfMethod(method, did);
    // Of two that have one name it would be a guess which is meant.
    if (key && keys.has(key.id)) return undefined;
    if (key) keys.set(key.id, key);
  }
  return [...keys.values()].map((key) => ({
    ...key,
    relationships: relationships.filter((name) =>
      listOf(document[name]).some((entry) => idOf(isObject(entry) ? entry.id : entry, did) === key.id),
    ),
  }));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Absolute, of this document; a fragment alone is one of it. */
function idOf(id: unknown, did: string): string | undefined {
  if (typeof id !== 'string' || id.length > didLimits.didUrlCharsMax) return undefined;
  const absolute = id.startsWith('#') ? `${did}${id}` : id;
  return absolute.startsWith(`${did}#`) && absolute.length > did.length + 1 ? absolute : undefined;
}

function keyOfMethod(method: Members, did: string): ForeignDidKey | undefined {
  const id = idOf(method.id, did);
  if (id === undefined || method.controller !== did) return undefined;
  const form =
    typeof method.type === 'string' && Object.hasOwn(forms, method.type) ? forms[method.type] : undefined;
  const key = form?.(method);
  return key && { id, controller: did, ...key, relationships: [] };
}

type KeyMaterial = { readonly keyType: DidKeyType; readonly publicKey: Uint8Array };

const fromMultibase = ({ publicKeyMultibase: text }: Members): KeyMaterial | undefined =>
  typeof text === 'string' ? parseMultikey(text) : undefined;
const fromJwk = ({ publicKeyJwk }: Members): KeyMaterial | undefined => keyOfJwk(publicKeyJwk);
const ofType =
  (read: (method: Members) => KeyMaterial | undefined, wanted: DidKeyType) =>
  (method: Members): KeyMaterial | undefined => {
    const key = read(method);
    return key?.keyType === wanted ? key : undefined;
  };

/** Types of methods that are read. */
const forms: Readonly<Record<string, (method: Members) => KeyMaterial | undefined>> = {
  Multikey: fromMultibase,
  JsonWebKey: fromJwk,
  JsonWebKey2020: fromJwk,
  Ed25519VerificationKey2020: ofType(fromMultibase, 'ed25519'),
  X25519KeyAgreementKey2020: ofType(fromMultibase, 'x25519'),
  EcdsaSecp256r1VerificationKey2019: (method) => ofType(fromMultibase, 'p256')(method) ?? fromJwk(method),
};

/** `did:jwk`: the identifier is the key, with one method `#0`. */
export function keyOfJwkDid(did: string): ForeignDidKey | undefined {
  if (did.length > didLimits.didUrlCharsMax || !did.startsWith('did:jwk:')) return undefined;
  const bytes = parseExactBase64Url(did.slice('did:jwk:'.length));
  try {
    const key = bytes && keyOfJwk(JSON.parse(decodeUtf8(bytes)));
    if (!key) return undefined;
    const relationships: readonly Relationship[] =
      key.keyType === 'x25519' ? ['keyAgreement'] : ['authentication', 'assertionMethod'];
    return { id: `${did}#0`, controller: did, ...key, relationships };
  } catch {
    return undefined;
  }
}

/** A key by which a service signs for an issuer. */
export interface DelegatedKey {
  /** The fragment of its id. */
  readonly kid: string;
  readonly keyType: DidKeyType;
  readonly publicKey: Uint8Array;
}

/** The document of an issuer's `did:web`: keys that a service signs with for it, and who it is on the ledger. */
export function delegatedDocument(
  did: string,
  { alsoKnownAs, keys }: { readonly alsoKnownAs: readonly string[]; readonly keys: readonly DelegatedKey[] },
): DidDocument {
  const methods = keys.map(({ kid, keyType, publicKey }): VerificationMethod => {
    const id = `${did}#${kid}`;
    const jwk = keyType === 'p256' ? publicJwk(keyType, publicKey) : undefined;
    if (jwk) return { id, type: 'JsonWebKey', controller: did, publicKeyJwk: { ...jwk, kid } };
    return multikeyMethod(did, { id, keyType, publicKey });
  });
  const ids = methods.map(({ id }) => id);
  return {
    '@context': [didContext, multikeyContext, jsonWebKeyContext],
    id: did,
    alsoKnownAs,
    verificationMethod: methods,
    authentication: ids.filter((_, index) => keys[index].keyType !== 'bls12381g2'),
    assertionMethod: ids,
  };
}
