/** Types, contexts and status lists of issuers, as anybody reads them. */
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import type { OpenidPublishedHandlers } from '@symbolon/wire/openid/published-routes';
import { contextOf } from '../ldp-credentials/template-contexts.ts';
import { answerListRequest } from '../status-lists/list-requests.ts';
import type { PublishedLists } from '../status-lists/published-lists.ts';
import { findStoredTemplate } from '../templates/template-rows.ts';
import { typeTextOf } from './parts/template-places.ts';
import type { WalletParts } from './wallet-handlers.ts';

export interface PublishingParts extends WalletParts {
  readonly statusLists: PublishedLists;
}

/** A type never changes, and neither does a context. */
const forEver = { 'cache-control': 'public, max-age=31536000, immutable' };

export function createPublishedHandlers(parts: PublishingParts) {
  const { database, profile, settings, statusLists } = parts;

  const versionOf = async (template: string, version: string): Promise<Template> => {
    const id = `did:${profile.didMethod}:${template}`;
    const found = await findStoredTemplate(database.kysely, id, version);
    if (!found) throw new Fault('templateUnknown');
    return found.template;
  };

  return {
    async getCredentialType({ template, version }) {
      // The text itself is what credentials name the hash of.
      const text = typeTextOf(settings.publicUrl, await versionOf(template, version));
      return { contentType: 'application/json', text, headers: forEver };
    },

    async getCredentialContext({ template, version }) {
      const context = contextOf(settings.publicUrl, await versionOf(template, version));
      return { contentType: 'application/ld+json', text: JSON.stringify(context), headers: forEver };
    },

    getStatusList: (request) => answerListRequest({ lists: statusLists, profile }, request),

    getStatusListOfPurpose: ({ issuer, list, purpose, time }) =>
      answerListRequest({ lists: statusLists, profile }, { issuer, list: `${list}/${purpose}`, time }),
  } satisfies OpenidPublishedHandlers;
}
