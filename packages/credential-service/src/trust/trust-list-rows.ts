/** Lists of trusted issuers, each its owner's own. A list is there while it has an issuer. */
import { trustLimits } from '@symbolon/core/limits/documents';
import type { TrustedIssuer } from '@symbolon/core/presentation/trust-rules';
import type { Queries, RowOf } from '../database/schema.ts';
import { hasRow, putRow } from '../database/statements.ts';

type ListChoice = Pick<RowOf<'trustedIssuers'>, 'owner' | 'list'>;

/** In the order of their DIDs; undefined where the owner has no such list. */
export async function findTrustList(
  queries: Queries,
  { owner, list }: ListChoice,
): Promise<readonly TrustedIssuer[] | undefined> {
  const rows = await queries
    .selectFrom('trustedIssuers')
    .select(['did', 'name', 'templates'])
    .where('owner', '=', owner)
    .where('list', '=', list)
    .orderBy('did')
    .limit(trustLimits.issuersMax)
    .execute();
  if (rows.length === 0) return undefined;
  return rows.map(({ did, name, templates }) => ({
    did,
    ...(name !== null && { name }),
    ...(templates !== null && { templates: JSON.parse(templates) as string[] }),
  }));
}

export async function listTrustLists(
  queries: Queries,
  owner: string,
): Promise<readonly { readonly name: string; readonly issuers: number }[]> {
  const rows = await queries
    .selectFrom('trustedIssuers')
    .select((eb) => ['list', eb.fn.countAll<number | string>().as('count')])
    .where('owner', '=', owner)
    .groupBy('list')
    .orderBy('list')
    .execute();
  return rows.map(({ list, count }) => ({ name: list, issuers: Number(count) }));
}

/** Puts an issuer on a list, in place of what was said of it. False when there is no room. */
export async function putTrustedIssuer(
  queries: Queries,
  { owner, list, entry, now }: ListChoice & { readonly entry: TrustedIssuer; readonly now: number },
): Promise<boolean> {
  const row = {
    owner,
    list,
    did: entry.did,
    name: entry.name ?? null,
    templates: entry.templates ? JSON.stringify(entry.templates) : null,
    updatedAt: now,
  };
  await putRow(queries, 'trustedIssuers', ['owner', 'list', 'did'], row);
  const lists = await listTrustLists(queries, owner);
  const count = lists.find(({ name }) => name === list)?.issuers ?? 0;
  return lists.length <= trustLimits.listsPerOwnerMax && count <= trustLimits.issuersMax;
}

/** Whether the issuer was on the list. */
export async function removeTrustedIssuer(
  queries: Queries,
  { owner, list, did }: ListChoice & { readonly did: string },
): Promise<boolean> {
  const listed = queries.deleteFrom('trustedIssuers').where('owner', '=', owner).where('list', '=', list);
  return hasRow(listed.where('did', '=', did).returning('did'));
}
