/**
 * What issuers publish beside their offers and keys (`docs/standards.md`): types and contexts of their
 * credentials, status lists. Anybody reads it.
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
const purposePath = listPath.extend({ purpose: text(16) });
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
  getCredentialContext: defineServiceRoute({
    ...published,
    path: '/contexts/:template/:version',
    summary:
      'The JSON-LD context of credentials of a version of a template with proofs of data integrity; it never changes',
    params: typePath,
    replyTypes: ['application/ld+json'],
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
  getStatusListOfPurpose: defineServiceRoute({
    ...published,
    path: '/status/:issuer/:list/:purpose',
    summary:
      'A credential that says of many others which are revoked, or which are suspended (Bitstring Status List)',
    params: purposePath,
    query: listTime,
    replyTypes: ['application/vc'],
    reply: z.string(),
    faults: ['statusListUnknown', 'statusListPast', 'statusListStale', ...ledgerFaults],
    read: ({ params, query }) => ({ ...params, time: query.time }),
  }),
};

export type OpenidPublishedHandlers = ServiceHandlers<typeof openidPublishedRoutes>;
