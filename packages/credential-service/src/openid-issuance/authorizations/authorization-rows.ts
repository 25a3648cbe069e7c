/**
 * Authorizations and their states: every move is one update with a condition on the state before and on the time, so of
 * many that begin, decide or continue one at the same time one does. Which act leads where is a table of the core.
 */
import {
  type AuthorizationAct,
  type AuthorizationState,
  authorizationMove,
} from '@symbolon/core/openid/authorization-states';
import type { Queries, RowOf } from '../../database/schema.ts';
import { addOnce, countRows, deleteBatch, hasRow, rowBy } from '../../database/statements.ts';
import { openidIssuanceLimits } from '../../limits/openid-limits.ts';

export type Authorization = RowOf<'openidAuthorizations'>;

export type NewAuthorization = Pick<
  Authorization,
  | 'id'
  | 'issuer'
  | 'clientId'
  | 'redirectUri'
  | 'templateId'
  | 'templateVersion'
  | 'configurations'
  | 'hasIdentifiers'
  | 'codeChallenge'
  | 'dpopThumbprint'
  | 'clientState'
  | 'offerId'
  | 'requestHash'
  | 'expiresAt'
> & { readonly now: number };

export const addAuthorization = (queries: Queries, { now, ...given }: NewAuthorization): Promise<boolean> =>
  addOnce(queries, 'openidAuthorizations', { ...given, state: 'pushed', createdAt: now, updatedAt: now });

export const findAuthorizationByRequest = rowBy('openidAuthorizations', 'requestHash');
export const findAuthorizationByReference = rowBy('openidAuthorizations', 'referenceHash');
export const findAuthorizationByTicket = rowBy('openidAuthorizations', 'ticketHash');
export const findAuthorizationByCode = rowBy('openidAuthorizations', 'codeHash');

/** What goes with a move: the hash of the secret that leads on, and what else is known from then on. */
type Moved = Partial<
  Pick<Authorization, 'browserHash' | 'referenceHash' | 'ticketHash' | 'codeHash' | 'offerId'>
> & { readonly id: string; readonly now: number; readonly expiresAt: number };

/** False where the state forbids it, or the time is over. */
export const moveAuthorization = (
  queries: Queries,
  act: AuthorizationAct,
  { id, now, ...known }: Moved,
): Promise<boolean> => {
  const { from, to: state } = authorizationMove(act);
  return hasRow(
    queries
      .updateTable('openidAuthorizations')
      .set({ ...known, state, updatedAt: now })
      .where('id', '=', id)
      .where('state', 'in', from)
      .where('expiresAt', '>', now)
      .returning('id'),
  );
};

/** Those that wait in these states, of one issuer, and of one client of it where that is named. */
export function countWaiting(
  queries: Queries,
  {
    issuer,
    clientId,
    states,
    now,
  }: {
    readonly issuer: string;
    readonly clientId?: string;
    readonly states: readonly AuthorizationState[];
    readonly now: number;
  },
): Promise<number> {
  const waiting = queries
    .selectFrom('openidAuthorizations')
    .where('issuer', '=', issuer)
    .where('state', 'in', states)
    .where('expiresAt', '>', now);
  return countRows(clientId === undefined ? waiting : waiting.where('clientId', '=', clientId));
}

/** A while after their time, so that a code which comes again is known. Answers how many. */
export const sweepAuthorizations = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'openidAuthorizations', {
    key: 'id',
    first: 'expiresAt',
    where: (eb) => eb('expiresAt', '<=', now - openidIssuanceLimits.spentCodeMs),
  });
