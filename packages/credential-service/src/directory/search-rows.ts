/** What a search reads of the service's own tables: each is a walk along an index, and stops early. */
import { searchLimits as limits } from '@symbolon/core/limits/directory';
import type { Queries, RowOf } from '../database/schema.ts';

/** Greater than every text that begins so, in the order of both databases. */
const endOf = (beginning: string): string => `${beginning}\u{10ffff}`;

type NamedTemplate = Pick<RowOf<'templates'>, 'id' | 'name'>;

const registered = (queries: Queries) =>
  queries.selectFrom('templates').select(['id', 'name']).where('latestVersion', 'is not', null);

export const templatesByName = (queries: Queries, beginning: string): Promise<NamedTemplate[]> =>
  registered(queries)
    .where('nameKey', '>=', beginning)
    .where('nameKey', '<', endOf(beginning))
    .orderBy('nameKey')
    .limit(limits.perKindMax)
    .execute();

export const templatesById = (queries: Queries, beginning: string): Promise<NamedTemplate[]> =>
  registered(queries)
    .where('id', '>=', beginning)
    .where('id', '<', endOf(beginning))
    .orderBy('id')
    .limit(limits.perKindMax)
    .execute();

type NamedParty = Pick<RowOf<'profiles'>, 'did' | 'name'>;

export const profilesByName = (queries: Queries, beginning: string): Promise<NamedParty[]> =>
  queries
    .selectFrom('profiles')
    .select(['did', 'name'])
    .where('nameKey', '>=', beginning)
    .where('nameKey', '<', endOf(beginning))
    .orderBy('nameKey')
    .orderBy('did')
    .limit(limits.perKindMax)
    .execute();

export const profilesById = (queries: Queries, beginning: string): Promise<NamedParty[]> =>
  queries
    .selectFrom('profiles')
    .select(['did', 'name'])
    .where('did', '>=', beginning)
    .where('did', '<', endOf(beginning))
    .orderBy('did')
    .limit(limits.perKindMax)
    .execute();

/** Whose credentials a caller may find: those it has issued, those it holds. */
export interface OwnCredentials {
  readonly issuer?: string;
  readonly holder?: string;
}

export interface FoundCredential {
  readonly vcId: string;
  /** Null where the template is not known here. */
  readonly templateName: string | null;
}

/**
 * Identifiers are hashes, so few begin alike. Those that do are looked at up to a bound, and what is not the caller's
 * is passed over: how much of that there was does not show.
 */
export async function ownByBeginning(
  queries: Queries,
  table: 'credentials' | 'applications',
  { beginning, own }: { readonly beginning: string; readonly own: OwnCredentials },
): Promise<readonly FoundCredential[]> {
  const alike = queries
    .selectFrom(table)
    .select(['vcId', 'issuer', 'holder', 'templateId'])
    .where('vcId', '>=', beginning)
    .where('vcId', '<', endOf(beginning))
    .orderBy('vcId')
    .limit(limits.lookedAtMax)
    .as('alike');
  return queries
    .selectFrom(alike)
    .leftJoin('templates', 'templates.id', 'alike.templateId')
    .select(['alike.vcId', 'templates.name as templateName'])
    .where((eb) =>
      eb.or([
        ...(own.issuer === undefined ? [] : [eb('alike.issuer', '=', own.issuer)]),
        ...(own.holder === undefined ? [] : [eb('alike.holder', '=', own.holder)]),
      ]),
    )
    .orderBy('alike.vcId')
    .limit(limits.perKindMax)
    .execute();
}
