/**
 * The two sides of the x401 protocol as its public libraries do it, made from the reference's tables alone (§1.7, §1.8,
 * §6.1, §6.2): what they send, what they insist on, and in which order they check. The resource server knows a base
 * address, an API key and a secret; the wallet knows a base address and its key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '@symbolon/wire/json/json';
import { getService, postService, type ServiceAnswer } from './service-http.ts';

export interface ResourceServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly callbackSecret: string;
}

export interface Challenge {
  readonly presentationId: string;
  readonly nonce: string;
  readonly expiresAt: string;
}

const objectOf = ({ body }: ServiceAnswer): JsonObject => body.object as JsonObject;
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function nonBlank(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value !== 'string' || value.trim() === '') throw new Error('REQUEST_CREATE_FAILED');
  return value;
}

/** `X401Verifier.challenge`: opens a session and makes the header PROOF-REQUEST of a 401 answer. */
export async function challenge(
  { baseUrl, apiKey }: ResourceServer,
  requirements: JsonObject,
  more: JsonObject = {},
): Promise<Challenge & { readonly header: string }> {
  const body = { requirements, callbackUrl: null, ...more };
  const answer = await postService(baseUrl, '/v1/verification/request', body, { apiKey });
  if (answer.status < 200 || answer.status > 299)
    throw new Error(`REQUEST_CREATE_FAILED ${answer.status} ${answer.text}`);
  const object = objectOf(answer);
  const [presentationId, nonce, expiresAt] = ['presentationId', 'nonce', 'expiresAt'].map((name) =>
    nonBlank(object, name),
  );
  const requestUri = `${baseUrl}/v1/presentation/${presentationId}`;
  const header = base64url({
    verification_data: { requestUri, nonce, expiresAt },
    credential_requirements: requirements,
    request_id: presentationId,
    nonce,
    request_uri: requestUri,
  });
  return { presentationId, nonce, expiresAt, header };
}

/** `X401Verifier.verify`: the answer's word on the header PROOF-RESPONSE, `ok` or the code of the first check that fails. */
export function verifyProofResponse(
  { callbackSecret }: ResourceServer,
  header: string,
  { expectedId, nowMs }: { readonly expectedId: string; readonly nowMs: number },
): string {
  const read = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as Record<string, unknown>;
  const { payload, signature, timestamp } = read;
  if (typeof payload !== 'string' || typeof signature !== 'string' || typeof timestamp !== 'string')
    return 'MALFORMED_PROOF_RESPONSE';
  const expected = createHmac('sha256', callbackSecret).update(`${timestamp}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'BAD_SIGNATURE';
  if (!(Math.abs(nowMs - Date.parse(timestamp)) <= 300_000)) return 'STALE_TIMESTAMP';
  const result = JSON.parse(payload) as Record<string, unknown>;
  if (result.presentationId !== expectedId) return 'SESSION_MISMATCH';
  return result.verified === true && result.status === 'VERIFIED' ? 'ok' : 'PROOF_NOT_VERIFIED';
}

export interface Wallet {
  readonly baseUrl: string;
  /** Headers that show who the wallet is; without them it sends none. */
  readonly headers?: Record<string, string>;
}

export interface Definition {
  readonly presentationId: string;
  readonly credentialQuery: JsonObject;
  readonly nonce: string;
  readonly responseUri: string;
}

/** `fetchDefinition`. */
export async function fetchDefinition({ baseUrl }: Wallet, id: string): Promise<Definition> {
  const answer = await getService(baseUrl, `/v1/presentation/${encodeURIComponent(id)}`);
  const object = answer.status === 200 ? objectOf(answer) : {};
  const { presentation_id: presentationId, credential_query: credentialQuery, nonce, response_uri } = object;
  const isGood =
    presentationId === id &&
    typeof credentialQuery === 'object' &&
    credentialQuery !== null &&
    typeof nonce === 'string' &&
    typeof response_uri === 'string';
  if (!isGood) throw new Error(`DEFINITION_FETCH_FAILED ${answer.status}`);
  return {
    presentationId: id,
    credentialQuery: credentialQuery as JsonObject,
    nonce: nonce as string,
    responseUri: response_uri as string,
  };
}

export interface Submission {
  readonly vpToken: JsonObject | string;
  readonly holderBinding?: { readonly signBlob: string; readonly publicKey: string };
}

/** The body that a wallet posts, with the placeholder of a submission. */
export const submissionBody = (id: string, { vpToken, holderBinding }: Submission): JsonObject => ({
  presentation_id: id,
  vp_token: vpToken,
  presentation_submission: { id: 'submission', definition_id: id, descriptor_map: [] },
  ...(holderBinding && { holder_binding: { ...holderBinding } }),
  ed25519_public_key: '',
  bbs_public_key: '',
});

export async function postSubmission(
  { baseUrl, headers }: Wallet,
  { presentationId, responseUri }: Pick<Definition, 'presentationId' | 'responseUri'>,
  submission: Submission,
): Promise<ServiceAnswer> {
  const uri = new URL(responseUri);
  if (uri.origin !== new URL(baseUrl).origin) throw new Error('SUBMIT_FAILED another origin');
  const body = submissionBody(presentationId, submission);
  return postService(uri.origin, uri.pathname, body, { headers });
}

/** `submit` and the rest of `respondToChallenge`: the header PROOF-RESPONSE. */
export function proofResponseOf({ status, body, headers, text }: ServiceAnswer): string {
  const payload = (body.object as JsonObject | null)?.signed_result;
  const [signature, timestamp] = [headers['x-callback-signature'], headers['x-callback-timestamp']];
  if (status !== 200 || typeof payload !== 'string' || !signature || !timestamp)
    throw new Error(`SUBMIT_FAILED ${status} ${text}`);
  const result = JSON.parse(payload) as Record<string, unknown>;
  const isGood =
    typeof result.presentationId === 'string' &&
    typeof result.verified === 'boolean' &&
    typeof result.status === 'string';
  if (!isGood) throw new Error('SUBMIT_FAILED malformed result');
  return base64url({ payload, signature, timestamp });
}
