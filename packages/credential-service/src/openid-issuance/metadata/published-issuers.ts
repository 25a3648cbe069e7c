/** Facts about an issuer that its documents are made of. */
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import type { Queries } from '../../database/schema.ts';
import { findProfiles } from '../../directory/profile-rows.ts';
import { openidIssuanceLimits } from '../../limits/openid-limits.ts';
import { listIssuerVersions } from '../../templates/template-rows.ts';
import { type OpenidIssuer, type OpenidParts, openidIssuerOf } from '../parts/openid-parts.ts';
import type { PublishedIssuer } from './issuer-documents.ts';

/** Versions of its templates, the newest first, as many as one document lists. */
const templatesOf = (queries: Queries, did: string): Promise<readonly Template[]> =>
  listIssuerVersions(queries, did, openidIssuanceLimits.configurationsMax);

/** Throws `templateUnknown` where there is no such issuer here. */
export async function publishedIssuer(
  parts: Pick<OpenidParts, 'database' | 'profile' | 'settings'>,
  name: string,
): Promise<PublishedIssuer> {
  const issuer: OpenidIssuer = openidIssuerOf(parts, name);
  const { kysely } = parts.database;
  const templates = await templatesOf(kysely, issuer.did);
  if (templates.length === 0) throw new Fault('templateUnknown', { detail: 'There is no such issuer' });
  const [profile] = await findProfiles(kysely, [issuer.did]);
  return { issuer, templates, displayName: profile?.name };
}
