/**
 * DID documents: a pure function from the recorded changes of an identifier to its document and metadata at a version
 * or a time. An identifier of the ledger's method has a document without any record: its own key. Reading records is
 * `did-log.ts` and the SDK.
 */
import { equalBytes } from '../basics/bytes.ts';
import { instantTextOfUnixMs } from '../basics/calendar.ts';
import type { KeyFormat } from '../keys/keys.ts';
import { didLimits } from '../limits/documents.ts';
import {
  type DidKeyType,
  encodeBbsPublicKey,
  encodeMultikey,
  type KeyDid,
  parsePublicKeyMultibase,
} from './did.ts';
import {
  type DidChange,
  type KeyEnd,
  type KeyPublication,
  type PublishedKeyType,
  publishedKeyTypes,
  type ServicePublication,
} from './did-log.ts';
import { didContext, multikeyContext, type PublicJwkMembers } from './public-jwk.ts';

/** One entry of a log with what the ledger knows about it. */
export interface RecordedChanges {
  readonly ledgerSeq: bigint;
  /** The block's time in seconds since 1970, rounded down: documents print no fraction. */
  readonly timeSeconds: number;
  readonly changes: readonly DidChange[];
}

export interface DidSubject {
  readonly did: string;
  /** The raw Ed25519 key. */
  readonly publicKey: Uint8Array;
  readonly chainId: bigint;
  /** Oldest first. */
  readonly records: readonly RecordedChanges[];
}

export interface VerificationMethod {
  readonly id: string;
  readonly type: string;
  readonly controller: string;
  readonly blockchainAccountId?: string;
  readonly publicKeyHex?: string;
  readonly publicKeyMultibase?: string;
  readonly publicKeyJwk?: PublicJwkMembers & { readonly kid?: string };
}
export interface DidService {
  readonly id: string;
  readonly type: string;
  readonly serviceEndpoint: string;
}
export type Relationship = 'authentication' | 'assertionMethod' | 'keyAgreement';
export interface DidDocument {
  readonly '@context': readonly string[];
  readonly id: string;
  readonly alsoKnownAs?: readonly string[];
  readonly verificationMethod?: readonly VerificationMethod[];
  readonly authentication?: readonly string[];
  readonly assertionMethod?: readonly string[];
  readonly keyAgreement?: readonly string[];
  readonly service?: readonly DidService[];
}
export interface DidDocumentMetadata {
  readonly created?: string;
  readonly updated?: string;
  readonly versionId?: string;
  readonly nextUpdate?: string;
  readonly nextVersionId?: string;
  readonly deactivated?: true;
  /** Keys that the subject says others may have, and since when. */
  readonly compromisedKeys?: readonly { readonly id: string; readonly since: string }[];
  /** What the subject calls itself. No member of the document: nobody has confirmed it. */
  readonly name?: string;
}

/** A key of a document, ready to be used. */
export interface DocumentKey {
  readonly id: string;
  readonly keyType: DidKeyType;
  readonly publicKey: Uint8Array;
  readonly relationships: readonly Relationship[];
  /** Since when others may have it, as far as the subject says by now. */
  readonly compromisedSince?: string;
}
export interface DidResolution {
  readonly document: DidDocument;
  readonly metadata: DidDocumentMetadata;
  readonly keys: readonly DocumentKey[];
}

export interface PublishedKey {
  readonly number: number;
  readonly type: PublishedKeyType;
  readonly publicKey: Uint8Array;
  readonly validFrom: number;
  readonly validUntil?: number;
  readonly endedAt?: number;
  readonly compromisedSince?: number;
}

/** What the changes up to some version add up to. */
export interface DidState {
  readonly keys: ReadonlyMap<number, PublishedKey>;
  readonly services: ReadonlyMap<string, ServicePublication>;
  readonly name?: string;
  readonly isDeactivated: boolean;
}

export const emptyDidState: DidState = { keys: new Map(), services: new Map(), isDeactivated: false };

