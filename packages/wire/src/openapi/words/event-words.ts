/** What members mean in events, and of the webhooks that they are posted to. */
import { serviceEventNames } from '../../events/service-events.ts';
import type { Words } from './vocabulary.ts';

const lastWebhookEvent = 'Id of the last event that the receiver has taken.';
const webhookKey =
  'Id of the API key that has set it, which every post says too: a receiver compares it with its own.';

export const eventWords: Words = {
  'ServiceEvent.id': 'Id of the event: a whole number that grows. Give it as after to go on behind it.',
  'ServiceEvent.event': `What was done: ${serviceEventNames.join(', ')}. Pass over others: there may be more.`,
  'ServiceEvent.time': 'When it was done, RFC 3339.',
  'ServiceEvent.subject':
    'Identifier of what it was done to: a template, a credential or its application, a payment, a session.',
  'ServiceEvent.issuer': 'DID of the issuer whom it concerns.',
  'ServiceEvent.verifier': 'Who asked: the DID of the API key, or the id of the key where it has none.',
  'ServiceEvent.vcId': 'Identifier of the credential that was paid for.',
  'watchEvents.after': 'Id of an event: only those behind it are told. Without it, what comes.',
  'watchEvents.from': 'start: everything from the first event on.',
  'listEvents.after': 'Id of an event: only those behind it are told. Without it, from the first on.',
  'listEvents.from': 'end: no event, and as lastId where the end is.',
  'listEvents.limit': 'How many at most.',
  'listEvents.events': 'The events, oldest first.',
  'listEvents.lastId': 'Give this as after to go on; it stays the same where there was nothing.',
  webhooks: 'The webhooks of the API key.',
  receiver: 'Where events are posted to, without path and query, which may hold a secret.',
  'webhooks.keyId': webhookKey,
  'setWebhook.keyId': webhookKey,
  'webhooks.name': 'Name of the webhook.',
  'setWebhook.name': 'Name of the webhook: letters, digits, dots, underscores and hyphens.',
  'removeWebhook.name': 'Name of the webhook.',
  'webhooks.state': 'active, or paused when the receiver took nothing for days: set it again to resume.',
  'setWebhook.state': 'active.',
  'setWebhook.callbackUrl': 'Address to which events are posted; signed like results of sessions.',
  'setWebhook.after':
    'Id of an event: only those behind it are posted. Without it, what comes; for a webhook that is there, what it lacks.',
  'webhooks.lastId': lastWebhookEvent,
  'setWebhook.lastId': lastWebhookEvent,
  attempts: 'How often in a row the receiver did not take what was posted.',
  problem: 'Why the last attempt failed.',
  nextAttemptAt: 'When it is posted again, RFC 3339; absent where nothing is wrong.',
  deliveredAt: 'When the receiver last took something, RFC 3339.',
};
