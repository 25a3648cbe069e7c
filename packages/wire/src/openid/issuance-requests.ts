/** Turns requests of OpenID4VCI into requests of the inside. */
import { Fault } from '@symbolon/core/faults/faults';
import type * as z from 'zod';
import {
  type AttributePlaces,
  attributePlaces,
  type GivenAttributes,
  readAttributes,
  readInstant,
  readSignature,
} from '../credentials/request-encodings.ts';
import { readIdentifier, readPage } from '../credentials/requests.ts';
import type { WithBody } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';
import type { JsonValue } from '../json/json.ts';
import { parseUniqueJson } from '../json/json-members.ts';
import { areTextsStorable } from '../json/storable-text.ts';
import { authorizationCodeGrant, preAuthorizedGrant } from '../offers/offer-link.ts';
import * as schemas from './issuance-schemas.ts';

export interface OpenidOfferOrder {
  readonly templateId: string;
  readonly attributes: GivenAttributes;
  readonly places: AttributePlaces;
  readonly validFrom: string | undefined;
  readonly validUntil: string;
  readonly formats: readonly schemas.OrderedFormat[];
  readonly hasTxCode: boolean;
  /** Of a credential of our own, and of nothing else. */
  readonly holder: string | undefined;
  /** Whether whoever takes it logs in first. */
  readonly isByLogin: boolean;
  readonly seconds: number | undefined;
  readonly reference: string | undefined;
}

export function readOpenidOfferOrder({ body }: WithBody<typeof schemas.openidOfferOrder>): OpenidOfferOrder {
  const isByLogin = body.login === true;
  if (isByLogin && body.txCode === true)
    throw malformedAt('/txCode', 'must not stand beside login: nobody types a code there');
  const formats = [...new Set(body.formats ?? schemas.usualFormats)];
  return {
    templateId: readIdentifier(body.templateId),
    attributes: readAttributes(body.metadata, '/metadata'),
    places: attributePlaces(body.metadata, '/metadata'),
    holder: readOwnHolder(formats, body),
    validFrom: body.validFrom === undefined ? undefined : readInstant(body.validFrom, '/validFrom'),
    validUntil: readInstant(body.validUntil, '/validUntil'),
    formats,
    hasTxCode: !isByLogin && body.txCode !== false,
    isByLogin,
    seconds: body.expiresInSeconds,
    reference: body.reference,
  };
}

/** A credential of our own names its holder in all that is signed, so nothing else is made of the same entry. */
function readOwnHolder(
  formats: readonly schemas.OrderedFormat[],
  { holder, login }: z.output<typeof schemas.openidOfferOrder>,
): string | undefined {
  if (!formats.includes('symbolon-bbs-2026')) {
    if (holder !== undefined)
      throw malformedAt('/holder', 'stands beside the format symbolon-bbs-2026 alone');
    return undefined;
  }
  if (formats.length > 1) throw malformedAt('/formats', 'symbolon-bbs-2026 must stand alone');
  if (login === true) throw malformedAt('/login', 'must not stand beside symbolon-bbs-2026');
  if (holder === undefined)
    throw malformedAt('/holder', 'is missing: symbolon-bbs-2026 is signed for one holder');
  return readIdentifier(holder);
}

export const readOpenidSignature = ({ body }: WithBody<typeof schemas.openidOfferSignature>) => ({
  offerId: body.offerId.trim(),
  signature: readSignature(body.signData, '/signData'),
});

export const readOpenidRejection = ({ body }: WithBody<typeof schemas.openidOfferRejection>) => ({
  offerId: body.offerId.trim(),
  reason: body.reason,
});

export const readOpenidOfferList = ({
  query,
}: {
  readonly query: z.output<typeof schemas.openidOfferFilter>;
}) => ({ isNewestFirst: query.order === 'newest', ...readPage(query) });

type OfIssuer = { readonly params: { readonly issuer: string } };

export const readIssuerName = ({ params }: OfIssuer) => ({ issuer: params.issuer });

interface TokenRequest {
  readonly code: string;
  /** Configurations that were asked for by name, so that the answer says identifiers. */
  readonly configurations: readonly string[] | undefined;
}

export interface PreAuthorizedRequest extends TokenRequest {
  readonly txCode: string | undefined;
}

/** With the code of somebody who has logged in. */
export interface AuthorizedRequest extends TokenRequest {
  readonly verifier: string;
  readonly redirectUri: string;
}

export interface TokenAsked {
  readonly issuer: string;
  readonly client: GivenClient;
  readonly request: PreAuthorizedRequest | AuthorizedRequest;
}

/** Who a client says it is, and how it shows that. */
export interface GivenClient {
  readonly clientId: string | undefined;
  readonly assertion: string | undefined;
}

const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export const readToken = ({ params, body }: OfIssuer & WithBody<typeof schemas.tokenForm>): TokenAsked => ({
  issuer: params.issuer,
  request: { ...readCode(body), configurations: readDetails(body.authorization_details) },
  client: readClient(body),
});