/** The state after a change, or why the change has no effect. */
export function applyDidChange(state: DidState, change: DidChange, timeSeconds: number): DidState | string {
  if (state.isDeactivated) return 'the identifier is deactivated, and that is final';
  switch (change.change) {
    case 'publishKey':
      return publishKey(state, change, timeSeconds);
    case 'endKey':
      return endKey(state, change, timeSeconds);
    case 'publishService': {
      if (!state.services.has(change.id) && state.services.size >= didLimits.documentServicesMax)
        return `a document has at most ${didLimits.documentServicesMax} services`;
      return { ...state, services: new Map(state.services).set(change.id, change) };
    }
    case 'endService': {
      const services = new Map(state.services);
      return services.delete(change.id) ? { ...state, services } : `there is no service ${change.id}`;
    }
    case 'publishName':
      return { ...state, name: change.name };
    case 'endName': {
      const { name, ...nameless } = state;
      return name === undefined ? 'there is no name' : nameless;
    }
    case 'deactivate':
      return { ...state, isDeactivated: true };
  }
}

/** A key that has ended can still be said to be compromised, and since an earlier time than was said before. */
function endKey(state: DidState, change: KeyEnd, timeSeconds: number): DidState | string {
  const key = state.keys.get(change.number);
  if (!key) return `there is no key ${change.number}`;
  const { endedAt = timeSeconds, compromisedSince: known = Number.POSITIVE_INFINITY } = key;
  // What happens later is not known yet.
  const since = Math.min(change.compromisedSince ?? Number.POSITIVE_INFINITY, timeSeconds);
  const isNews = change.compromisedSince !== undefined && since < known;
  if (key.endedAt !== undefined && !isNews) return `key ${change.number} has ended already`;
  const keys = new Map(state.keys).set(key.number, { ...key, endedAt });
  if (!isNews) return { ...state, keys };
  // Whoever has the secret has it under every number.
  for (const one of keys.values())
    if (isSameKey(one, key))
      keys.set(one.number, { ...one, endedAt: one.endedAt ?? timeSeconds, compromisedSince: since });
  return { ...state, keys };
}

const isSameKey = (left: PublishedKey, right: PublishedKey): boolean =>
  left.type === right.type && equalBytes(left.publicKey, right.publicKey);

function publishKey(state: DidState, change: KeyPublication, timeSeconds: number): DidState | string {
  const { number, type, publicKeyMultibase, validUntil } = change;
  if (number < nextKeyNumber(state)) return `the number ${number} is taken: numbers only grow`;
  const publicKey = parsePublicKeyMultibase(publishedKeyTypes[type], publicKeyMultibase);
  if (!publicKey) return 'the key is malformed';
  const text = String(publicKey);
  for (const other of state.keys.values()) {
    // A key ends because it is no longer to be trusted; under another number it would be again.
    if (other.endedAt !== undefined && other.type === type && String(other.publicKey) === text)
      return `this key has ended as number ${other.number}`;
  }
  // What the record claims about the past is not believed.
  const validFrom = Math.max(change.validFrom ?? 0, timeSeconds);
  if (validUntil !== undefined && validUntil <= validFrom) return 'the key would lapse before it is valid';
  const living = [...state.keys.values()].filter((key) => isLiving(key, timeSeconds));
  if (living.length >= didLimits.documentKeysMax)
    return `a document has at most ${didLimits.documentKeysMax} keys`;
  const key = { number, type, publicKey, validFrom, ...(validUntil === undefined ? {} : { validUntil }) };
  return { ...state, keys: new Map(state.keys).set(number, key) };
}

export function nextKeyNumber({ keys }: DidState): number {
  let largest = 0;
  for (const number of keys.keys()) largest = Math.max(largest, number);
  return largest + 1;
}

/** Neither ended nor lapsed; it may still have to become valid. */
const isLiving = ({ validUntil, endedAt }: PublishedKey, at: number): boolean =>
  endedAt === undefined && (validUntil === undefined || at < validUntil);

/** Changes without effect are passed over: nothing in a log can make it unreadable. */
export function foldDidRecords(records: readonly RecordedChanges[]): DidState {
  let state = emptyDidState;
  for (const { changes, timeSeconds } of records) {
    for (const change of changes) {
      const next = applyDidChange(state, change, timeSeconds);
      if (typeof next !== 'string') state = next;
    }
  }
  return state;
}

/** Which state of the document is asked for; the present one when neither is given. */
export interface VersionChoice {
  readonly versionId?: string;
  /** Seconds since 1970. */
  readonly versionTime?: number;
  readonly nowSeconds: number;
}

/** The version of a document before its first change. */
const firstVersionId = '0';

