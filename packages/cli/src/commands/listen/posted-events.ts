/** What a webhook posts, read by whoever catches it. */
import { type ServiceEvent, webhookPost } from '@symbolon/wire/events/service-events';
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

export const eventText = ({ id, event, subject }: ServiceEvent): string =>
  `${printable(id)}  ${printable(event)}  ${shortenedId(subject)}`;
