/**
 * Offers and their states. Every move is one update with a condition on the state before, so of many that accept,
 * withdraw or guess at the same time one wins and the others are told. An offer that was accepted or has ended keeps
 * nothing of what it offered.
 */
import { offerLimits } from '@symbolon/core/limits/waiting';
import type { OfferState } from '@symbolon/wire/offers/schemas';
import { type Page, type PageRequest, pageInOrder } from '../database/paging.ts';
import type { Queries, RowOf } from '../database/schema.ts';
import { addOnce, deleteBatch, hasRow, rowBy } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';

export type OfferRow = RowOf<'offers'>;

/** What of an offer a renewal replaces. */
type OfferContents = Pick<
  OfferRow,
  'codeHash' | 'templateVersion' | 'attributes' | 'reference' | 'txCodeMark' | 'hasTxCode' | 'expiresAt'
>;
export type NewOffer = OfferContents &
  Pick<OfferRow, 'id' | 'issuer' | 'templateId' | 'referenceMark'> & { readonly now: number };

/** False when a standing offer has the same reference. */
export const addOffer = (queries: Queries, { now, ...given }: NewOffer): Promise<boolean> =>
  addOnce(queries, 'offers', { ...given, state: 'open', wrongTxCodes: 0, createdAt: now, updatedAt: now });

export const findOfferById = rowBy('offers', 'id');
export const findOfferByCode = rowBy('offers', 'codeHash');

export type OfferPlace = Pick<OfferRow, 'issuer' | 'templateId' | 'referenceMark'>;

/** These keep a reference to themselves: whoever it stands for is not offered the same a second time. */
const standingStates = ['open', 'accepted'] as const satisfies readonly OfferState[];

/** The offer with this reference that is open, or accepted and not decided. */
export async function findStandingOffer(
  queries: Queries,
  { issuer, templateId, referenceMark }: OfferPlace,
): Promise<OfferRow | undefined> {
  return queries
    .selectFrom('offers')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('templateId', '=', templateId)
    .where('referenceMark', '=', referenceMark)
    .where('state', 'in', standingStates)
    .executeTakeFirst();
}

/** An offer that has ended keeps nothing of what it was about, and nothing to guess at. */
const emptied = { attributes: null, txCodeMark: null } as const;

const openOffer = (queries: Queries, id: string) =>
  queries.updateTable('offers').where('id', '=', id).where('state', '=', 'open');

/** The same offer with another code, and whatever else is said anew. */
export const renewOffer = (
  queries: Queries,
  { id, now, ...contents }: OfferContents & { readonly id: string; readonly now: number },
): Promise<boolean> =>
  hasRow(
    openOffer(queries, id)
      .set({ ...contents, wrongTxCodes: 0, updatedAt: now })
      .returning('id'),
  );

interface Acceptance {
  readonly id: string;
  /** As it was shown: an offer that was renewed meanwhile is another. */
  readonly codeHash: string;
  readonly holder: string;
  readonly vcId: string;
  readonly now: number;
}

/** Open → accepted, for one holder, in its time. */
export const acceptOfferRow = (
  queries: Queries,
  { id, codeHash, holder, vcId, now }: Acceptance,
): Promise<boolean> =>
  hasRow(
    openOffer(queries, id)
      .set({ ...emptied, state: 'accepted', holder, vcId, updatedAt: now })
      .where('codeHash', '=', codeHash)
      .where('expiresAt', '>', now)
      .returning('id'),
  );

/** Open → withdrawn, in its time. */
export const withdrawOfferRow = (queries: Queries, id: string, now: number): Promise<boolean> =>
  hasRow(
    openOffer(queries, id)
      .set({ ...emptied, state: 'withdrawn', updatedAt: now })
      .where('expiresAt', '>', now)
      .returning('id'),
  );

/**
 * Counts a try before it is looked at, and answers how many there were with it; undefined where there is none left.
 * Inside of a transaction others wait for its end, so that none of them is heard in between.
 */
