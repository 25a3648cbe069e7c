/** Keys, types and status lists of issuers, as anybody reads them. */
import { Fault } from '@symbolon/core/faults/faults';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { OpenidPublishedHandlers } from '@symbolon/wire/openid/published-routes';
import { answerListRequest } from '../status-lists/list-requests.ts';
import type { PublishedLists } from '../status-lists/published-lists.ts';
import { findStoredTemplate } from '../templates/template-rows.ts';
import { typeTextOf } from './credentials/sd-jwt-issuer.ts';
import { webDidDocument } from './metadata/issuer-documents.ts';
import { publishedIssuer } from './metadata/published-issuers.ts';
import type { WalletParts } from './wallet-handlers.ts';

export interface PublishingParts extends WalletParts {
  readonly statusLists: PublishedLists;
}

/** A type never changes. */
const forEver = { 'cache-control': 'public, max-age=31536000, immutable' };

export function createPublishedHandlers(parts: PublishingParts) {
  const { database, profile, settings, issuerKeys, statusLists } = parts;

  const keysOf = async (name: string) => {
    const { issuer } = await publishedIssuer(parts, name);
    const jwks = (await issuerKeys.jwksOf(issuer.did)) as unknown as JsonObject;
    return { issuer: issuer.identifier, jwks };
  };

  return {
    getIssuerKeys: async ({ issuer }) => (await keysOf(issuer)).jwks,
    getTokenIssuer: async ({ issuer }) => keysOf(issuer),
    async getIssuerWebDid({ issuer: name }) {
      const { issuer } = await publishedIssuer(parts, name);
      return webDidDocument(issuer, (await issuerKeys.jwksOf(issuer.did)).keys);
    },
    async getCredentialType({ template, version }) {
      const found = await findStoredTemplate(database.kysely, `did:${profile.didMethod}:${template}`, version);
      if (!found) throw new Fault('templateUnknown');
      // The text itself is what credentials name the hash of.
      const text = typeTextOf(settings.publicUrl, found.template);
      return { contentType: 'application/json', text, headers: forEver };
    },
    getStatusList: (request) => answerListRequest({ lists: statusLists, profile }, request),
  } satisfies OpenidPublishedHandlers;
}
