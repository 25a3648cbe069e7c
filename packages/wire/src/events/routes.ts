/**
 * Rows of the route table about events: a stream, pages of the same, and webhooks that they are posted to. An API key
 * sees what concerns its own party, by its scopes; which scopes see what is the handler's business.
 */
import { readPage } from '../credentials/requests.ts';
import { defineServiceRoute, type ServiceHandlers } from '../http/service-route.ts';
import * as requests from './requests.ts';
import * as replies from './service-events.ts';

const row = { access: 'key', cost: 'light', carries: 'plain' } as const;
const reading = { ...row, method: 'GET', group: 'Events: stream' } as const;
const webhooks = { ...row, group: 'Events: webhooks' } as const;

export const eventRoutes = {
  watchEvents: defineServiceRoute({
    ...reading,
    path: '/v1/events',
    summary: "What happens to the caller's templates, credentials and requests, as server-sent events",
    query: requests.eventPlace,
    headers: [
      {
        name: 'Last-Event-ID',
        description: 'Id of the last event that arrived, as browsers send it; before the parameter after',
      },
    ],
    reply: replies.serviceEvent,
    lastEvent: false,
    faults: [],
    read: ({ query }) => requests.readEventPlace(query),
  }),
  listEvents: defineServiceRoute({
    ...reading,
    path: '/v1/events/list',
    summary: 'The same events a page at a time, oldest first',
    query: requests.eventPage,
    reply: replies.eventsPage,
    faults: [],
    read: ({ query }) => requests.readEventPage(query),
  }),
  listWebhooks: defineServiceRoute({
    ...webhooks,
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'The webhooks of the API key, how far each has come, and what keeps it',
    reply: requests.webhooksReply,
    faults: [],
    read: () => ({}),
  }),
  setWebhook: defineServiceRoute({
    ...webhooks,
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Has events posted to an address from now on; another one under the same name, and resumes it',
    body: requests.webhookOrder,
    reply: requests.webhookReply,
    faults: ['callbackRefused', 'webhooksFull'],
    read: requests.readWebhookOrder,
  }),
  removeWebhook: defineServiceRoute({
    ...webhooks,
    method: 'DELETE',
    path: '/v1/webhooks/:name',
    summary: 'Ends a webhook: nothing more is posted to it',
    params: requests.webhookPath,
    reply: requests.webhookRemovalReply,
    faults: ['webhookUnknown'],
    read: ({ params }) => ({ name: params.name }),
  }),
  listDeliveries: defineServiceRoute({
    ...webhooks,
    method: 'GET',
    path: '/v1/webhooks/:name/deliveries',
    summary: 'The last posts to a webhook and what its receiver answered, newest first',
    params: requests.webhookPath,
    query: requests.deliveryPage,
    reply: requests.deliveriesReply,
    faults: ['webhookUnknown'],
    read: ({ params, query }) => ({ name: params.name, ...readPage(query) }),
  }),
  resendDelivery: defineServiceRoute({
    ...webhooks,
    method: 'POST',
    cost: 'heavy',
    path: '/v1/webhooks/:name/deliveries/:id/resend',
    summary: 'Posts the events of a delivery once more, now, and tells what the receiver answered',
    params: requests.deliveryPath,
    reply: requests.deliveryReply,
    faults: ['webhookUnknown', 'deliveryUnknown', 'requestInProgress'],
    read: ({ params }) => ({ name: params.name, id: params.id }),
  }),
};
export type EventHandlers = ServiceHandlers<typeof eventRoutes>;
