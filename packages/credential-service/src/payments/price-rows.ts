/**
 * What issuers have set for issuing at once: prices, policies, and the Ed25519 key that each of them left here. One row
 * for each template, and one key for each issuer; what is set later replaces what was set before.
 */
import type { Queries, RowOf, Sealed } from '../database/schema.ts';

export type Price = RowOf<'prices'>;
export type AutoIssuePolicy = RowOf<'autoIssue'>;

export async function putPrice(queries: Queries, price: Price): Promise<void> {
  await queries
    .insertInto('prices')
    .values(price)
    .onConflict((conflict) => conflict.column('templateId').doUpdateSet(price))
    .execute();
}

export async function findPrice(queries: Queries, templateId: string): Promise<Price | undefined> {
  return queries.selectFrom('prices').selectAll().where('templateId', '=', templateId).executeTakeFirst();
}

export async function putAutoIssue(queries: Queries, policy: AutoIssuePolicy): Promise<void> {
  await queries
    .insertInto('autoIssue')
    .values(policy)
    .onConflict((conflict) => conflict.column('templateId').doUpdateSet(policy))
    .execute();
}

export async function findAutoIssue(
  queries: Queries,
  templateId: string,
): Promise<AutoIssuePolicy | undefined> {
  return queries.selectFrom('autoIssue').selectAll().where('templateId', '=', templateId).executeTakeFirst();
}

export async function putIssuerKey(
  queries: Queries,
  key: { readonly issuer: string; readonly secret: Sealed; readonly now: number },
): Promise<void> {
  const { issuer, secret, now: createdAt } = key;
  await queries
    .insertInto('issuerKeys')
    .values({ issuer, secret, createdAt })
    .onConflict((conflict) => conflict.column('issuer').doUpdateSet({ secret, createdAt }))
    .execute();
}

export async function findIssuerSecret(queries: Queries, issuer: string): Promise<Sealed | undefined> {
  const row = await queries
    .selectFrom('issuerKeys')
    .select('secret')
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return row?.secret;
}

/** Whether there was one. */
export async function deleteIssuerKey(queries: Queries, issuer: string): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('issuerKeys')
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** How many policies of the issuer this ended. */
export async function stopAutoIssue(
  queries: Queries,
  { issuer, now }: { readonly issuer: string; readonly now: number },
): Promise<number> {
  const { numUpdatedRows } = await queries
    .updateTable('autoIssue')
    .set({ isEnabled: 0, updatedAt: now })
    .where('issuer', '=', issuer)
    .where('isEnabled', '=', 1)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
