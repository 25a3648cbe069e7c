/**
 * Offers for their issuers (`docs/credentials.md`, "Offers"): made, listed, withdrawn. The code of an offer is told once,
 * in the answer to whoever makes it, and kept nowhere. What is offered is checked as an application is.
 */
import { readAttributeValues } from '@symbolon/core/credential/template-rules';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { offerLimits } from '@symbolon/core/limits/waiting';
import type { Caller } from '@symbolon/wire/http/service-route';
import { writeOfferLink } from '@symbolon/wire/offers/offer-link';
import type { OfferOrderRequest } from '@symbolon/wire/offers/requests';
import type { OfferHandlers } from '@symbolon/wire/offers/routes';
import { arrivedValues } from '../issuance/credential-drafts.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findPrice } from '../payments/price-rows.ts';
import { findStoredTemplate } from '../templates/template-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { offerClosed } from './offer-faults.ts';
import {
  addOffer,
  expireOffer,
  findOfferById,
  findStandingOffer,
  listOfferRows,
  type OfferPlace,
  type OfferRow,
  type OfferSummary,
  offerStateAt,
  renewOffer,
  withdrawOfferRow,
} from './offer-rows.ts';
import { createOfferMarks, makeOfferCode, makeOfferId, makeTxCode, offerCodeHash } from './offer-secrets.ts';

const timeText = (ms: number): string => new Date(ms).toISOString();

export function createOfferHandlers(parts: ServiceParts) {
  const { database, vault, clock, audit, settings, crashPoint } = parts;
  const { kysely } = database;
  const marks = createOfferMarks(parts);

  return {
    async makeOffer(request, { caller }) {
      const issuer = issuerOf(caller);
      const { template, values } = await offered(parts, request, issuer);
      const now = clock.nowMs();
      const { reference } = request;
      const place = {
        issuer,
        templateId: template.id,
        referenceMark: reference === undefined ? null : await marks.reference(issuer, template.id, reference),
      };
      const before = await standingBefore(parts, place);
      if (before && (before.state !== 'open' || !request.isRenewal)) throw offerExists(before);
      const id = before?.id ?? makeOfferId();
      const code = makeOfferCode();
      // What was protected stays so unless somebody says otherwise.
      const hasTxCode = request.hasTxCode ?? before?.hasTxCode === 1;
      const txCode = hasTxCode ? makeTxCode() : undefined;
      const expiresAt = now + request.seconds * 1_000;
      const contents = {
        codeHash: offerCodeHash(code),
        templateVersion: template.version,
        attributes: await vault.encryptDocument(values, contexts.offerAttributes(id)),
        reference:
          reference === undefined ? null : await vault.encryptText(reference, contexts.offerReference(id)),
        txCodeMark: txCode === undefined ? null : await marks.txCode(id, txCode),
        hasTxCode: hasTxCode ? 1 : 0,
        expiresAt,
      };
      await database.transaction(async (queries) => {
        const isKept = before
          ? await renewOffer(queries, { id, now, ...contents })
          : await addOffer(queries, { id, now, ...place, ...contents });
        if (!isKept) throw offerExists(await findStandingOffer(queries, place));
        const details = { templateId: template.id };
        await audit.record({ actor: caller, action: 'offer.make', subject: id, details }, queries);
      });
      crashPoint('offerStored');
      const link = writeOfferLink({
        service: settings.publicUrl,
        templateIds: [template.id],
        code,
        ...(txCode !== undefined && { txCode: { length: offerLimits.txCodeDigits } }),
      });
      return {
        offerId: id,
        state: 'open',
        link,
        ...(txCode !== undefined && { txCode }),
        expiresAt: timeText(expiresAt),
      };
    },

    async listOffers({ state, templateId, isNewestFirst, cursor, itemsMax }, { caller }) {
      const issuer = issuerOf(caller);
      const now = clock.nowMs();
      const searched = { issuer, state, templateId, isNewestFirst, cursor, limit: itemsMax, now };
      const page = await listOfferRows(kysely, searched);
      // It names holders, and whoever else the references name.
      const details = { count: page.items.length, ...(templateId !== undefined && { templateId }) };
      await audit.record({ actor: caller, action: 'offer.list', subject: issuer, details });
      const offers = await Promise.all(page.items.map((offer) => render(parts, offer, now)));
      return { offers, ...(page.next !== undefined && { nextCursor: page.next }) };
    },

    async withdrawOffer({ offerId }, { caller }) {
      const offer = await findOfferById(kysely, offerId);
      if (!offer || offer.issuer !== issuerOf(caller)) throw new Fault('offerUnknown');
      const now = clock.nowMs();
      const isWithdrawn = await database.transaction(async (queries) => {
        if (!(await withdrawOfferRow(queries, offerId, now))) return false;
        await audit.record({ actor: caller, action: 'offer.withdraw', subject: offerId }, queries);
        return true;
      });
      const current = isWithdrawn ? undefined : await findOfferById(kysely, offerId);
      // Withdrawn by an earlier request, of which this may be the repetition.
      if (isWithdrawn || current?.state === 'withdrawn') return { offerId, state: 'withdrawn' };
      throw offerClosed(current ? offerStateAt(current, now) : 'expired');
    },
  } satisfies Partial<OfferHandlers>;
}

