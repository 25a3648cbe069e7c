/**
 * What verification sessions answer: schemas that type handlers, and the renderers of everything whose spelling is the
 * family's. The text of a signed result is made here once and never again: what is signed, stored, sent and checked is
 * that very text.
 */
import { given } from '@symbolon/core/basics/plain-values';
import { type AttributeValue, proofTypes } from '@symbolon/core/documents/model';
import type { ToldCheck } from '@symbolon/core/presentation/check-words';
import type { PresentedCredential } from '@symbolon/core/presentation/presentation-verdict';
import type { VerificationState } from '@symbolon/core/presentation/verification-states';
import * as z from 'zod';
import {
  checkReply,
  renderChecks,
  renderPresented,
  renderPresentedBeside,
} from '../credentials/presented-replies.ts';
import { documentReply } from '../credentials/verifier-replies.ts';
import { expiredWord } from '../http/family-words.ts';
import { objectEnvelope } from '../http/service-envelopes.ts';
import type { TextReply } from '../http/service-route.ts';
import { type JsonObject, stringifyJson } from '../json/json.ts';
import {
  type FieldCredential,
  type FieldResult,
  fieldCredentialReply,
  fieldMembers,
  renderFieldCredential,
} from './field-replies.ts';

export const sessionCreatedReply = z.object({
  presentationId: z.string(),
  stateId: z.string(),
  nonce: z.string(),
  status: z.string(),
  expiresAt: z.string(),
  requestUri: z.string(),
  deepLinkUrl: z.string(),
  qrCodeData: z.string(),
});

/** The scheme of links that open wallets of the family. */
const walletScheme = 'zetrix';

const apiPaths = {
  presentation: '/v1/presentation/',
  submit: '/v1/presentation/submit',
  abort: '/v1/presentation/abort',
} as const;

