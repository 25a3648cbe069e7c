/** A request of OpenID4VP: what it says beside the query, as whom the service asks, and what belongs to it in secret. */
import { randomBytes, randomUUID } from 'node:crypto';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { Fault } from '@symbolon/core/faults/faults';
import { readPublicJwk } from '@symbolon/formats/jose/public-keys';
import { didOfKey } from '@symbolon/formats/json-ld/did-key';
import { parsePresentationQuery } from '@symbolon/formats/oid4vp/presentation-query';
import {
  certificateClientId,
  clientIdOf,
  type RequestTerms,
  requestLink,
  unsignedLink,
} from '@symbolon/formats/oid4vp/request-objects';
import { makeResponseKey, type ResponseJwk } from '@symbolon/formats/oid4vp/response-encryption';
import { readAgreements } from '@symbolon/formats/oid4vp/transaction-data';
import { sha256 } from '@symbolon/host/work/sha256';
import type { Caller } from '@symbolon/wire/http/service-route';
import { malformedAt } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { OpenidVerificationOrder } from '@symbolon/wire/openid/verification-requests';
import type { OpenidTerms, SessionOpening } from '../../sessions/sessions.ts';
import type { OpenidVerifyingParts } from '../parts/verification-parts.ts';

const secretBytes = 16;
const codeBytes = 32;

/** Below the service's own address. */
export const openidPlaces = (publicUrl: string, id: string) => ({
  requestUri: `${publicUrl}/oid4vp/request/${id}`,
  responseUri: `${publicUrl}/oid4vp/response/${id}`,
});

/** Who signs for callers whose key acts for nobody: the service itself, under no DID of the ledger. */
const serviceItself = 'verifier';

export const signingOwnerOf = ({ verifier = '' }: { readonly verifier?: string }): string =>
  verifier.startsWith('did:') ? verifier : serviceItself;

/** Throws `queryInvalid`, `requestMalformed`, `clientIdUnavailable`, `standardsUnavailable`. */
export function openidOpening(
  parts: OpenidVerifyingParts,
  order: OpenidVerificationOrder,
  caller: Caller,
): SessionOpening {
  // An origin that wallets do not take makes no request that they could answer.
  parts.places();
  const query = parsePresentationQuery(order.query, '/dcqlQuery');
  const agreements =
    order.transactionData && readAgreements(order.transactionData, query, '/transactionData');
  for (const [index, { keys }] of order.foreignIssuers.entries()) requireKeys(keys, index);
  const { callbackUrl, stateId, minutes, purpose, trust, redirectUri, foreignIssuers, responseMode } = order;
  return {
    ...{ callbackUrl, stateId, minutes, purpose, trust },
    requirements: () => order.query,
    async openid({ id, nonce }) {
      const named = await clientOf(parts, order, { caller, id });
      const encryption = responseMode === 'direct_post.jwt' ? await makeResponseKey(randomUUID()) : undefined;
      const terms: Omit<OpenidTerms, 'link'> = {
        ...named,
        responseMode,
        state: randomBytes(secretBytes).toString('base64url'),
        ...(encryption && { encryption }),
        ...(agreements && { agreements }),
        foreignIssuers,
        ...(redirectUri !== undefined && {
          redirect: { uri: redirectUri, code: randomBytes(codeBytes).toString('base64url') },
        }),
      };
      const asked = { id, nonce, query: order.query, purpose };
      return { ...terms, link: linkTo(parts, asked, { terms, order }) };
    },
  };
}

function requireKeys(keys: readonly JsonObject[] | undefined, index: number): void {
  for (const [place, jwk] of (keys ?? []).entries()) {
    const key = readPublicJwk(jwk);
    if (isComplaint(key)) throw malformedAt(`/foreignIssuers/${index}/keys/${place}`, key.complaint);
  }
}

type Client = Pick<OpenidTerms, 'clientId' | 'signedBy'>;

async function clientOf(
  parts: OpenidVerifyingParts,
  { prefix }: Pick<OpenidVerificationOrder, 'prefix'>,
  { caller, id }: { readonly caller: Caller; readonly id: string },
): Promise<Client> {
  const { requestCertificate, settings } = parts;
  const wanted = prefix ?? (requestCertificate ? 'x509_hash' : 'decentralized_identifier');
  if (wanted === 'redirect_uri')
    return { clientId: clientIdOf(wanted, openidPlaces(settings.publicUrl, id).responseUri) };
  if (wanted === 'decentralized_identifier')
    return { clientId: clientIdOf(wanted, await didOf(parts, caller)), signedBy: 'did' };
  if (!requestCertificate)
    throw new Fault('clientIdUnavailable', { detail: 'The operator has set no certificate for requests' });
  const { leaf, dnsNames } = requestCertificate;
  if (wanted === 'x509_hash') return { clientId: certificateClientId(leaf, sha256), signedBy: 'certificate' };
  const { hostname } = new URL(settings.publicUrl);
  if (!dnsNames.includes(hostname))
    throw new Fault('clientIdUnavailable', { detail: `The certificate does not name ${hostname}` });
  return { clientId: clientIdOf(wanted, hostname), signedBy: 'certificate' };
}

/** The party's own `did:web` here; of a key that acts for nobody, a `did:key` of the service. */
async function didOf({ issuerKeys, places }: OpenidVerifyingParts, { did }: Caller): Promise<string> {
  if (did === undefined) return didKeyOfService(issuerKeys);
  // Its document is there from the first key on.
  await issuerKeys.currentKey(did, 'es256');
  return places().webDid(did);
}

async function didKeyOfService(issuerKeys: OpenidVerifyingParts['issuerKeys']): Promise<string> {
  const { publicKey } = await issuerKeys.currentKey(serviceItself, 'es256');
  return didOfKey({ keyType: 'p256', publicKey });
}

interface Asked {
  readonly id: string;
  readonly nonce: string;
  readonly query: JsonObject;
  readonly purpose: string | undefined;
}

export function requestTerms(
  { settings }: Pick<OpenidVerifyingParts, 'settings'>,
  { id, nonce, query, purpose }: Asked,
  { clientId, responseMode, state, agreements, encryption }: Omit<OpenidTerms, 'link'>,
): RequestTerms {
  const { credentials } = parsePresentationQuery(query, '');
  return {
    ...{ clientId, responseMode, nonce, state, query },
    responseUri: openidPlaces(settings.publicUrl, id).responseUri,
    formats: credentials.map(({ format }) => format),
    ...(agreements && { transactionData: agreements.map(({ text }) => text) }),
    ...(encryption && { encryptionKey: encryption.publicJwk as ResponseJwk }),
    ...(purpose !== undefined && { purpose }),
  };
}

function linkTo(
  parts: Pick<OpenidVerifyingParts, 'settings'>,
  asked: Asked,
  {
    terms,
    order,
  }: { readonly terms: Omit<OpenidTerms, 'link'>; readonly order: Pick<OpenidVerificationOrder, 'isByPost'> },
): string {
  if (!terms.signedBy) return unsignedLink(requestTerms(parts, asked, terms));
  const { requestUri } = openidPlaces(parts.settings.publicUrl, asked.id);
  return requestLink({ clientId: terms.clientId, requestUri, isByPost: order.isByPost });
}
