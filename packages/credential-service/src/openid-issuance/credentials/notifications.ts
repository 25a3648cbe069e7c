/** What wallets say became of their credentials. It is noted and changes nothing about what was issued. */
import { Fault } from '@symbolon/core/faults/faults';
import type { StandardsOfferAct } from '@symbolon/core/openid/standards-offer-states';
import { findStandardsOffer, moveStandardsOffer } from '../offers/standards-offer-rows.ts';
import type { OpenidParts } from '../parts/openid-parts.ts';
import type { Asking } from './credential-requests.ts';
import { findNotified, keepEvent } from './request-rows.ts';

const events: Readonly<Record<string, StandardsOfferAct>> = {
  credential_accepted: 'accept',
  credential_failure: 'fail',
  credential_deleted: 'delete',
};

/** The same said again is taken again. Throws `notificationMalformed`, `notificationUnknown`. */
export async function takeNotification(
  { database, clock, audit }: Pick<OpenidParts, 'database' | 'clock' | 'audit'>,
  { grant, actor }: Asking,
  { id, event }: { readonly id: string; readonly event: string },
): Promise<void> {
  const act = Object.hasOwn(events, event) ? events[event] : undefined;
  if (!act)
    throw new Fault('notificationMalformed', {
      detail: `event is none of ${Object.keys(events).join(', ')}`,
    });
  const request = await findNotified(database.kysely, id);
  if (!request || request.grantId !== grant.id || request.answer === null)
    throw new Fault('notificationUnknown');
  const now = clock.nowMs();
  await database.transaction(async (queries) => {
    if (!(await keepEvent(queries, { id: request.id, event, now }))) return;
    const offer = await findStandardsOffer(queries, grant.offerId);
    if (!offer) return;
    await moveStandardsOffer(queries, act, { id: offer.id, now });
    const { templateId, vcId, issuer } = offer;
    const outcome = act === 'fail' ? 'failed' : 'done';
    const told = { action: 'openidOffer.notify', subject: offer.id, outcome } as const;
    await audit.record({ actor, ...told, details: { templateId, vcId, issuer } }, queries);
  });
}
