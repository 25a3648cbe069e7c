/**
 * Requests by OpenID4VP as a wallet reads them: the link, the signed request that it names, who has signed it. Nothing is
 * answered here; a request that is not what it should be ends before anything of the holder is known to anybody.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { isJwsSignedBy, parseCompactJws } from '@symbolon/formats/jose/compact-jws';
import { signatureAlgorithms } from '@symbolon/formats/jose/public-keys';
import { parseSignedObject } from '@symbolon/formats/jose/strict-json';
import { oid4vpLimits } from '@symbolon/formats/limits/oid4vp-limits';
import { requestObjectMedia, requestObjectType } from '@symbolon/formats/oid4vp/request-objects';
import {
  type AskedPresentation,
  readRequestParameters,
  signedRequestProblem,
  splitClientId,
} from '@symbolon/formats/oid4vp/request-reading';
import { SdkError } from '../errors/errors.ts';
import { isReadOnTheWay } from '../transport/plain-http.ts';
import { linkParameters } from './credential-offers.ts';
import { unreadable } from './openid-json.ts';
import {
  type CheckVerifierChain,
  findVerifier,
  type KnownVerifier,
  type VerifierQuestion,
} from './verifier-identity.ts';
import type { WalletFacts } from './wallet-facts.ts';
import type { WalletWeb } from './wallet-web.ts';

/** A request that was read and verified, and not answered. Plain data. */
export interface OpenedPresentationRequest extends AskedPresentation {
  readonly verifier: KnownVerifier;
}

export interface RequestReading {
  readonly web: WalletWeb;
  readonly facts: WalletFacts;
  readonly checkCertificates: CheckVerifierChain | undefined;
  /** Types of transactions that whoever asks the holder knows how to tell; `any` where all of each is told. */
  readonly transactionTypes: readonly string[] | 'any';
  readonly allowPlainHttp: boolean;
}

const what = 'the request';
const linkHint = 'Take the whole link as it was sent: openid4vp://?client_id=…&request_uri=…';

const notARequest = (why: string): SdkError =>
  new SdkError('invalidArgument', `this is not the link of a presentation request: ${why}`, {
    hint: linkHint,
  });

