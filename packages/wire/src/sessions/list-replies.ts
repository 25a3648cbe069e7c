/** What a verifier is answered about its own sessions: all of them, and one with how it ended. */
import * as z from 'zod';
import { checkReply, renderChecks } from '../credentials/presented-replies.ts';
import { page } from '../credentials/replies.ts';
import { documentReply } from '../credentials/verifier-replies.ts';
import { instant } from '../http/schema-parts.ts';
import { type FieldCredential, fieldCredentialReply, renderFieldCredential } from './field-replies.ts';
import {
  type ResultSignatures,
  renderResultCredential,
  resultCredential,
  type SessionAborter,
  type SessionFacts,
  type SessionQuestion,
  type SessionResult,
  sessionAborters,
} from './replies.ts';

const timeText = (ms: number): string => new Date(ms).toISOString();

const listedSession = {
  presentationId: z.string(),
  stateId: z.string(),
  status: z.string(),
  abortedBy: z
    .enum(sessionAborters)
    .optional()
    .describe('Of an aborted session: whether you ended it, with your key, or a wallet that had read it'),
  purpose: z.string().optional().describe('Why you asked'),
  createdAt: instant.describe('When the session was opened, RFC 3339'),
  updatedAt: instant,
  expiresAt: instant,
};

export const sessionListReply = z.object({
  sessions: z.array(z.object(listedSession)).describe('Sessions that this API key has opened'),
  ...page,
});

export const deliveryStates = ['waiting', 'delivered', 'abandoned'] as const;

export const sessionDetailsReply = z.object({
  ...listedSession,
  requirements: documentReply.describe('What was asked for, as wallets fetch it'),
  requestUri: z.string().optional().describe('While it is open: where a wallet fetches the request'),
  qrCodeData: z.string().optional().describe('While it is open: what its QR code says'),
  callback: z
    .object({
      state: z.enum(deliveryStates),
      attempts: z.int(),
      lastAttemptAt: instant.nullable(),
      nextAttemptAt: instant.nullable().describe('Null where no further one is made'),
      problem: z.string().nullable().describe('Why the last attempt failed'),
    })
    .optional()
    .describe('How far the callback has come, where one was asked for'),
  result: z
    .object({
      verified: z.boolean(),
      signedResult: z.string().describe('What was found, as JSON text: exactly this text is signed'),
      errors: z.array(z.string()),
      credentials: z.array(resultCredential),
      fieldCredentials: z
        .array(fieldCredentialReply)
        .optional()
        .describe('Credentials in formats of the field, where they were asked for by OpenID4VP'),
      fieldChecks: z
        .array(
          z.object({
            queryId: z.string(),
            format: z.string(),
            checks: z.array(
              z.object({
                name: z.string(),
                title: z.string(),
                passed: z.boolean().nullable(),
                words: z.string(),
              }),
            ),
          }),
        )
        .optional()
        .describe('What was looked at of each of these, in words'),
      checks: z.array(checkReply).optional().describe('The six checks in their order, passed or not'),
      tookMs: z.int().optional().describe('How long the verdict took, in milliseconds'),
      fetchedAt: instant.optional().describe('When a wallet last read the request before it answered'),
      timestamp: z.string().describe('When the result was found, RFC 3339; part of what is signed'),
      signature: z.string().optional().describe('HMAC-SHA256 with your callback secret, base64'),
      resultSignature: z.string().describe('Detached JWS of the service over timestamp, a dot and the text'),
    })
    .optional()
    .describe('How it ended, as long as that is kept'),
});

/** A session as its verifier reads it in a list. */
export interface ListedSession extends SessionFacts, Pick<SessionQuestion, 'purpose'> {
  readonly abortedBy: SessionAborter | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const renderListed = (session: ListedSession) => ({
  presentationId: session.id,
  stateId: session.stateId,
  status: session.state,
  ...(session.abortedBy !== null && { abortedBy: session.abortedBy }),
  ...(session.purpose !== undefined && { purpose: session.purpose }),
  createdAt: timeText(session.createdAt),
  updatedAt: timeText(session.updatedAt),
  expiresAt: timeText(session.expiresAt),
});

const renderFieldReply = (credential: FieldCredential) =>
  renderFieldCredential(credential) as z.input<typeof fieldCredentialReply>;

export const renderResult = (
  { verified, signedText, errors, credentials, checks, tookMs, fetchedAt, ...field }: SessionResult,
  { timestamp, shared, own }: ResultSignatures,
) => ({
  verified,
  signedResult: signedText,
  errors: [...errors],
  credentials: credentials.map(renderResultCredential),
  ...(field.fieldCredentials && { fieldCredentials: field.fieldCredentials.map(renderFieldReply) }),
  ...(field.fieldChecks && {
    fieldChecks: field.fieldChecks.map(({ queryId, format, checks: told }) => ({
      ...{ queryId, format },
      checks: told.map((check) => ({ ...check })),
    })),
  }),
  ...(checks && { checks: renderChecks(checks) }),
  ...(tookMs !== undefined && { tookMs }),
  ...(fetchedAt !== undefined && { fetchedAt: timeText(fetchedAt) }),
  timestamp,
  ...(shared !== undefined && { signature: shared }),
  resultSignature: own,
});
