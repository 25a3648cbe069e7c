/**
 * Offers in the formats of the field and their states. Every move is one update with a condition on the state before;
 * which act leads where is a table of the core.
 */
import {
  endedOfferStates,
  type StandardsOfferAct,
  type StandardsOfferState,
  standardsOfferMove,
} from '@symbolon/core/openid/standards-offer-states';
import { type Page, type PageRequest, pageInOrder } from '../../database/paging.ts';
import type { Queries, RowOf } from '../../database/schema.ts';
import { addOnce, deleteBatch, hasRow, rowBy } from '../../database/statements.ts';
import { openidIssuanceLimits } from '../../limits/openid-limits.ts';
import { recordLimits } from '../../limits/service-limits.ts';

export type StandardsOffer = RowOf<'openidOffers'>;

export type NewStandardsOffer = Pick<
  StandardsOffer,
  | 'id'
  | 'issuer'
  | 'templateId'
  | 'templateVersion'
  | 'vcId'
  | 'configurations'
  | 'referenceHash'
  | 'codeHash'
  | 'issuerStateHash'
  | 'authorizationId'
  | 'txCodeMark'
  | 'hasTxCode'
  | 'reference'
  | 'expiresAt'
> & { readonly now: number; readonly state?: StandardsOfferState };

export const addStandardsOffer = (
  queries: Queries,
  { now, state = 'created', ...given }: NewStandardsOffer,
): Promise<boolean> =>
  addOnce(queries, 'openidOffers', { ...given, state, wrongTxCodes: 0, createdAt: now, updatedAt: now });

export const findStandardsOffer = rowBy('openidOffers', 'id');
export const findOfferByReference = rowBy('openidOffers', 'referenceHash');
export const findOfferByCodeHash = rowBy('openidOffers', 'codeHash');
export const findOfferByIssuerState = rowBy('openidOffers', 'issuerStateHash');

/** Whether whoever takes it logs in first: no code of its own is good for it then. */
export const isByLogin = ({
  issuerStateHash,
  authorizationId,
}: Pick<StandardsOffer, 'issuerStateHash' | 'authorizationId'>): boolean =>
  issuerStateHash !== null || authorizationId !== null;

/** From now on the code of this authorization redeems it, and no other. False where it is not there to be taken. */
export const authorizeStandardsOffer = (
  queries: Queries,
  {
    id,
    authorizationId,
    now,
  }: { readonly id: string; readonly authorizationId: string; readonly now: number },
): Promise<boolean> =>
  hasRow(
    queries
      .updateTable('openidOffers')
      .set({ authorizationId, updatedAt: now })
      .where('id', '=', id)
      .where('state', '=', 'created')
      .where('issuerStateHash', 'is not', null)
      .where('expiresAt', '>', now)
      .returning('id'),
  );

/** The state by the clock, whether or not the offer was swept. */
export const standardsStateAt = (
  { state, expiresAt }: Pick<StandardsOffer, 'state' | 'expiresAt'>,
  now: number,
): StandardsOfferState => (expiresAt <= now && waitingStates.includes(state) ? 'expired' : state);

/** What is in one of these is over when its time is. */
const waitingStates = ['created', 'redeemed', 'requested', 'deferred'] as readonly StandardsOfferState[];

interface Moment {
  readonly id: string;
  readonly now: number;
  /** When what it waits for next comes too late. */
  readonly expiresAt?: number;
}

/** Codes are no good after these. */
const withoutCodes = { codeHash: null, txCodeMark: null };
const endsCodes: readonly StandardsOfferAct[] = ['lock', 'withdraw', 'deny', 'expire'];

