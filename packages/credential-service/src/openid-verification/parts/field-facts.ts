/**
 * Where facts about credentials of the field come from: keys of issuers, status lists, contexts. Documents of this service
 * are taken from where they are made; those of others are fetched within bounds. What a stranger's server does not give
 * counts as not there: its credential fails.
 */

import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import type { ForeignDidKey } from '@symbolon/core/did/foreign-document';
import { publicJwk } from '@symbolon/core/did/public-jwk';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { templateContext } from '@symbolon/formats/credential/template-context';
import type { SignatureChecks } from '@symbolon/formats/data-integrity/hash-suites';
import {
  type KeyResolver,
  keyResolver,
  type ProofPurpose,
} from '@symbolon/formats/data-integrity/verification-keys';
import { readPublicJwk, type SigningJwk } from '@symbolon/formats/jose/public-keys';
import { parseSignedObject } from '@symbolon/formats/jose/strict-json';
import { createDocumentLoader, type DocumentLoader } from '@symbolon/formats/json-ld/document-loader';
import { findIssuerKeysBy, type KeyDiscovery } from '@symbolon/formats/sd-jwt/issuer-keys';
import type { SdJwtFacts } from '@symbolon/formats/sd-jwt/verifying';
import { createStatusChecker, type StatusChecker } from '@symbolon/formats/status-lists/status-check';
import type { Clock } from '@symbolon/host/work/clock';
import { issuerOfSegment } from '@symbolon/wire/oauth/standard-places';
import type { ForeignIssuer } from '@symbolon/wire/openid/verification-requests';
import { checkCertificateChain } from '../../jose/certificate-chain.ts';
import { createNodeVerifier } from '../../jose/node-signatures.ts';
import { OutboundProblem } from '../../outbound/outbound-address.ts';
import type { ServiceParts } from '../../parts/service-parts.ts';
import type { StandardsParts } from '../../standards/standards-parts.ts';
import { answerListRequest } from '../../status-lists/list-requests.ts';
import type { PublishedLists } from '../../status-lists/published-lists.ts';
import { findStoredTemplate } from '../../templates/template-rows.ts';
import { ownPathOf } from './own-names.ts';

export interface FieldFacts {
  /** Of those that the verifier gave keys for, these alone. */
  readonly findIssuerKeys: (given: readonly ForeignIssuer[]) => SdJwtFacts['findIssuerKeys'];
  readonly status: StatusChecker;
  readonly load: DocumentLoader;
  readonly resolveKey: KeyResolver;
  readonly verifySignature: SdJwtFacts['verifySignature'];
  readonly signatureChecks: SignatureChecks;
}

export type FieldSources = Pick<ServiceParts, 'database' | 'profile' | 'settings'> &
  Pick<StandardsParts, 'places' | 'issuerKeys' | 'didKeys' | 'fetchDocument'> & {
    readonly clock: Clock;
    readonly statusLists: PublishedLists;
    /** DER. */
    readonly anchors: readonly Uint8Array[];
  };

export function createFieldFacts(sources: FieldSources): FieldFacts {
  const { clock, anchors } = sources;
  const verifySignature = createNodeVerifier();
  const fetchText = textFetcher(sources);
  const discovery: KeyDiscovery = {
    fetchText: (url) => fetchText(url, 'application/json'),
    resolveDid: (did, keyId) => keysOfDid(sources, did, keyId),
    // Of our own alone is it known without asking the ledger of somebody else.
    isDidOf: async (did, issuer) => isOwnDidOf(sources, did, issuer),
    ...(anchors.length > 0 && {
      checkChain: async (chain: readonly Uint8Array[]) =>
        checkCertificateChain(chain, { anchors, now: clock.nowMs() }),
    }),
  };
  const find = findIssuerKeysBy(discovery);
  return {
    findIssuerKeys: (given) =>
      given.some(({ keys }) => keys)
        ? findIssuerKeysBy({ ...discovery, givenKeys: (issuer) => givenKeysOf(given, issuer) })
        : find,
    status: createStatusChecker({
      now: () => clock.nowMs(),
      fetchText,
      findIssuerKeys: find,
      verifySignature,
    }),
    load: createDocumentLoader({
      ownContext: (url) => ownContext(sources, url),
      fetchDocument: async (url) => {
        const text = await fetchText(url, 'application/ld+json');
        if (typeof text !== 'string') throw new Error(text.complaint);
        return parseSignedObject(text);
      },
    }),
    resolveKey: keyResolver((method) => keyOfMethod(sources, method)),
    verifySignature,
    signatureChecks: signatureChecksBy(verifySignature),
  };
}

/** Keys that were read when the verifier asked. */
function givenKeysOf(given: readonly ForeignIssuer[], issuer: string): readonly SigningJwk[] | undefined {
  const keys = given.find((one) => one.issuer === issuer)?.keys;
  return keys?.map(readPublicJwk).filter((key) => !isComplaint(key)) as readonly SigningJwk[] | undefined;
}