/** Undefined when there is no such version. A block is a version as a whole: its changes are not told apart. */
export function resolveSubject(
  subject: DidSubject,
  choice: VersionChoice,
  keys: KeyFormat,
): DidResolution | undefined {
  const { records } = subject;
  const count = countOfVersion(records, choice);
  if (count === undefined) return undefined;
  const current = records[count - 1];
  const next = records[count];
  const at = choice.versionTime ?? (choice.versionId === undefined ? choice.nowSeconds : 0);
  const state = foldDidRecords(records.slice(0, count));
  const metadata: DidDocumentMetadata = {
    ...(current
      ? { created: printTime(records[0].timeSeconds), updated: printTime(current.timeSeconds) }
      : {}),
    versionId: current ? String(current.ledgerSeq) : firstVersionId,
    ...(next ? { nextUpdate: printTime(next.timeSeconds), nextVersionId: String(next.ledgerSeq) } : {}),
    ...(state.isDeactivated ? { deactivated: true } : {}),
    ...compromisedKeys(subject.did, state),
    ...(state.name === undefined || state.isDeactivated ? {} : { name: state.name }),
  };
  // A version named by its number is shown as it was when it was made.
  const instant = Math.max(at, current?.timeSeconds ?? 0);
  return { ...documentOf(subject, { state, at: instant }, keys), metadata };
}

function compromisedKeys(did: string, { keys }: DidState): Pick<DidDocumentMetadata, 'compromisedKeys'> {
  const found = [...keys.values()].flatMap((key) =>
    key.compromisedSince === undefined
      ? []
      : [{ id: publishedKeyId(did, key), since: printTime(key.compromisedSince) }],
  );
  return found.length === 0 ? {} : { compromisedKeys: found };
}

function countOfVersion(records: readonly RecordedChanges[], choice: VersionChoice): number | undefined {
  const { versionId, versionTime } = choice;
  if (versionId === firstVersionId) return 0;
  if (versionId !== undefined) {
    const last = records.findLastIndex(({ ledgerSeq }) => String(ledgerSeq) === versionId);
    return last < 0 ? undefined : last + 1;
  }
  if (versionTime === undefined) return records.length;
  return records.findLastIndex(({ timeSeconds }) => timeSeconds <= versionTime) + 1;
}

/** The key that a proof names, as a document of some time has it, with what the present one says about it. */
export function findDocumentKey(
  { present, then }: { readonly present: DidResolution; readonly then: DidResolution },
  {
    verificationMethod,
    relationship,
  }: { readonly verificationMethod: string; readonly relationship: Relationship },
): DocumentKey | undefined {
  const key = then.keys.find(({ id }) => id === verificationMethod);
  if (present.metadata.deactivated || !key?.relationships.includes(relationship)) return undefined;
  // Said later than the time that is asked about, and true of it all the same.
  const compromised = present.metadata.compromisedKeys?.find(({ id }) => id === verificationMethod);
  return { ...key, ...(compromised && { compromisedSince: compromised.since }) };
}

/** What a key of ours that is published for BBS is called where it stands in the form that bbs-2023 reads. */
const multikeyEnding = '-multikey';

/** The key of a document that a method is, which may be its other form. */
export const keyIdOfMethod = (id: string): string =>
  id.endsWith(multikeyEnding) ? id.slice(0, -multikeyEnding.length) : id;

/** A key in the form that data integrity proofs read. */
export const multikeyMethod = (
  controller: string,
  { id, keyType, publicKey }: Pick<DocumentKey, 'id' | 'keyType' | 'publicKey'>,
): VerificationMethod => ({
  id,
  type: 'Multikey',
  controller,
  publicKeyMultibase: encodeMultikey(keyType, publicKey),
});

const contexts = {
  did: didContext,
  ed25519: 'https://w3id.org/security/suites/ed25519-2020/v1',
  bls12381g2: 'https://w3id.org/security/bbs/v1',
  x25519: 'https://w3id.org/security/suites/x25519-2020/v1',
  p256: multikeyContext,
} as const;

