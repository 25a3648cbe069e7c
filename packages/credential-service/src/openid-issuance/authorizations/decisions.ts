/**
 * What an issuer says of somebody who has logged in at its place: which wallet asks for what, and what it gets. What is
 * granted becomes an offer like every other, which the code of this authorization alone redeems.
 */
import { assert } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import { type Caller, malformedAt } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { AuthorizationDecision, GrantedValues } from '@symbolon/wire/openid/authorization-requests';
import type { OpenidAuthorizationHandlers } from '@symbolon/wire/openid/authorization-routes';
import type { Queries } from '../../database/schema.ts';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import { findStoredTemplate } from '../../templates/template-rows.ts';
import { prepareDataset, storeOffered } from '../offers/offer-making.ts';
import { authorizeStandardsOffer, findStandardsOffer } from '../offers/standards-offer-rows.ts';
import { issuerOfCaller } from '../parts/issuer-callers.ts';
import { configurationsOf } from '../parts/offered-configurations.ts';
import { endpointOf, openidIssuerOfDid } from '../parts/openid-parts.ts';
import { makeReference, makeSecretId, makeStandardsOfferId, secretHash } from '../parts/openid-secrets.ts';
import { type AuthorizingParts, unknownAuthorization } from './authorization-parts.ts';
import { type Authorization, findAuthorizationByReference, moveAuthorization } from './authorization-rows.ts';

type DecisionHandlers = Pick<
  OpenidAuthorizationHandlers,
  'readOpenidAuthorization' | 'decideOpenidAuthorization'
>;

/** What a decision makes: written in one transaction with the move, or not at all. */
interface Outcome {
  readonly act: 'grant' | 'deny';
  readonly offerId: string | null;
  readonly write: (queries: Queries, now: number) => Promise<void>;
  readonly shown: {
    readonly offerId?: string;
    readonly vcId?: string;
    readonly ed25519Blob?: string;
    readonly unsigned?: JsonObject;
  };
}

const timeText = (ms: number): string => new Date(ms).toISOString();
const alreadyDecided = (state: string): Fault =>
  new Fault('stateForbids', { detail: `The authorization is ${state} already` });

export function createDecisionHandlers(parts: AuthorizingParts): DecisionHandlers {
  const { database, clock } = parts;

  const own = async (reference: string, caller: Caller): Promise<Authorization> => {
    const row = await findAuthorizationByReference(database.kysely, secretHash(reference));
    if (!row || row.issuer !== issuerOfCaller(caller)) throw unknownAuthorization();
    return row;
  };

  return {
    async readOpenidAuthorization({ reference }, { caller }) {
      const row = await own(reference, caller);
      const { clientId, redirectUri, templateId, templateVersion, offerId, expiresAt } = row;
      return {
        state: shownState(row, clock.nowMs()),
        ...{ clientId, redirectUri, templateId, templateVersion },
        configurations: [...configurationsOf(row)],
        ...(offerId !== null && { offerId }),
        expiresAt: timeText(expiresAt),
      };
    },

    async decideOpenidAuthorization(decision, { caller }) {
      const row = await own(decision.reference, caller);
      const state = shownState(row, clock.nowMs());
      if (state !== 'begun') throw alreadyDecided(state);
      return decide(parts, { row, caller, outcome: await outcomeOf(parts, { row, decision, caller }) });
    },
  };
}

function shownState({ state, expiresAt }: Authorization, now: number) {
  assert(state !== 'pushed', 'who has a reference has begun');
  return expiresAt <= now && state !== 'answered' ? 'expired' : state;
}

interface Deciding {
  readonly row: Authorization;
  readonly decision: AuthorizationDecision;
  readonly caller: Caller;
}

async function outcomeOf(
  parts: AuthorizingParts,
  { row, decision: { isGranted, values }, caller }: Deciding,
): Promise<Outcome> {
  if (!isGranted) return { act: 'deny', offerId: row.offerId, write: async () => {}, shown: {} };
  if (row.offerId === null) {
    if (!values) throw malformedAt('/metadata', 'is missing: no offer has the values');
    return newOffer(parts, { row, values, caller });
  }
  if (values) throw malformedAt('/metadata', 'must not stand here: the offer has the values');
  return boundOffer(parts, { row, offerId: row.offerId });
}

/** What was offered beforehand: from now on the code of this authorization redeems it. */
async function boundOffer(
  { database }: AuthorizingParts,
  { row, offerId }: { readonly row: Authorization; readonly offerId: string },
): Promise<Outcome> {
  const offer = await findStandardsOffer(database.kysely, offerId);
  assert(offer, 'an authorization goes with its offer');
  return {
    ...{ act: 'grant', offerId },
    async write(queries, now) {
      const order = { id: offerId, authorizationId: row.id, now };
      if (!(await authorizeStandardsOffer(queries, order))) throw new Fault('offerClosed');
    },
    shown: { offerId, vcId: offer.vcId },
  };
}

/** An offer that no link leads to. */
async function newOffer(
  parts: AuthorizingParts,
  {
    row,
    values,
    caller,
  }: { readonly row: Authorization; readonly values: GrantedValues; readonly caller: Caller },
): Promise<Outcome> {
  const found = await findStoredTemplate(parts.database.kysely, row.templateId, row.templateVersion);
  assert(found, 'what was asked for has its template');
  const prepared = await prepareDataset(parts, { ...values, template: found.template });
  const offerId = makeStandardsOfferId();
  const seconds = limits.continueSeconds + limits.authorizationCodeSeconds;
  return {
    ...{ act: 'grant', offerId },
    async write(queries, now) {
      const names = {
        ...{ id: offerId, now, expiresAt: now + seconds * 1_000, configurations: row.configurations },
        // Nobody is told what this is the hash of.
        referenceHash: secretHash(makeReference()),
        ...{ codeHash: null, issuerStateHash: null, txCodeMark: null, hasTxCode: 0, reference: null },
        authorizationId: row.id,
      };
      await storeOffered(parts, queries, { prepared, names, actor: caller });
    },
    shown: { offerId, vcId: prepared.row.vcId, ...prepared.toSign },
  };
}

async function decide(
  parts: AuthorizingParts,
  {
    row,
    outcome,
    caller,
  }: { readonly row: Authorization; readonly outcome: Outcome; readonly caller: Caller },
) {
  const { database, clock, audit, crashPoint } = parts;
  const { act, offerId, shown } = outcome;
  const { id, issuer, templateId } = row;
  const ticket = makeSecretId();
  const now = clock.nowMs();
  const expiresAt = now + limits.continueSeconds * 1_000;
  await database.transaction(async (queries) => {
    await outcome.write(queries, now);
    const known = { id, now, expiresAt, offerId, ticketHash: secretHash(ticket) };
    if (!(await moveAuthorization(queries, act, known))) throw alreadyDecided('decided');
    const { vcId } = shown;
    const details = { templateId, issuer, ...(vcId !== undefined && { vcId }) };
    const action = act === 'grant' ? 'openidAuthorization.grant' : 'openidAuthorization.deny';
    await audit.record({ actor: caller, action, subject: id, details }, queries);
  });
  crashPoint('openidAuthorizationDecided');
  return {
    state: act === 'grant' ? ('granted' as const) : ('denied' as const),
    continueUrl: `${endpointOf(openidIssuerOfDid(parts, issuer), 'continue')}/${ticket}`,
    expiresAt: timeText(expiresAt),
    ...shown,
  };
}