const signatureChecksBy = (verifySignature: SdJwtFacts['verifySignature']): SignatureChecks => ({
  ed25519: ({ publicKey, message, signature }) =>
    checkedBy(verifySignature, 'EdDSA', publicJwk('ed25519', publicKey), { message, signature }),
  p256: ({ publicKey, message, signature }) =>
    checkedBy(verifySignature, 'ES256', publicJwk('p256', publicKey), { message, signature }),
});

function checkedBy(
  verifySignature: SdJwtFacts['verifySignature'],
  alg: 'EdDSA' | 'ES256',
  jwk: object | undefined,
  { message: data, signature }: { readonly message: Uint8Array; readonly signature: Uint8Array },
): boolean | Promise<boolean> {
  const key = readPublicJwk(jwk);
  return isComplaint(key) ? false : verifySignature({ alg, key, data, signature });
}

/** JSON that is fetched may be called by any of these. */
const mediaTypes: Readonly<Record<string, readonly string[]>> = {
  'application/json': ['application/json'],
  'application/ld+json': ['application/ld+json', 'application/json'],
  'application/vc': ['application/vc', 'application/ld+json', 'application/json'],
};

function textFetcher(sources: FieldSources) {
  return async (url: string, accept: string): Promise<string | Complaint> => {
    const path = ownPathOf(sources, url);
    if (path !== undefined) return ownText(sources, path);
    try {
      const { text } = await sources.fetchDocument({ url, types: mediaTypes[accept] ?? [accept] });
      return text;
    } catch (error) {
      if (error instanceof OutboundProblem) return { complaint: error.message };
      throw error;
    }
  };
}

const ownIssuerDocument = /^\/\.well-known\/jwt-vc-issuer\/oid4vci\/([0-9a-f]{64})$/;
const ownStatusList = /^\/status\/([0-9a-f]{64})\/([0-9a-z./]{1,32})$/;
const notHere: Complaint = { complaint: 'this service has no such document' };

/** Documents that this service serves itself. */
async function ownText(sources: FieldSources, path: string): Promise<string | Complaint> {
  const { issuerKeys, places, profile, statusLists: lists } = sources;
  const [, segment] = ownIssuerDocument.exec(path) ?? [];
  const did = segment === undefined ? undefined : issuerOfSegment(segment, profile);
  if (did !== undefined)
    return JSON.stringify({ issuer: places().issuer(did), jwks: await issuerKeys.jwksOf(did) });
  const [, issuer, list] = ownStatusList.exec(path) ?? [];
  if (issuer === undefined || list === undefined) return notHere;
  try {
    return (await answerListRequest({ lists, profile }, { issuer, list })).text;
  } catch (error) {
    if (error instanceof Fault && error.code === 'statusListUnknown') return notHere;
    throw error;
  }
}

const ownContextPath = /^\/contexts\/([0-9a-f]{64})\/([0-9][0-9.]{0,39})$/;

/** The context of a template's version, which never changes. */
async function ownContext(sources: FieldSources, url: string): Promise<object | undefined> {
  const { database, profile, settings } = sources;
  const [, hex, version] = ownContextPath.exec(ownPathOf(sources, url) ?? '') ?? [];
  if (hex === undefined || version === undefined) return undefined;
  const found = await findStoredTemplate(database.kysely, `did:${profile.didMethod}:${hex}`, version);
  return found && templateContext(found.template, { vocabulary: `${settings.publicUrl}/vocab/${hex}#` });
}

/** Answers of a resolver that say that there is no key. */
const noKeyFaults: readonly FaultName[] = [
  'didMalformed',
  'methodUnsupported',
  'didUnknown',
  'didDeactivated',
  'keyNotPublished',
  'foreignDocumentUnavailable',
];

async function findKey(
  { didKeys }: FieldSources,
  method: string,
  purpose: ProofPurpose,
): Promise<ForeignDidKey | undefined> {
  try {
    return await didKeys.find(method, purpose);
  } catch (error) {
    if (error instanceof Fault && noKeyFaults.includes(error.code)) return undefined;
    throw error;
  }
}

async function keysOfDid(
  sources: FieldSources,
  did: string,
  keyId: string | undefined,
): Promise<readonly SigningJwk[] | Complaint> {
  const found = await findKey(sources, keyId ?? did, 'assertionMethod');
  if (!found) return { complaint: 'the DID has no such key for assertions' };
  const key = readPublicJwk(publicJwk(found.keyType, found.publicKey));
  return isComplaint(key) ? key : [key];
}

async function keyOfMethod(sources: FieldSources, method: string) {
  const purposes: readonly ProofPurpose[] = ['assertionMethod', 'authentication'];
  const found = await Promise.all(purposes.map((purpose) => findKey(sources, method, purpose)));
  const key = found.find((one) => one !== undefined);
  if (!key || key.keyType === 'x25519') return undefined;
  const { id, controller, keyType, publicKey } = key;
  return { id, controller, keyType, publicKey, purposes: purposes.filter((_, place) => found[place]) };
}

function isOwnDidOf({ places, profile }: FieldSources, did: string, issuer: string): boolean {
  const own = issuerOfSegment(issuer.slice(issuer.lastIndexOf('/') + 1), profile);
  return own !== undefined && places().issuer(own) === issuer && places().webDid(own) === did;
}
