/** What the service replies in the authorization code flow. */
import * as z from 'zod';
import { instant } from '../http/schema-parts.ts';
import { anyDocument } from './issuance-replies.ts';

export const openidLoginReply = z.object({
  loginUrl: z.string().optional().describe('Absent where you have no login: nobody can log in then'),
  templateIds: z.array(z.string()),
  updatedAt: instant.optional(),
});

const state = z.enum(['begun', 'granted', 'denied', 'answered', 'expired']);

export const authorizationReply = z.object({
  state,
  clientId: z.string(),
  redirectUri: z.string(),
  templateId: z.string(),
  templateVersion: z.string(),
  configurations: z.array(z.string()),
  offerId: z.string().optional(),
  expiresAt: instant,
});

export const authorizationDecidedReply = z.object({
  state,
  continueUrl: z
    .string()
    .describe('Where you send the browser: good once, and only in the browser that began; told only here'),
  expiresAt: instant,
  offerId: z.string().optional(),
  vcId: z.string().optional(),
  ed25519Blob: z
    .string()
    .optional()
    .describe(
      'What you sign by the route for offers: hex. Absent where it is signed already, or nothing is granted',
    ),
  unsigned: anyDocument.optional(),
});

export const pushedReply = z.object({ request_uri: z.string(), expires_in: z.number() });
export const sentOnReply = z.string();