export async function countTxCodeTry(
  queries: Queries,
  id: string,
  codeHash: string,
): Promise<number | undefined> {
  const counted = await openOffer(queries, id)
    .set((eb) => ({ wrongTxCodes: eb('wrongTxCodes', '+', 1) }))
    .where('codeHash', '=', codeHash)
    .where('wrongTxCodes', '<', offerLimits.txCodeTriesMax)
    .returning('wrongTxCodes')
    .executeTakeFirst();
  return counted?.wrongTxCodes;
}

/** The try was right, so it does not count. */
export async function forgetTxCodeTry(queries: Queries, id: string): Promise<void> {
  await openOffer(queries, id)
    .set((eb) => ({ wrongTxCodes: eb('wrongTxCodes', '-', 1) }))
    .execute();
}

/** Open → locked: too many tries were wrong. */
export async function lockOffer(queries: Queries, id: string, now: number): Promise<void> {
  await openOffer(queries, id)
    .set({ ...emptied, state: 'locked', updatedAt: now })
    .execute();
}

const summaryColumns = [
  'id',
  'issuer',
  'templateId',
  'templateVersion',
  'state',
  'reference',
  'hasTxCode',
  'wrongTxCodes',
  'holder',
  'vcId',
  'createdAt',
  'updatedAt',
  'expiresAt',
] as const;
export type OfferSummary = Pick<OfferRow, (typeof summaryColumns)[number]>;

interface OfferSearch extends PageRequest {
  readonly issuer: string;
  readonly state?: OfferState;
  readonly templateId?: string;
  readonly now: number;
}

/** An issuer's offers, oldest first unless told. */
export async function listOfferRows(
  queries: Queries,
  { issuer, state, templateId, now, ...page }: OfferSearch,
): Promise<Page<OfferSummary>> {
  let query = queries.selectFrom('offers').select(summaryColumns).where('issuer', '=', issuer);
  if (templateId !== undefined) query = query.where('templateId', '=', templateId);
  if (state === 'open') query = query.where('state', '=', 'open').where('expiresAt', '>', now);
  else if (state === 'expired')
    query = query.where((eb) =>
      eb.or([eb('state', '=', 'expired'), eb.and([eb('state', '=', 'open'), eb('expiresAt', '<=', now)])]),
    );
  else if (state !== undefined) query = query.where('state', '=', state);
  return pageInOrder(query, page, ['createdAt', 'id']);
}

/** The state by the clock, whether or not the offer was swept. */
export const offerStateAt = ({ state, expiresAt }: Pick<OfferRow, 'state' | 'expiresAt'>, now: number) =>
  state === 'open' && expiresAt <= now ? 'expired' : state;

/** Open → expired, a batch of those whose time is over. Answers how many. */
export async function expireOffers(queries: Queries, now: number): Promise<number> {
  const expired = await queries
    .updateTable('offers')
    .set({ ...emptied, state: 'expired', updatedAt: now })
    .where('state', '=', 'open')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('offers')
        .select('id')
        .where('state', '=', 'open')
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(recordLimits.batchRowsMax),
    )
    .returning('id')
    .execute();
  return expired.length;
}

/** One whose time is over makes room for another with its reference at once. */
export async function expireOffer(queries: Queries, id: string, now: number): Promise<void> {
  await openOffer(queries, id)
    .set({ ...emptied, state: 'expired', updatedAt: now })
    .where('expiresAt', '<=', now)
    .execute();
}

const endedStates = [
  'issued',
  'rejected',
  'withdrawn',
  'expired',
  'locked',
] as const satisfies readonly OfferState[];

/** Offers that have ended are forgotten after a while. Answers how many. */
export const sweepOffers = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'offers', {
    key: 'id',
    first: 'updatedAt',
    where: (eb) =>
      eb.and([eb('state', 'in', endedStates), eb('updatedAt', '<=', now - offerLimits.endedKeptMs)]),
  });
