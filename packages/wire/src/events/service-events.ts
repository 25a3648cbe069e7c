/**
 * What the service tells of as it happens (`docs/events.md`): one vocabulary for streams, pages and webhooks. An event
 * says what was done to which id and nothing that describes a person.
 */
import * as z from 'zod';
import { instant } from '../http/schema-parts.ts';
import { type JsonObject, stringifyJson } from '../json/json.ts';

export const serviceEventNames = [
  'template.registered',
  'application.received',
  'application.approved',
  'application.rejected',
  'offer.accepted',
  'offer.locked',
  'credential.issued',
  'credential.revoked',
  'credential.suspended',
  'credential.reinstated',
  'payment.settled',
  'payment.failed',
  'verification.requested',
  'verification.verified',
  'verification.failed',
  'verification.aborted',
  'verification.expired',
] as const;

/** What an event is called. */
export type ServiceEventName = (typeof serviceEventNames)[number];

/** Readers pass over names that they do not know: a newer service may have more. */
const eventName = z.string() as unknown as z.ZodType<ServiceEventName | (string & {}), string>;

export const serviceEvent = z
  .looseObject({
    id: z.string(),
    event: eventName,
    time: instant,
    subject: z.string(),
    issuer: z.string().optional(),
    verifier: z.string().optional(),
    templateId: z.string().optional(),
    version: z.string().optional(),
    vcId: z.string().optional(),
    txHash: z.string().optional(),
  })
  .meta({ id: 'ServiceEvent', description: 'Something that was done at the service.' });

/** One event of the service: what was done, when, and to what. */
export type ServiceEvent = z.output<typeof serviceEvent>;

export const eventsPage = z.object({ events: z.array(serviceEvent), lastId: z.string() });

/** The name of what a stream begins with: it says where, and tells of nothing. */
export const openingEvent = 'open';

/** Whoever is cut off before the first event goes on from here. */
export const renderOpening = (id: string): string =>
  `id: ${id}\nevent: ${openingEvent}\ndata: ${stringifyJson({ id })}\n\n`;

export const renderServiceEvent = (event: ServiceEvent): string =>
  `id: ${event.id}\nevent: ${event.event}\ndata: ${stringifyJson(event as JsonObject)}\n\n`;

/** A webhook by its name, and by the id of the API key that has set it: names are the key's own. */
export interface WebhookSource {
  readonly webhook: string;
  readonly keyId: string;
}

/**
 * What is posted to a webhook: the text that is signed, too. Anybody's webhook may lead to any receiver, and the service
 * signs for all of them: so the text says whose it is.
 */
export const renderWebhookPost = (
  { webhook, keyId }: WebhookSource,
  events: readonly ServiceEvent[],
): string => stringifyJson({ webhook, keyId, events: events as unknown as JsonObject[] });

/** The same for whoever receives it. */
export const webhookPost = z.looseObject({
  webhook: z.string(),
  keyId: z.string(),
  events: z.array(serviceEvent),
});
