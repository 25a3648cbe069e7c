/** Requests about events and webhooks: their shapes and bounds, and what is replied about webhooks. */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { eventLimits, sessionLimits } from '@symbolon/core/limits/waiting';
import * as z from 'zod';
import { paging } from '../credentials/schemas.ts';
import { instant, maybe, strict, text, type WithBody } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';

/** Ids of events are whole numbers that only grow. */
const eventIdPattern = /^(0|[1-9][0-9]{0,14})$/;
const eventId = z
  .string({ error: 'must be the id of an event, as text' })
  .regex(eventIdPattern, 'must be the id of an event');

const place = {
  after: eventId.optional(),
  from: z.literal('start', { error: 'must be start' }).optional(),
};

export const eventPlace = z.object(place);
const { pageItemsMax, pageItemsDefault } = credentialRequestLimits;
export const eventPage = z.object({
  after: place.after,
  from: z.literal('end', { error: 'must be end' }).optional(),
  limit: z
    .string()
    .regex(/^[1-9][0-9]{0,2}$/, `must be a number from 1 to ${pageItemsMax}`)
    .refine((digits) => Number(digits) <= pageItemsMax, `must be at most ${pageItemsMax}`)
    .optional(),
});

export const lastEventIdHeader = 'last-event-id';
export const lastEventIdPointer = `/headers/${lastEventIdHeader}`;

/** Where a stream begins: behind an event, or with what comes. */
export function readEventPlace({ after, from }: z.output<typeof eventPlace>): { readonly after?: number } {
  if (after !== undefined && from !== undefined) throw bothPlaces();
  if (from === 'start') return { after: 0 };
  return after === undefined ? {} : { after: Number(after) };
}

/** What a client that comes back says, as browsers do; undefined where it says nothing. */
export function readLastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (!eventIdPattern.test(header)) throw malformedAt(lastEventIdPointer, 'must be the id of an event');
  return Number(header);
}

/** Without a place a page begins with the first event; `from=end` has none and says where the end is. */
export function readEventPage({ after, from, limit }: z.output<typeof eventPage>) {
  if (after !== undefined && from !== undefined) throw bothPlaces();
  return {
    ...(from === undefined && { after: Number(after ?? '0') }),
    limit: limit === undefined ? pageItemsDefault : Number(limit),
  };
}

const bothPlaces = () => malformedAt('/query/from', 'must not be given beside after');

const webhookName = text(eventLimits.webhookNameCharsMax).regex(
  /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
  'must be letters, digits, dots, underscores and hyphens',
);
export const webhookPath = z.object({ name: webhookName });
export const webhookOrder = strict({
  name: webhookName,
  callbackUrl: text(sessionLimits.callbackUrlCharsMax),
  after: maybe(eventId),
});

export const readWebhookOrder = ({
  body: { name, callbackUrl, after },
}: WithBody<typeof webhookOrder>): WebhookOrder => ({
  name,
  callbackUrl,
  ...(after !== undefined && { after: Number(after) }),
});

export interface WebhookOrder {
  readonly name: string;
  readonly callbackUrl: string;
  readonly after?: number;
}

export const webhookReply = z.object({
  name: z.string(),
  keyId: z.string(),
  receiver: z.string(),
  state: z.string(),
  lastId: z.string(),
  attempts: z.number(),
  problem: z.string().optional(),
  nextAttemptAt: instant.optional(),
  deliveredAt: instant.optional(),
});
export const webhooksReply = z.object({ webhooks: z.array(webhookReply) });
export const webhookRemovalReply = z.object({ name: z.string() });

export const deliveryPath = webhookPath.extend({
  id: text(credentialRequestLimits.nameCharsMax).regex(/^[0-9a-f-]{36}$/, 'must be the id of a delivery'),
});
export const deliveryPage = z.object(paging);

export const deliveryReply = z.object({
  id: z.string(),
  time: instant,
  isTaken: z.boolean(),
  isResent: z.boolean(),
  attempt: z.number(),
  firstId: z.string(),
  lastId: z.string(),
  events: z.number(),
  status: z.number().optional(),
  problem: z.string().optional(),
  ms: z.number(),
});
export const deliveriesReply = z.object({
  deliveries: z.array(deliveryReply),
  nextCursor: z.string().optional(),
});