/** False where the state forbids it. */
export const moveStandardsOffer = (
  queries: Queries,
  act: StandardsOfferAct,
  { id, now, expiresAt }: Moment,
): Promise<boolean> => {
  const { from, to: state } = standardsOfferMove(act);
  return hasRow(
    queries
      .updateTable('openidOffers')
      .set({
        state,
        updatedAt: now,
        ...(expiresAt !== undefined && { expiresAt }),
        ...(endsCodes.includes(act) && withoutCodes),
      })
      .where('id', '=', id)
      .where('state', 'in', from)
      .returning('id'),
  );
};

/** Created → redeemed, in its time: of many that show the code one does it. */
export const redeemStandardsOffer = (
  queries: Queries,
  { id, now, expiresAt }: Required<Moment>,
): Promise<boolean> =>
  hasRow(
    queries
      .updateTable('openidOffers')
      .set({ state: standardsOfferMove('redeem').to, updatedAt: now, expiresAt })
      .where('id', '=', id)
      .where('state', 'in', standardsOfferMove('redeem').from)
      .where('expiresAt', '>', now)
      .returning('id'),
  );

/** Counts a try before it is looked at; undefined where there is none left. */
export async function countStandardsTry(
  queries: Queries,
  id: string,
  state: 'created' | 'redeemed',
): Promise<number | undefined> {
  const counted = await queries
    .updateTable('openidOffers')
    .set((eb) => ({ wrongTxCodes: eb('wrongTxCodes', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', state)
    .where('wrongTxCodes', '<', openidIssuanceLimits.txCodeTriesMax)
    .returning('wrongTxCodes')
    .executeTakeFirst();
  return counted?.wrongTxCodes;
}

/** The try was right, so it does not count. */
export async function forgetStandardsTry(queries: Queries, id: string): Promise<void> {
  await queries
    .updateTable('openidOffers')
    .set((eb) => ({ wrongTxCodes: eb('wrongTxCodes', '-', 1) }))
    .where('id', '=', id)
    .execute();
}

/** An issuer's offers, oldest first unless told. */
export const listStandardsOffers = (
  queries: Queries,
  { issuer, ...page }: PageRequest & { readonly issuer: string },
): Promise<Page<StandardsOffer>> =>
  pageInOrder(queries.selectFrom('openidOffers').selectAll().where('issuer', '=', issuer), page, [
    'createdAt',
    'id',
  ]);

/** A batch of those whose time is over. Answers how many. */
export async function expireStandardsOffers(queries: Queries, now: number): Promise<number> {
  const expired = await queries
    .updateTable('openidOffers')
    .set({ state: 'expired', updatedAt: now, ...withoutCodes })
    .where('state', 'in', waitingStates)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('openidOffers')
        .select('id')
        .where('state', 'in', waitingStates)
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(recordLimits.batchRowsMax),
    )
    .returning('id')
    .execute();
  return expired.length;
}

/** Values and salt go when no credential is made of them any more. Answers of how many. */
export async function emptyDatasets(queries: Queries, now: number): Promise<number> {
  const emptied = await queries
    .updateTable('openidDatasets')
    .set({ contents: null })
    .where('vcId', 'in', (eb) =>
      eb
        .selectFrom('openidDatasets')
        .select('vcId')
        .where('contents', 'is not', null)
        .where('state', '!=', 'submitting')
        .where('updatedAt', '<=', now - openidIssuanceLimits.contentsKeptMs)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('openidOffers')
                .select('id')
                .whereRef('openidOffers.vcId', '=', 'openidDatasets.vcId')
                .where('openidOffers.state', 'in', waitingStates),
            ),
          ),
        )
        .orderBy('updatedAt')
        .limit(recordLimits.batchRowsMax),
    )
    .returning('vcId')
    .execute();
  return emptied.length;
}

/** Offers that have ended without a credential are forgotten after a while. Answers how many. */
export const sweepStandardsOffers = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'openidOffers', {
    key: 'id',
    first: 'updatedAt',
    where: (eb) =>
      eb.and([
        eb('state', 'in', endedOfferStates),
        eb('updatedAt', '<=', now - openidIssuanceLimits.endedKeptMs),
      ]),
  });
