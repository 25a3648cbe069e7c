/** Requests about one's own API keys and calls: their shapes and bounds, and what is replied. */
import { ownKeyLimits } from '@symbolon/core/limits/directory';
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { paging } from '../credentials/schemas.ts';
import { instant, list, maybe, missingOr, strict, text, type WithBody } from '../http/schema-parts.ts';
import { apiScopes } from '../http/service-route.ts';

/** The part of a key between the underscores: it opens nothing. */
const apiKeyId = text(limits.nameCharsMax).regex(/^[a-z2-7]{8}$/, 'must be the id of an API key');

export const apiKeyPath = z.object({ id: apiKeyId });
export const apiKeyPage = z.object(paging);
const { validSecondsMin, validSecondsMax } = ownKeyLimits;
const validSecondsForm = `must be a whole number from ${validSecondsMin} to ${validSecondsMax}`;
export const apiKeyOrder = strict({
  label: text(ownKeyLimits.labelCharsMax),
  scopes: list(
    z.enum(apiScopes, { error: missingOr(`must be one of ${apiScopes.join(', ')}`) }),
    apiScopes.length,
  ),
  validSeconds: maybe(
    z
      .int({ error: validSecondsForm })
      .min(validSecondsMin, validSecondsForm)
      .max(validSecondsMax, validSecondsForm),
  ),
});

export const readApiKeyOrder = ({ body: { label, scopes, validSeconds } }: WithBody<typeof apiKeyOrder>) => ({
  label,
  scopes,
  ...(validSeconds !== undefined && { validSeconds }),
});

export const apiKeyReply = z.object({
  id: z.string(),
  label: z.string(),
  did: z.string().optional(),
  scopes: z.array(z.enum(apiScopes)),
  isOwn: z.boolean(),
  createdAt: instant,
  expiresAt: instant.optional(),
  endedAt: instant.optional(),
  lastUsedAt: instant.optional(),
  madeBy: z.string().optional(),
});
export const apiKeysReply = z.object({ keys: z.array(apiKeyReply), nextCursor: z.string().optional() });
export const madeApiKeyReply = apiKeyReply.extend({ apiKey: z.string() });
export const apiKeyEndReply = z.object({ id: z.string() });

export const requestFilter = z.object({ key: apiKeyId.optional(), ...paging });

export const loggedRequestsReply = z.object({
  requests: z.array(
    z.object({
      time: instant,
      method: z.string(),
      operation: z.string(),
      path: z.string().optional(),
      status: z.number(),
      code: z.string(),
      ms: z.number(),
      requestId: z.string(),
    }),
  ),
  nextCursor: z.string().optional(),
});