function readCode(body: z.output<typeof schemas.tokenForm>) {
  const needed = (name: 'pre-authorized_code' | 'code' | 'code_verifier' | 'redirect_uri'): string => {
    const given = body[name];
    if (given === undefined) throw malformedAt(`/${name}`);
    return given;
  };
  switch (body.grant_type) {
    case preAuthorizedGrant:
      return { code: needed('pre-authorized_code'), txCode: body.tx_code };
    case authorizationCodeGrant:
      return {
        code: needed('code'),
        verifier: needed('code_verifier'),
        redirectUri: needed('redirect_uri'),
      };
    default:
      throw new Fault('grantTypeUnsupported');
  }
}

type ClientForm = Pick<
  z.output<typeof schemas.tokenForm>,
  'client_id' | 'client_assertion' | 'client_assertion_type'
>;

export function readClient(body: ClientForm): GivenClient {
  const { client_id: clientId, client_assertion: assertion, client_assertion_type: type } = body;
  if ((assertion === undefined) !== (type === undefined) || (type !== undefined && type !== jwtBearer))
    throw new Fault('clientInvalid', { detail: `client_assertion comes with the type ${jwtBearer}` });
  return { clientId, assertion };
}

const detailsMax = 20;

/** RFC 9396, of the one type that there is here. */
export function readDetails(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const details = parsedOrNothing(text);
  const isList = Array.isArray(details) && details.length >= 1 && details.length <= detailsMax;
  const ids = isList ? details.map(configurationOfDetail) : [];
  if (ids.length === 0 || ids.some((id) => id === undefined)) throw new Fault('authorizationDetailsInvalid');
  return [...new Set(ids as string[])];
}

function parsedOrNothing(text: string): JsonValue | undefined {
  try {
    return parseUniqueJson(text);
  } catch {
    return undefined;
  }
}

function configurationOfDetail(detail: JsonValue): string | undefined {
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return undefined;
  const { type, credential_configuration_id: id } = detail;
  return type === 'openid_credential' && typeof id === 'string' ? id : undefined;
}

/** A message as it came: what it asks, or a JWE with that in it. */
export type Sent<Asked> = { readonly asked: Asked } | { readonly jwe: string };

export interface CredentialAsked {
  readonly configurationId: string | undefined;
  readonly identifier: string | undefined;
  /** Of the one type that is taken. */
  readonly proofs: readonly string[];
  /** As it was sent: how the answer is to be encrypted. */
  readonly encryption: unknown;
}

export const readCredentialOrder = ({
  params,
  body,
}: OfIssuer & WithBody<typeof schemas.credentialOrderOrJwe>): {
  readonly issuer: string;
  readonly sent: Sent<CredentialAsked>;
} => ({
  issuer: params.issuer,
  sent: typeof body === 'string' ? { jwe: body } : { asked: credentialAsked(body) },
});

function credentialAsked(body: z.output<typeof schemas.credentialOrder>): CredentialAsked {
  const {
    credential_configuration_id: configurationId,
    credential_identifier: identifier,
    proofs = {},
    credential_response_encryption: encryption,
  } = body;
  if ((configurationId === undefined) === (identifier === undefined))
    throw malformedAt(
      '/credential_identifier',
      'or credential_configuration_id: exactly one of them names what is asked for',
    );
  const types = Object.keys(proofs);
  if (types.length > 1) throw new Fault('keyProofInvalid', { detail: 'proofs are of one type' });
  const { jwt = [] } = proofs;
  if (types.length === 1 && types[0] !== 'jwt')
    throw new Fault('keyProofInvalid', { detail: 'proofs of the type jwt are taken, and no others' });
  if (!Array.isArray(jwt) || !jwt.every((proof) => typeof proof === 'string'))
    throw new Fault('keyProofInvalid', { detail: 'proofs of the type jwt are a list of texts' });
  return { configurationId, identifier, proofs: jwt, encryption };
}

export interface DeferredAsked {
  readonly transactionId: string;
  readonly encryption: unknown;
}

export const readDeferredOrder = ({
  params,
  body,
}: OfIssuer & WithBody<typeof schemas.deferredOrderOrJwe>): {
  readonly issuer: string;
  readonly sent: Sent<DeferredAsked>;
} => ({
  issuer: params.issuer,
  sent: typeof body === 'string' ? { jwe: body } : { asked: deferredAsked(body) },
});

const deferredAsked = (body: z.output<typeof schemas.deferredOrder>): DeferredAsked => ({
  transactionId: body.transaction_id,
  encryption: body.credential_response_encryption,
});

/** What stood in a JWE, by the same rules as what comes in clear. */
export const readDecryptedCredentialOrder = (text: string): CredentialAsked =>
  credentialAsked(readDecrypted(schemas.credentialOrder, text));
export const readDecryptedDeferredOrder = (text: string): DeferredAsked =>
  deferredAsked(readDecrypted(schemas.deferredOrder, text));

function readDecrypted<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const read = schema.safeParse(parsedOrNothing(text));
  if (!read.success || !areTextsStorable(read.data))
    throw malformedAt('', 'in the JWE is no request that this endpoint takes');
  return read.data;
}

export const readNotification = ({
  params,
  body,
}: OfIssuer & WithBody<typeof schemas.notificationOrder>) => ({
  issuer: params.issuer,
  id: body.notification_id,
  event: body.event,
});
