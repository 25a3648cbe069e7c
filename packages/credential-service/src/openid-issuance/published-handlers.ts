/** Types and status lists of issuers, as anybody reads them. */
import { Fault } from '@symbolon/core/faults/faults';
import type { OpenidPublishedHandlers } from '@symbolon/wire/openid/published-routes';
import { answerListRequest } from '../status-lists/list-requests.ts';
import type { PublishedLists } from '../status-lists/published-lists.ts';
import { findStoredTemplate } from '../templates/template-rows.ts';
import { typeTextOf } from './credentials/sd-jwt-issuer.ts';
import type { WalletParts } from './wallet-handlers.ts';

export interface PublishingParts extends WalletParts {
  readonly statusLists: PublishedLists;
}

/** A type never changes. */
const forEver = { 'cache-control': 'public, max-age=31536000, immutable' };

export function createPublishedHandlers(parts: PublishingParts) {
  const { database, profile, settings, statusLists } = parts;

  return {
    async getCredentialType({ template, version }) {
      const found = await findStoredTemplate(
        database.kysely,
        `did:${profile.didMethod}:${template}`,
        version,
      );
      if (!found) throw new Fault('templateUnknown');
      // The text itself is what credentials name the hash of.
      const text = typeTextOf(settings.publicUrl, found.template);
      return { contentType: 'application/json', text, headers: forEver };
    },
    getStatusList: (request) => answerListRequest({ lists: statusLists, profile }, request),
  } satisfies OpenidPublishedHandlers;
}
