/**
 * What issuers have set for issuing at once: prices, policies, and the Ed25519 key that each of them left here. One row
 * for each template, and one key for each issuer; what is set later replaces what was set before.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { type Page, type PageRequest, pageInOrder, textCursor } from '../database/paging.ts';
import type { Queries, RowOf } from '../database/schema.ts';
import { hasRow, putRow, rowBy } from '../database/statements.ts';

export type Price = RowOf<'prices'>;
export type AutoIssuePolicy = RowOf<'autoIssue'>;

export const putPrice = (queries: Queries, price: Price): Promise<void> =>
  putRow(queries, 'prices', ['templateId'], price);
export const findPrice = rowBy('prices', 'templateId');

/** Throws `templatePriced`: wallets of the field do not pay. */
export async function requireUnpriced(queries: Queries, templateId: string): Promise<void> {
  const price = await findPrice(queries, templateId);
  if (price && price.amount !== '0') throw new Fault('templatePriced');
}

export const putAutoIssue = (queries: Queries, policy: AutoIssuePolicy): Promise<void> =>
  putRow(queries, 'autoIssue', ['templateId'], policy);
export const findAutoIssue = rowBy('autoIssue', 'templateId');

/** An issuer's prices in the order of their templates. */
export const listPriceRows = (queries: Queries, issuer: string, page: PageRequest): Promise<Page<Price>> =>
  pageInOrder(
    queries.selectFrom('prices').selectAll().where('issuer', '=', issuer),
    page,
    ['templateId', 'issuer'],
    textCursor,
  );

/** An issuer's policies in the order of their templates. */
export const listAutoIssueRows = (
  queries: Queries,
  issuer: string,
  page: PageRequest,
): Promise<Page<AutoIssuePolicy>> =>
  pageInOrder(
    queries.selectFrom('autoIssue').selectAll().where('issuer', '=', issuer),
    page,
    ['templateId', 'issuer'],
    textCursor,
  );

/** What a credential costs that is issued at once; undefined where none is. */
export async function findSalePrice(
  queries: Queries,
  { templateId, now }: { readonly templateId: string; readonly now: number },
): Promise<Price | undefined> {
  const policy = await findAutoIssue(queries, templateId);
  return policy?.isEnabled && policy.until > now ? findPrice(queries, templateId) : undefined;
}

export const putIssuerKey = (queries: Queries, key: RowOf<'issuerKeys'>): Promise<void> =>
  putRow(queries, 'issuerKeys', ['issuer'], key);
export const findStoredIssuerKey = rowBy('issuerKeys', 'issuer');

/** Whether there was one. */
export const deleteIssuerKey = (queries: Queries, issuer: string): Promise<boolean> =>
  hasRow(queries.deleteFrom('issuerKeys').where('issuer', '=', issuer).returning('issuer'));

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
