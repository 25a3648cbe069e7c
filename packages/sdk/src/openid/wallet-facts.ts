/**
 * Where a wallet has its facts about credentials of the field from: keys of issuers by their documents and DIDs, status
 * lists, contexts, all fetched within bounds and kept for as long as the wallet is open.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { splitDidUrl } from '@symbolon/core/did/did';
import {
  type ForeignDidKey,
  keyOfJwkDid,
  keysOfForeignDocument,
  placeOfWebDid,
  webDid,
} from '@symbolon/core/did/foreign-document';
import { publicJwk } from '@symbolon/core/did/public-jwk';
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { issuerOfDocument } from '@symbolon/formats/credential/data-model';
import { keyResolver, type VerificationKey } from '@symbolon/formats/data-integrity/verification-keys';
import { type ProofTools, verifyDocument } from '@symbolon/formats/data-integrity/verifying';
import { readPublicJwk, type SigningJwk } from '@symbolon/formats/jose/public-keys';
import { parseSignedObject } from '@symbolon/formats/jose/strict-json';
import { webVerifySignature } from '@symbolon/formats/jose/web-signatures';
import { createDocumentLoader } from '@symbolon/formats/json-ld/document-loader';
import { findIssuerKeysBy } from '@symbolon/formats/sd-jwt/issuer-keys';
import { publishedUrl } from '@symbolon/formats/sd-jwt/issuer-metadata';
import type { SdJwtFacts } from '@symbolon/formats/sd-jwt/verifying';
import { createStatusChecker, type StatusChecker } from '@symbolon/formats/status-lists/status-check';
import type { WalletWeb } from './wallet-web.ts';

export interface WalletFacts extends Pick<SdJwtFacts, 'sha256' | 'verifySignature' | 'findIssuerKeys'> {
  readonly now: () => number;
  readonly status: StatusChecker;
  readonly tools: () => Promise<ProofTools & { readonly engine: ProofEngine }>;
  /** Keys that a DID has published for what it signs. */
  readonly keysOfDid: (did: string) => Promise<readonly ForeignDidKey[] | undefined>;
}

export interface WalletFactSources {
  readonly web: WalletWeb;
  readonly now: () => number;
  readonly engine: () => Promise<ProofEngine>;
}

export function createWalletFacts({ web, now, engine }: WalletFactSources): WalletFacts {
  const keysOfDid = didKeysBy(web);
  const findIssuerKeys = findIssuerKeysBy({
    fetchText: (url) => web.fetchText(url, 'application/json'),
    resolveDid: async (did, keyId) => assertionKeys(await keysOfDid(did), keyId),
    // Whoever has the host has the DID at it, too.
    isDidOf: async (did, issuer) => did === webDidOfIssuer(issuer),
  });
  const resolveKey = keyResolver((method) => keyOfMethod(keysOfDid, method));
  const checks: ProofTools['checks'] = {
    ed25519: (order) => isSignedBy('EdDSA', 'ed25519', order),
    p256: (order) => isSignedBy('ES256', 'p256', order),
  };
  const load = contextLoader(web);
  const tools = async () => ({ load, resolveKey, checks, engine: await engine() });
  const status = createStatusChecker({
    ...{ now, findIssuerKeys, verifySignature: webVerifySignature },
    fetchText: web.fetchText,
    readSecured: async (text) => readSecured(text, { tools: await tools(), nowMs: now() }),
  });
  return { sha256, verifySignature: webVerifySignature, findIssuerKeys, now, status, tools, keysOfDid };
}

/** The `did:web` at the address of an issuer. */
export function webDidOfIssuer(issuer: string): string | undefined {
  const url = publishedUrl(issuer);
  return (
    url &&
    webDid(
      url.origin,
      url.pathname.split('/').filter((segment) => segment !== ''),
    )
  );
}

const isLocal = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3})(?::|$)/.test(host);

function didKeysBy(web: WalletWeb): WalletFacts['keysOfDid'] {
  return async (did) => {
    if (did.startsWith('did:jwk:')) {
      const key = keyOfJwkDid(did);
      return key && [key];
    }
    const place = placeOfWebDid(did);
    if (!place) return undefined;
    const { host, path } = place;
    const text = await web.fetchText(
      `${isLocal(host) ? 'http' : 'https'}://${host}${path}`,
      'application/did+json',
    );
    const document = typeof text === 'string' ? parseSignedObject(text) : undefined;
    return document && keysOfForeignDocument(document, did);
  };
}

function assertionKeys(
  keys: readonly ForeignDidKey[] | undefined,
  keyId: string | undefined,
): readonly SigningJwk[] | Complaint {
  if (!keys) return { complaint: 'the DID of the issuer cannot be resolved here' };
  return keys
    .filter(({ id, relationships }) => relationships.includes('assertionMethod') && (keyId ?? id) === id)
    .map(({ keyType, publicKey }) => readPublicJwk(publicJwk(keyType, publicKey)))
    .filter((key): key is SigningJwk => !isComplaint(key));
}

async function keyOfMethod(
  keysOfDid: WalletFacts['keysOfDid'],
  method: string,
): Promise<VerificationKey | undefined> {
  const did = splitDidUrl(method)?.did;
  const keys = did === undefined ? undefined : await keysOfDid(did);
  const key = keys?.find(({ id }) => id === method);
  if (!key || key.keyType === 'x25519') return undefined;
  const { id, controller, keyType, publicKey, relationships } = key;
  return { id, controller, keyType, publicKey, purposes: relationships };
}

function isSignedBy(
  alg: 'EdDSA' | 'ES256',
  keyType: 'ed25519' | 'p256',
  order: Parameters<ProofTools['checks']['p256']>[0],
): boolean | Promise<boolean> {
  const key = readPublicJwk(publicJwk(keyType, order.publicKey));
  const { message: data, signature } = order;
  return isComplaint(key) ? false : webVerifySignature({ alg, key, data, signature });
}

function contextLoader(web: WalletWeb): ProofTools['load'] {
  const fetched = new Map<string, Promise<object | undefined>>();
  const fetchContext = async (url: string): Promise<object | undefined> => {
    const text = await web.fetchText(url, 'application/ld+json, application/json');
    return typeof text === 'string' ? parseSignedObject(text) : undefined;
  };
  return createDocumentLoader({
    ownContext: (url) => {
      if (!publishedUrl(url) || fetched.size >= contextsMax) return undefined;
      const known = fetched.get(url) ?? fetchContext(url);
      fetched.set(url, known);
      return known;
    },
  });
}
const contextsMax = 100;

async function readSecured(
  text: string,
  { tools, nowMs }: { readonly tools: ProofTools; readonly nowMs: number },
): Promise<Fields | Complaint> {
  const document = parseSignedObject(text);
  const controller = document && issuerOfDocument(document);
  if (!document || controller === undefined) return { complaint: 'the list is no credential' };
  const { isVerified } = await verifyDocument(
    document,
    { purpose: 'assertionMethod', nowMs, controller },
    tools,
  );
  return isVerified ? document : { complaint: 'the list is not signed by its issuer' };
}