/** Whether a request is one for wallets of the field; our own name no client. */
export function isFieldRequestLink(link: string): boolean {
  const parameters = /^[a-z][a-z0-9+.-]*:[^?#]*\?([^#]*)/i.exec(link.trim())?.[1];
  return new URLSearchParams(parameters ?? '').has('client_id');
}

export async function readPresentationRequest(
  link: string,
  reading: RequestReading,
): Promise<OpenedPresentationRequest> {
  const parameters = linkParameters(link, notARequest);
  const clientId = parameters.get('client_id');
  if (clientId === null) throw notARequest('it names no client_id');
  const client = splitClientId(clientId);
  if (!client)
    throw new SdkError('openidRefused', 'the verifier is named in a way that is not known here', {
      hint: 'Nothing was sent. Known are x509_san_dns, x509_hash, decentralized_identifier and redirect_uri.',
    });
  const { prefix, name } = client;
  const opened =
    prefix === 'redirect_uri'
      ? openUnsigned(parameters, name, reading)
      : await openSigned(parameters, { prefix, name, clientId }, reading);
  refuseUnknownTransactions(opened, reading);
  return opened;
}

function refuseUnknownTransactions(
  { agreements }: AskedPresentation,
  { transactionTypes }: Pick<RequestReading, 'transactionTypes'>,
): void {
  const unknown = agreements.find(
    ({ type }) => transactionTypes !== 'any' && !transactionTypes.includes(type),
  );
  if (unknown)
    throw new SdkError('openidRefused', 'the verifier wants agreement to what is not understood here', {
      hint: 'Nothing was sent. Name the types that can be told to the holder: transactionTypes.',
    });
}

/** An address for an answer: nobody else may read what goes there. */
function responseAddress(text: string, { allowPlainHttp }: Pick<RequestReading, 'allowPlainHttp'>): URL {
  const url = URL.parse(text);
  const isPlain = url && url.username === '' && url.password === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw unreadable(what, 'wants its answer sent to no http address');
  if (!allowPlainHttp && isReadOnTheWay(url.href))
    throw unreadable(what, 'wants its answer sent where others can read it');
  return url;
}

const orRefuse = <Value extends object>(read: Value | Complaint): Value => {
  if (isComplaint(read)) throw unreadable(what, read.complaint);
  return read;
};

/** All of it stands in the link, and whoever wrote that may be anybody: the one thing that is sure is where it goes. */
function openUnsigned(
  parameters: URLSearchParams,
  name: string,
  reading: RequestReading,
): OpenedPresentationRequest {
  if (parameters.has('request_uri') || parameters.has('request'))
    throw unreadable(what, 'is signed by somebody who names no key');
  const asked = orRefuse(readRequestParameters(fieldsOf(parameters)));
  const { clientId, responseUri } = asked.terms;
  const { host } = responseAddress(responseUri, reading);
  if (name !== responseUri) throw unreadable(what, 'wants its answer sent elsewhere than its client_id says');
  return { ...asked, verifier: { clientId, host, knownBy: 'nobody' } };
}

const jsonParameters: readonly string[] = ['dcql_query', 'client_metadata'];

function fieldsOf(parameters: URLSearchParams): Fields {
  const fields = [...parameters].map(([name, value]): [string, unknown] => {
    if (name === 'transaction_data') return [name, parseSignedObject(`{"all":${value}}`)?.all];
    return [name, jsonParameters.includes(name) ? (parseSignedObject(value) ?? value) : value];
  });
  return Object.fromEntries(fields);
}

async function openSigned(
  parameters: URLSearchParams,
  client: Pick<VerifierQuestion, 'prefix' | 'name' | 'clientId'>,
  reading: RequestReading,
): Promise<OpenedPresentationRequest> {
  const { facts, checkCertificates: checkChain } = reading;
  const { text, walletNonce } = await signedText(parameters, reading.web);
  if (text.length > oid4vpLimits.requestCharsMax) throw unreadable(what, 'is too long');
  const token = parseCompactJws(text, { typ: requestObjectType, algorithms: signatureAlgorithms });
  if (isComplaint(token)) throw unreadable(what, token.complaint);
  const { header, payload } = token;
  if (payload.client_id !== client.clientId)
    throw unreadable(what, 'is of another verifier than its link says');
  const asked = orRefuse(readRequestParameters(payload));
  const responseUri = responseAddress(asked.terms.responseUri, reading);
  const found = orRefuse(await findVerifier({ ...client, header, responseUri }, { facts, checkChain }));
  if (!(await isJwsSignedBy(token, found.key, facts.verifySignature)))
    throw unreadable(what, 'is not signed by the verifier that it names');
  const problem = signedRequestProblem(payload, { now: facts.now(), walletNonce });
  if (problem !== undefined) throw unreadable(what, problem);
  return { ...asked, verifier: found.verifier };
}

interface SignedText {
  readonly text: string;
  readonly walletNonce?: string;
}

/** Said to verifiers that ask what this wallet can; the same of every wallet of this kind, so that it tells none apart. */
const walletMetadata = JSON.stringify({
  vp_formats_supported: {
    'dc+sd-jwt': { 'sd-jwt_alg_values': signatureAlgorithms, 'kb-jwt_alg_values': ['ES256'] },
    ldp_vc: {
      proof_type_values: ['DataIntegrityProof'],
      cryptosuite_values: ['bbs-2023', 'eddsa-rdfc-2022', 'ecdsa-rdfc-2019'],
    },
  },
  client_id_prefixes_supported: ['x509_san_dns', 'x509_hash', 'decentralized_identifier', 'redirect_uri'],
  request_object_signing_alg_values_supported: signatureAlgorithms,
  response_types_supported: ['vp_token'],
  response_modes_supported: ['direct_post', 'direct_post.jwt'],
});

async function signedText(parameters: URLSearchParams, web: WalletWeb): Promise<SignedText> {
  const [given, url] = [parameters.get('request'), parameters.get('request_uri')];
  if ((given === null) === (url === null))
    throw notARequest('it has to have exactly one of request and request_uri');
  if (given !== null) return { text: given };
  const method = parameters.get('request_uri_method') ?? 'get';
  if (method !== 'get' && method !== 'post') throw unreadable(what, 'is to be fetched in an unknown way');
  const walletNonce = method === 'post' ? crypto.randomUUID() : undefined;
  const headers = { accept: requestObjectMedia };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, type, text } = await web.call({
    ...{ method: method === 'post' ? 'POST' : 'GET', url: url as string, place: what },
    headers: { ...headers, ...(method === 'post' && form) },
    ...(walletNonce !== undefined && {
      body: new URLSearchParams({
        wallet_nonce: walletNonce,
        wallet_metadata: walletMetadata,
      }).toString(),
    }),
  });
  if (status !== 200)
    throw new SdkError('openidRefused', `there is no such request any more (${status})`, {
      hint: 'It may be over or answered. Ask the verifier for a new one.',
    });
  if (type !== requestObjectMedia) throw unreadable(what, 'is of another media type than a signed request');
  return { text: text.trim(), ...(walletNonce !== undefined && { walletNonce }) };
}
