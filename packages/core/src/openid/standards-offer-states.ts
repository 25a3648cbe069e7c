/**
 * The states of an offer in the formats of the field (`docs/standards.md`, "OpenID4VCI"), as one table: which act leads
 * where. What is not in it is forbidden. Whether its dataset is signed and recorded is told by the states of an
 * application (`core/src/credential/application-states.ts`).
 */
import { type Moves, moveOf, stateAfter } from '../credential/state-moves.ts';

export const standardsOfferStates = [
  'created',
  'redeemed',
  'requested',
  'deferred',
  'issued',
  'accepted',
  'failed',
  'deleted',
  'denied',
  'locked',
  'withdrawn',
  'expired',
] as const;
export type StandardsOfferState = (typeof standardsOfferStates)[number];

export const standardsOfferActs = [
  'redeem',
  'lock',
  'withdraw',
  'request',
  'defer',
  'issue',
  'deny',
  'accept',
  'fail',
  'delete',
  'expire',
] as const;
export type StandardsOfferAct = (typeof standardsOfferActs)[number];

const moves: Moves<StandardsOfferState, StandardsOfferAct> = {
  created: { redeem: 'redeemed', lock: 'locked', withdraw: 'withdrawn', expire: 'expired' },
  redeemed: { request: 'requested', deny: 'denied', expire: 'expired' },
  requested: { request: 'requested', defer: 'deferred', issue: 'issued', deny: 'denied', expire: 'expired' },
  deferred: { request: 'requested', defer: 'deferred', issue: 'issued', deny: 'denied', expire: 'expired' },
  // The wallet may ask for more of the same, and say of each what became of it.
  issued: { issue: 'issued', accept: 'accepted', fail: 'failed', delete: 'deleted' },
  accepted: { issue: 'issued', accept: 'accepted', delete: 'deleted' },
  failed: { issue: 'issued', accept: 'accepted', fail: 'failed', delete: 'deleted' },
  deleted: { issue: 'issued', delete: 'deleted' },
  denied: { deny: 'denied' },
  locked: {},
  withdrawn: { withdraw: 'withdrawn' },
  expired: {},
};

/** From which states an act leads where: the condition of an update, and what it sets. */
export const standardsOfferMove = (act: StandardsOfferAct) => moveOf(moves, act);

/** Undefined where the act is forbidden. */
export const standardsOfferAfter = (
  state: StandardsOfferState,
  act: StandardsOfferAct,
): StandardsOfferState | undefined => stateAfter(moves, state, act);

/** Nothing happens any more in these but that a wallet says what became of what it has. */
export const endedOfferStates: readonly StandardsOfferState[] = ['denied', 'locked', 'withdrawn', 'expired'];
