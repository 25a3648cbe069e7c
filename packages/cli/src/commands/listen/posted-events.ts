/** What a webhook posts, read by whoever catches it. */
import { type ServiceEvent, webhookPost } from '@symbolon/wire/events/service-events';
import { parseApiKey } from '@symbolon/wire/http/api-key-form';
import type { JsonObject } from '@symbolon/wire/json/json';
import { shortenedId } from '../../terminal/layout.ts';
import { printable } from '../../terminal/terminal.ts';

export interface PostedEvents {
  readonly webhook: string;
  readonly events: readonly ServiceEvent[];
}

/** Undefined for what is another kind of callback. */
export function postedEvents(content: JsonObject): PostedEvents | undefined {
  const read = webhookPost.safeParse(content);
  return read.success && read.data.events.length > 0 ? read.data : undefined;
}

/**
 * Why a post of events goes no further: another key's webhook may lead here, and the service signs its posts as well. It
 * could tell of other events, and have one's own passed over as older. Undefined for what is another kind of callback.
 */
export function foreignProblem(content: JsonObject, apiKey: string | undefined): string | undefined {
  if (content.webhook === undefined && content.events === undefined) return undefined;
  const own = apiKey === undefined ? undefined : parseApiKey(apiKey)?.id;
  return own !== undefined && content.keyId === own ? undefined : 'It is of a webhook of another API key.';
}

export const eventText = ({ id, event, subject }: ServiceEvent): string =>
  `${printable(id)}  ${printable(event)}  ${shortenedId(subject)}`;