export interface SessionFacts {
  readonly id: string;
  readonly stateId: string;
  readonly nonce: string;
  readonly state: VerificationState;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const timeText = (ms: number): string => new Date(ms).toISOString();

export function renderCreated(
  { id, stateId, nonce, state, expiresAt }: SessionFacts,
  publicUrl: string,
): z.input<typeof sessionCreatedReply> {
  const requestUri = `${publicUrl}${apiPaths.presentation}${id}`;
  const link = `${walletScheme}://?request_uri=${requestUri}`;
  return {
    presentationId: id,
    stateId,
    nonce,
    status: state,
    expiresAt: timeText(expiresAt),
    requestUri,
    deepLinkUrl: link,
    qrCodeData: link,
  };
}

export const definitionReply = z.looseObject({
  presentation_id: z.string(),
  credential_query: documentReply,
  nonce: z.string(),
  response_uri: z.string(),
  response_mode: z.literal('direct_post'),
  state: z.string(),
  abort_uri: z.string(),
  expires_at: z.string(),
  status: z.string().optional(),
  verifier: z
    .looseObject({
      did: z
        .string()
        .optional()
        .describe('DID that its API key acts for, as the operator of this service set it'),
      name: z.string().optional().describe('What name_source calls it; nobody else has confirmed it'),
      name_source: z
        .string()
        .optional()
        .describe('operator: the operator of this service gave it this name; itself: it calls itself so'),
    })
    .optional()
    .describe('Who asks, on the word of this service'),
  purpose: z
    .string()
    .optional()
    .describe("Why it asks, in the verifier's own words: nobody has checked them"),
  presentationId: z.string().optional(),
  credentialQuery: documentReply.optional(),
  responseUri: z.string().optional(),
  responseMode: z.string().optional(),
  abortUri: z.string().optional(),
  expiresAt: z.string().optional(),
});

/** Who asks, as far as the service knows, and on whose word it is called so. */
export interface SessionAsker {
  readonly did?: string;
  readonly name?: string;
  readonly nameSource?: 'operator' | 'itself';
}

export interface SessionQuestion {
  readonly requirements: JsonObject;
  /** Absent in sessions of earlier versions. */
  readonly asker?: SessionAsker;
  readonly purpose?: string;
}

/** Clients want the first spelling, the documentation of the family shows the second. */
export function renderDefinition(
  { id, stateId, nonce, state, expiresAt }: SessionFacts,
  { requirements: credentialQuery, asker, purpose }: SessionQuestion,
  publicUrl: string,
): z.input<typeof definitionReply> {
  const [responseUri, abortUri] = [`${publicUrl}${apiPaths.submit}`, `${publicUrl}${apiPaths.abort}`];
  return {
    presentation_id: id,
    credential_query: credentialQuery,
    nonce,
    response_uri: responseUri,
    response_mode: 'direct_post',
    state: stateId,
    abort_uri: abortUri,
    expires_at: timeText(expiresAt),
    status: state,
    ...(asker && {
      verifier: given({ did: asker.did, name: asker.name, name_source: asker.nameSource }),
    }),
    ...(purpose !== undefined && { purpose }),
    presentationId: id,
    credentialQuery,
    responseUri,
    responseMode: 'direct_post',
    abortUri,
    expiresAt: timeText(expiresAt),
  };
}

/** One credential of a good presentation, as relying services read of it. */
export interface ResultCredential {
  readonly queryId: string;
  readonly id: string;
  readonly type: string;
  readonly templateId: string;
  readonly issuer: string;
  readonly holder: string;
  readonly validUntil: string;
  readonly subject: Readonly<Record<string, AttributeValue>>;
  /** All that is known of it; results that an earlier version stored have none. */
  readonly presented?: PresentedCredential;
}

/** How a session ended, as it is stored. */
export interface SessionResult extends FieldResult {
  readonly verified: boolean;
  /** By key; of several credentials by `<position>.<key>`, so that none is read as another's. */
  readonly claims: JsonObject;
  readonly credentials: readonly ResultCredential[];
  /** `<check>: <words>`; empty if verified. */
  readonly errors: readonly string[];
  /** The text that is signed, for whoever asked. */
  readonly signedText: string;
  /** The six checks in words, and how long they took; results that an earlier version stored have neither. */
  readonly checks?: readonly ToldCheck[];
  readonly tookMs?: number;
  /** When a wallet last read the request before it answered; milliseconds since 1970. */
  readonly fetchedAt?: number;
  /** By which the answer that decided is known when it comes again; it is told to nobody. */
  readonly answerHash?: string;
}

export interface ResultToSign {
  readonly id: string;
  readonly state: VerificationState;
  /** The hash of what was asked; sessions that an earlier version opened have none. */
  readonly requestHash: string | undefined;
  readonly claims?: JsonObject;
  readonly credentials?: readonly ResultCredential[];
  readonly fieldCredentials?: readonly FieldCredential[] | undefined;
}

/**
 * The text of a result: these members in this order, without spaces. Readers of the family know the first four; then
 * comes of each credential who issued it, if there is something to say, and which request it answers.
 */
export const signedResultText = ({
  id,
  state,
  requestHash,
  claims = {},
  credentials = [],
  fieldCredentials = [],
}: ResultToSign): string =>
  stringifyJson({
    presentationId: id,
    verified: state === 'VERIFIED',
    status: state,
    verifiedClaims: { ...claims },
    ...(credentials.length > 0 && {
      credentials: credentials.map(({ queryId, presented }) => ({
        queryId,
        ...(presented && renderPresented(presented)),
      })),
    }),
    ...(fieldCredentials.length > 0 && { fieldCredentials: fieldCredentials.map(renderFieldCredential) }),
    ...(requestHash !== undefined && { requestHash }),
  });

/**
 * Proof that this service said something at a time: a shared secret's, if there is one, and the service's own key's.
 */
export interface ResultSignatures {
  readonly timestamp: string;
  readonly shared: string | undefined;
  readonly own: string;
}

/** What both kinds of signature cover. */
export const signedPayload = (timestamp: string, text: string): string => `${timestamp}.${text}`;

export const signatureHeaders = ({ timestamp, shared, own }: ResultSignatures): Record<string, string> => ({
  'X-Callback-Timestamp': timestamp,
  ...(shared !== undefined && { 'X-Callback-Signature': shared }),
  'X-Result-Signature': own,
});

/** The same for the document. */
export const signatureHeaderShapes = [
  {
    name: 'X-Callback-Timestamp',
    description: 'When the result was signed, RFC 3339; part of what is signed',
  },
  {
    name: 'X-Callback-Signature',
    description: 'HMAC-SHA256 with the callback secret of the verifier, base64; absent where there is none',
  },
  {
    name: 'X-Result-Signature',
    description:
      'Detached JWS of the service over timestamp, a dot and the text; its key is in /.well-known/jwks.json',
  },
] as const;

/** What browsers may read of these. */
export const signatureHeaderNames = [
  'x-callback-signature',
  'x-callback-timestamp',
  'x-result-signature',
] as const;

/** Of each credential what `renderResultCredential` tells. */
export const resultCredential = z
  .looseObject({
    query_id: z.string(),
    id: z.string(),
    type: z.string().optional(),
    template_id: z.string().optional(),
    template_name: z.string().optional(),
    template_version: z.string().optional(),
    issuer: z.string().optional(),
    issuer_name: z.string().optional(),
    issuer_name_source: z.string().optional(),
    issuer_trust: z.string().optional(),
    holder: z.string().optional(),
    valid_from: z.string().optional(),
    valid_until: z.string().optional(),
    status: z
      .looseObject({ state: z.string(), ledger_seq: z.string().optional(), since: z.string().optional() })
      .optional(),
    revealed: z.record(z.string(), z.unknown()).optional(),
    ranges: z
      .array(
        z.looseObject({
          attribute: z.string(),
          min: z.unknown().optional(),
          max: z.unknown().optional(),
          text: z.string().optional(),
          age: z.looseObject({ min_age: z.number().optional(), max_age: z.number().optional() }).optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'SessionCredential', description: 'A credential that answered a session.' });

export const answerReply = z.looseObject({
  response: z.string(),
  verified: z.boolean(),
  status: z.string(),
  signed_result: z.string().describe('What was found, as JSON text: exactly this text is signed'),
  errors: z.array(z.string()).optional(),
  credentials: z.array(resultCredential).optional(),
});

export function renderSubmitted(
  state: VerificationState,
  { verified, signedText, errors, credentials }: SessionResult,
  signatures: ResultSignatures,
): TextReply {
  const body = objectEnvelope.success({
    response: verified ? 'The presentation is verified' : 'The presentation is not verified',
    verified,
    status: state,
    signed_result: signedText,
    errors: [...errors],
    credentials: credentials.map(renderResultCredential),
  });
  return {
    contentType: 'application/json; charset=utf-8',
    text: stringifyJson(body),
    headers: signatureHeaders(signatures),
  };
}

/** The type that every credential has stands for a name that is not shown: it looks like another's. */
const shownType = (type: string, presented: PresentedCredential | undefined): string =>
  presented && presented.template.name === undefined ? 'VerifiableCredential' : type;

export const renderResultCredential = ({
  queryId,
  id,
  type,
  templateId,
  issuer,
  holder,
  validUntil,
  presented,
}: ResultCredential) => ({
  query_id: queryId,
  id,
  type: shownType(type, presented),
  template_id: templateId,
  issuer,
  holder,
  valid_until: validUntil,
  ...(presented && renderPresentedBeside(presented)),
});

/** Who may end a session without an answer. */
export const sessionAborters = ['verifier', 'wallet'] as const;
export type SessionAborter = (typeof sessionAborters)[number];

export const abortReply = z.object({ presentation_id: z.string(), status: z.string() });

export const renderAborted = (id: string): z.input<typeof abortReply> => ({
  presentation_id: id,
  status: 'ABORTED',
});

export const connectionReply = z.object({ message: z.string(), clientName: z.string() });
export const callbackSecretReply = z.object({
  callbackSecretKey: z
    .string()
    .describe('Secret with which results are signed for the caller; shown this once'),
});
export const jwksReply = z.object({
  keys: z.array(
    z.looseObject({
      kty: z.string(),
      kid: z.string(),
      crv: z.string().optional(),
      x: z.string().optional(),
      use: z.string().optional(),
      alg: z.string().optional(),
    }),
  ),
});
/** What one event of a session says. */
export const eventsReply = z
  .looseObject({
    presentation_id: z.string(),
    state_id: z.string(),
    status: z.string(),
    verified: z.boolean().optional(),
    signed_result: z.string().optional(),
    errors: z.array(z.string()).optional(),
    credentials: z.array(resultCredential).optional(),
    field_credentials: z.array(fieldCredentialReply).optional(),
    checks: z.array(checkReply).optional(),
    took_ms: z.int().optional(),
    timestamp: z.string().optional(),
    signature: z.string().optional(),
    result_signature: z.string().optional(),
    attempts: z.int().optional(),
    problem: z.string().optional(),
    next_attempt_at: z.string().optional(),
  })
  .describe('Server-sent events: status, then result; where it is asked for, callback behind it');

export interface EndedSession extends Pick<SessionFacts, 'id' | 'stateId' | 'state'> {
  /** Without one nobody submitted. */
  readonly result?: SessionResult;
}

/** What is posted to the callback address of a session that ended; every value stands where it is needed. */
export function renderCallback({ id, stateId, state, result }: EndedSession, nowMs: number): string {
  const verified = state === 'VERIFIED';
  return stringifyJson({
    presentation_id: id,
    state_id: stateId,
    status: state,
    verified,
    timestamp: nowMs,
    credentials: (result?.credentials ?? []).map((credential) => ({
      ...renderResultCredential(credential),
      credential_subject: { id: credential.holder, ...credential.subject },
      proof_types: [proofTypes.derived],
    })),
    ...fieldMembers(result),
    verified_claims: { ...result?.claims },
    ...(!verified && { error_message: errorMessage(state, result) }),
    verification_results: [...(result?.errors ?? [])],
  });
}

function errorMessage(state: VerificationState, result: SessionResult | undefined): string {
  if (state === 'EXPIRED') return expiredWord;
  return result?.errors[0] ?? `the session is ${state}`;
}

export const eventNames = { change: 'status', last: 'result', callback: 'callback' } as const;

/** An event of a stream. The last one carries the result and its signatures. */
export function renderEvent(session: EndedSession, signatures: ResultSignatures | undefined): string {
  const { id, stateId, state, result } = session;
  const data = {
    presentation_id: id,
    state_id: stateId,
    status: state,
    ...(result && {
      verified: result.verified,
      signed_result: result.signedText,
      errors: [...result.errors],
      credentials: result.credentials.map(renderResultCredential),
      ...fieldMembers(result),
      ...(result.checks && { checks: renderChecks(result.checks) }),
      ...(result.tookMs !== undefined && { took_ms: result.tookMs }),
    }),
    ...(signatures && {
      timestamp: signatures.timestamp,
      ...(signatures.shared !== undefined && { signature: signatures.shared }),
      result_signature: signatures.own,
    }),
  };
  return `event: ${signatures ? eventNames.last : eventNames.change}\ndata: ${stringifyJson(data)}\n\n`;
}

export interface DeliveryFacts {
  readonly sessionId: string;
  readonly state: 'waiting' | 'delivered' | 'abandoned';
  readonly attempts: number;
  readonly nextAttemptAt: number;
  readonly problem: string | null;
}

/** How far the callback of a session has come: `status` is waiting, delivered or abandoned. */
export function renderCallbackAttempt(stateId: string, delivery: DeliveryFacts): string {
  const { sessionId, state, attempts, nextAttemptAt, problem } = delivery;
  const data = {
    presentation_id: sessionId,
    state_id: stateId,
    status: state,
    attempts,
    ...(problem !== null && { problem }),
    ...(state === 'waiting' && { next_attempt_at: timeText(nextAttemptAt) }),
  };
  return `event: ${eventNames.callback}\ndata: ${stringifyJson(data)}\n\n`;
}

export const heartbeat = ': still here\n\n';