function documentOf(
  { did, publicKey, chainId }: DidSubject,
  { state, at }: { state: DidState; at: number },
  format: KeyFormat,
): Omit<DidResolution, 'metadata'> {
  if (state.isDeactivated) return { document: { '@context': [contexts.did], id: did }, keys: [] };
  const published = [...state.keys.values()].filter((key) => isLiving(key, at) && key.validFrom <= at);
  const controller = { type: 'Ed25519VerificationKey2020', controller: did };
  const own = {
    keyType: 'ed25519',
    publicKey,
    relationships: ['authentication', 'assertionMethod'],
  } as const;
  const account = `zep155:${chainId}:${format.addressOf(publicKey)}`;
  const methods: VerificationMethod[] = [
    { id: `${did}#controller`, ...controller, blockchainAccountId: account },
    { id: `${did}#controllerKey`, ...controller, publicKeyHex: format.encodePublicKey(publicKey) },
    ...published.map((key) => ({
      id: publishedKeyId(did, key),
      type: key.type,
      controller: did,
      publicKeyMultibase: encodePublishedKey(key.type, key.publicKey),
    })),
    ...multikeysOf(did, published),
  ];
  const keys: DocumentKey[] = [
    { id: `${did}#controller`, ...own },
    { id: `${did}#controllerKey`, ...own },
    ...published.map((key): DocumentKey => {
      const relationship = key.type === 'Bls12381G2Key2020' ? 'assertionMethod' : 'keyAgreement';
      return {
        id: publishedKeyId(did, key),
        keyType: publishedKeyTypes[key.type],
        publicKey: key.publicKey,
        relationships: [relationship],
      };
    }),
  ];
  const services = [...state.services.values()].map(({ id, type, serviceEndpoint }) => ({
    id: `${did}#${id}`,
    type,
    serviceEndpoint,
  }));
  return { document: assemble(did, { methods, keys, services }), keys };
}

/** The family's form of a BBS key has no prefix, and other libraries read none without. */
const multikeysOf = (did: string, published: readonly PublishedKey[]): VerificationMethod[] =>
  published
    .filter(({ type }) => type === 'Bls12381G2Key2020')
    .map((key) =>
      multikeyMethod(did, {
        id: `${publishedKeyId(did, key)}${multikeyEnding}`,
        keyType: 'bls12381g2',
        publicKey: key.publicKey,
      }),
    );

export const publishedKeyId = (
  did: string,
  { type, number }: Pick<PublishedKey, 'type' | 'number'>,
): string => `${did}#${type === 'Bls12381G2Key2020' ? 'delegateKey' : 'keyAgreementKey'}-${number}`;

export const encodePublishedKey = (type: PublishedKeyType, publicKey: Uint8Array): string =>
  type === 'Bls12381G2Key2020' ? encodeBbsPublicKey(publicKey) : encodeMultikey('x25519', publicKey);

interface DocumentParts {
  readonly methods: readonly VerificationMethod[];
  readonly keys: readonly DocumentKey[];
  readonly services: readonly DidService[];
}

function assemble(did: string, { methods, keys, services }: DocumentParts): DidDocument {
  const having = (relationship: Relationship) => {
    const able = keys.filter((key) => key.relationships.includes(relationship)).map(({ id }) => id);
    const forms = methods.filter(({ id }) => !able.includes(id) && able.includes(keyIdOfMethod(id)));
    const ids = [...able, ...forms.map(({ id }) => id)];
    return ids.length === 0 ? {} : { [relationship]: ids };
  };
  const types = [...new Set(keys.map(({ keyType }) => keyType))];
  const own = types.map((type) => contexts[type]);
  const hasMultikey = methods.some(({ type }) => type === 'Multikey');
  return {
    '@context': [...new Set([contexts.did, ...own, ...(hasMultikey ? [multikeyContext] : [])])],
    id: did,
    verificationMethod: methods,
    ...having('authentication'),
    ...having('assertionMethod'),
    ...having('keyAgreement'),
    ...(services.length === 0 ? {} : { service: services }),
  };
}

const didKeyForms = {
  ed25519: { type: 'Ed25519VerificationKey2020', relationships: ['authentication', 'assertionMethod'] },
  x25519: { type: 'X25519KeyAgreementKey2020', relationships: ['keyAgreement'] },
  bls12381g2: { type: 'Bls12381G2Key2020', relationships: ['assertionMethod'] },
  p256: { type: 'Multikey', relationships: ['authentication', 'assertionMethod'] },
} as const satisfies Record<DidKeyType, { type: string; relationships: readonly Relationship[] }>;

/** `did:key`: the identifier is the key, so there is one version and it never changes. */
export function resolveKeyDid({ did, keyType, publicKey }: KeyDid): DidResolution {
  const { type, relationships } = didKeyForms[keyType];
  const multibase = encodeMultikey(keyType, publicKey);
  const id = `${did}#${multibase}`;
  const keys = [{ id, keyType, publicKey, relationships }];
  const methods = [{ id, type, controller: did, publicKeyMultibase: multibase }];
  return { document: assemble(did, { methods, keys, services: [] }), metadata: {}, keys };
}

const printTime = (seconds: number): string => instantTextOfUnixMs(seconds * 1_000);
