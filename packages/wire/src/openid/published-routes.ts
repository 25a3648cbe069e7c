/**
 * What issuers publish beside their offers and keys (`docs/standards.md`): types of their credentials, status
 * lists. Anybody reads it.
 */
import * as z from 'zod';
import { text } from '../http/schema-parts.ts';
import {
  defineServiceRoute,
  ledgerFaults,
  publicReading,
  type ServiceHandlers,
} from '../http/service-route.ts';
import { anyDocument } from './issuance-replies.ts';
import { issuerPath } from './issuance-schemas.ts';

const published = {
  ...publicReading,
  isForWallets: true,
  ignoresUnknown: true,
  group: 'Wallets: OpenID4VCI',
} as const;

const typePath = z.object({
  template: text(64).regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits'),
  version: text(40).regex(/^\d[\d.]*$/, 'must be a version'),
});
const listPath = issuerPath.extend({ list: text(32) });
const listTime = z.object({ time: text(32).optional() });

export const openidPublishedRoutes = {
  getCredentialType: defineServiceRoute({
    ...published,
    path: '/types/:template/:version',
    summary: 'The type of SD-JWT VCs that a version of a template stands for; it never changes',
    params: typePath,
    reply: anyDocument,
    faults: ['templateUnknown'],
    read: ({ params }) => params,
  }),
  getStatusList: defineServiceRoute({
    ...published,
    path: '/status/:issuer/:list',
    summary: 'A signed list that says of many credentials which are suspended or revoked (Token Status List)',
    params: listPath,
    query: listTime,
    replyTypes: ['application/statuslist+jwt'],
    reply: z.string(),
    faults: ['statusListUnknown', 'statusListPast', 'statusListStale', ...ledgerFaults],
    read: ({ params, query }) => ({ ...params, time: query.time }),
  }),
};

export type OpenidPublishedHandlers = ServiceHandlers<typeof openidPublishedRoutes>;
