/**
 * What a wallet reads of a verifier's request (OpenID4VP 1.0, section 5): its parameters, whether they came signed or in a
 * link. Whose they are is found elsewhere; here is what they say, and what may not be answered whoever asks. What is not
 * understood and changes what is asked is refused.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { sdJwtLimits } from '../limits/format-limits.ts';
import { oid4vpLimits } from '../limits/oid4vp-limits.ts';
import {
  type AnswerEncryption,
  messageAlgorithm,
  messageCiphers,
  readAnswerEncryption,
} from '../oid4vci/message-encryption.ts';
import { type PresentationQuery, parsePresentationQuery } from './presentation-query.ts';
import { anyWallet, type ClientIdPrefix, clientIdPrefixes, responseModes } from './request-objects.ts';
import { type AskedAgreement, readAskedAgreements } from './transaction-data.ts';

/** Where an answer goes, and what it is bound to. */
export interface ResponseTerms {
  readonly clientId: string;
  readonly responseUri: string;
  readonly nonce: string;
  readonly state?: string;
  /** Answers in clear are not wanted where this is given. */
  readonly encryption?: AnswerEncryption;
}

/** A request as a wallet has read it. */
export interface AskedPresentation {
  readonly terms: ResponseTerms;
  readonly query: PresentationQuery;
  readonly agreements: readonly AskedAgreement[];
  /** Formats that the verifier takes, with the algorithms of each; undefined where it does not say. */
  readonly formats?: Fields;
  /** Why it is asked, in the verifier's words. */
  readonly purpose?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** A name with the prefix that says how it is verified; undefined for one that is not known. */
export function splitClientId(
  clientId: string,
): { readonly prefix: ClientIdPrefix; readonly name: string } | undefined {
  const prefix = clientIdPrefixes.find((one) => clientId.startsWith(`${one}:`));
  const name = prefix && clientId.slice(prefix.length + 1);
  return prefix && name ? { prefix, name } : undefined;
}

const text = (value: unknown, charsMax: number): string | undefined =>
  typeof value === 'string' && value.length >= 1 && value.length <= charsMax ? value : undefined;

/** Of requests that are answered otherwise than here, or ask in older ways. */
const foreignParameters: Readonly<Record<string, string>> = {
  redirect_uri: 'wants its answer by a redirect',
  presentation_definition: 'asks by a presentation definition, which is of an older standard',
  presentation_definition_uri: 'asks by a presentation definition, which is of an older standard',
  scope: 'asks by a scope, whose meaning is not known here',
  request: 'has another request in it',
  request_uri: 'has another request in it',
  client_id_scheme: 'names its client by a scheme, which is of an older standard',
};

/** The parameters of a request, or why it is not answered. */
export function readRequestParameters(parameters: Fields): AskedPresentation | Complaint {
  const foreign = Object.keys(foreignParameters).find((name) => parameters[name] !== undefined);
  if (foreign !== undefined) return { complaint: foreignParameters[foreign] };
  if (parameters.response_type !== 'vp_token')
    return { complaint: 'asks for something else than a vp_token' };
  const query = readQuery(parameters.dcql_query);
  if (isComplaint(query)) return query;
  const terms = readTerms(parameters);
  if (isComplaint(terms)) return terms;
  if (terms.state === undefined && query.credentials.some(({ needsHolder }) => !needsHolder))
    return { complaint: 'has no state, which it needs where no holder has to sign' };
  const { transaction_data: data } = parameters;
  const agreements = data === undefined ? [] : readAskedAgreements(data, query);
  if ('complaint' in agreements) return agreements;
  const formats = asObject(asObject(parameters.client_metadata)?.vp_formats_supported);
  const lacking = formats && query.credentials.find(({ format }) => !Object.hasOwn(formats, format));
  if (lacking) return { complaint: `asks for ${lacking.format}, which it says it cannot read` };
  const purpose = text(parameters.purpose, 1_024);
  return {
    ...{ terms, query, agreements },
    ...(formats && { formats }),
    ...(purpose !== undefined && { purpose }),
    ...(typeof parameters.exp === 'number' && { expiresAt: parameters.exp * 1_000 }),
  };
}

function readQuery(query: unknown): PresentationQuery | Complaint {
  if (query === undefined) return { complaint: 'has no dcql_query' };
  try {
    return parsePresentationQuery(query, '/dcql_query', 'wallet');
  } catch (error) {
    if (error instanceof Fault && error.code === 'queryInvalid')
      return { complaint: `has a query that is not understood (${error.message})` };
    throw error;
  }
}

function readTerms(parameters: Fields): ResponseTerms | Complaint {
  const { response_mode: mode, client_metadata: metadata } = parameters;
  const clientId = text(parameters.client_id, oid4vpLimits.clientIdCharsMax);
  const responseUri = text(parameters.response_uri, oid4vpLimits.parameterCharsMax);
  const nonce = text(parameters.nonce, oid4vpLimits.nonceCharsMax);
  const state = text(parameters.state, oid4vpLimits.parameterCharsMax);
  if (!responseModes.some((one) => one === mode))
    return { complaint: `wants its answer by another way than ${responseModes.join(' or ')}` };
  if (clientId === undefined) return { complaint: 'has no client_id' };
  if (responseUri === undefined) return { complaint: 'does not say where its answer goes (response_uri)' };
  if (nonce === undefined) return { complaint: 'has no nonce' };
  if (parameters.state !== undefined && state === undefined) return { complaint: 'has a state that is none' };
  const encryption = mode === 'direct_post.jwt' ? encryptionOf(asObject(metadata)) : undefined;
  if (encryption && isComplaint(encryption)) return encryption;
  const terms = { clientId, responseUri, nonce };
  return { ...terms, ...(state !== undefined && { state }), ...(encryption && { encryption }) };
}

const keysMax = 32;

function encryptionOf(metadata: Fields | undefined): AnswerEncryption | Complaint {
  const { jwks, encrypted_response_enc_values_supported: wanted = ['A128GCM'] } = metadata ?? {};
  const keys: unknown = asObject(jwks)?.keys;
  const enc = messageCiphers.find((cipher) => Array.isArray(wanted) && wanted.includes(cipher));
  const read = (Array.isArray(keys) ? keys.slice(0, keysMax) : []).map((jwk: unknown) =>
    readAnswerEncryption({ jwk, enc }),
  );
  const found = read.find((one): one is AnswerEncryption => !isComplaint(one));
  return found ?? { complaint: `has no key to encrypt an answer for by ${messageAlgorithm} over P-256` };
}

/** What of the claims of a signed request speaks against answering it now; undefined where nothing does. */
export function signedRequestProblem(
  { aud, iat, nbf, exp, wallet_nonce: returned }: Fields,
  { now, walletNonce }: { readonly now: number; readonly walletNonce?: string | undefined },
): string | undefined {
  const seconds = now / 1_000;
  const ahead = seconds + sdJwtLimits.clockSkewSeconds;
  const times = { iat, nbf, exp };
  if (Object.values(times).some((one) => one !== undefined && typeof one !== 'number'))
    return 'has a time that is none';
  if (aud !== anyWallet) return 'is for another wallet';
  if (typeof exp === 'number' && exp <= seconds) return 'has expired';
  if ((typeof iat === 'number' && iat > ahead) || (typeof nbf === 'number' && nbf > ahead))
    return 'is of the future';
  if (walletNonce !== undefined && returned !== walletNonce)
    return 'does not return the nonce of this wallet: it was not made for it';
  return undefined;
}