function issuerOf({ did }: Caller): string {
  if (did === undefined) throw new Fault('notAllowed', { detail: 'The API key acts for no issuer' });
  return did;
}

/** What an order offers, as far as this issuer may. */
async function offered(
  { database }: Pick<ServiceParts, 'database'>,
  { templateId, attributes, places, isPriceWaived }: OfferOrderRequest,
  issuer: string,
): Promise<{ readonly template: Template; readonly values: ReturnType<typeof readAttributeValues> }> {
  const found = await findStoredTemplate(database.kysely, templateId);
  if (!found) throw new Fault('templateUnknown');
  const { template } = found;
  if (template.issuer !== issuer) throw new Fault('issuerMismatch');
  const price = await findPrice(database.kysely, templateId);
  if (price && price.amount !== '0' && !isPriceWaived) throw new Fault('templatePriced');
  const values = readAttributeValues(template, arrivedValues(attributes, places), { pointer: places.whole });
  return { template, values };
}

/** The offer of the same reference that stands; an open one whose time is over ends here. */
async function standingBefore(
  { database, clock }: Pick<ServiceParts, 'database' | 'clock'>,
  place: OfferPlace,
): Promise<OfferRow | undefined> {
  if (place.referenceMark === null) return undefined;
  const now = clock.nowMs();
  const before = await findStandingOffer(database.kysely, place);
  if (!before || offerStateAt(before, now) !== 'expired') return before;
  await expireOffer(database.kysely, before.id, now);
  return undefined;
}

const offerExists = (before: OfferRow | undefined): Fault =>
  new Fault('offerExists', {
    ...(before && {
      detail:
        before.state === 'open'
          ? `The open offer ${before.id} has this reference`
          : `The offer ${before.id} with this reference was accepted and waits to be issued`,
      facts: { offerId: before.id },
    }),
  });

async function render({ vault }: Pick<ServiceParts, 'vault'>, offer: OfferSummary, now: number) {
  const { id, templateId, templateVersion, reference, hasTxCode, wrongTxCodes, holder, vcId } = offer;
  return {
    offerId: id,
    state: offerStateAt(offer, now),
    templateId,
    templateVersion,
    ...(reference && { reference: await vault.decryptText(reference, contexts.offerReference(id)) }),
    hasTxCode: hasTxCode === 1,
    wrongTxCodes,
    ...(holder !== null && { holder }),
    ...(vcId !== null && { vcId }),
    createdAt: timeText(offer.createdAt),
    updatedAt: timeText(offer.updatedAt),
    expiresAt: timeText(offer.expiresAt),
  };
}
