/**
 * Offers for wallets of the field, for their issuers (`docs/standards.md`, "OpenID4VCI"): made, signed, withdrawn or
 * denied, listed. Link and codes are told once, in the answer to whoever makes the offer, and kept nowhere.
 */

import { encodeHex } from '@symbolon/core/basics/bytes';
import { shownState } from '@symbolon/core/credential/application-states';
import { readAttributeValues } from '@symbolon/core/credential/template-rules';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { OpenidOfferOrder } from '@symbolon/wire/openid/issuance-requests';
import type { OpenidIssuanceHandlers } from '@symbolon/wire/openid/issuance-routes';
import { arrivedValues } from '../../issuance/credential-drafts.ts';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import { makeTxCode } from '../../offers/offer-secrets.ts';
import { findPrice } from '../../payments/price-rows.ts';
import { findStoredTemplate } from '../../templates/template-rows.ts';
import { contexts } from '../../vault/encryption-contexts.ts';
import {
  addDataset,
  approveDataset,
  type DatasetRow,
  findDataset,
  rejectDataset,
} from '../datasets/dataset-rows.ts';
import {
  datasetDigestHex,
  makeDataset,
  openDataset,
  requireIssuerSignature,
  signingReply,
} from '../datasets/datasets.ts';
import { keptSignature } from '../datasets/kept-signatures.ts';
import { configurationId } from '../parts/configurations.ts';
import type { FormatIssuer } from '../parts/format-issuer.ts';
import { configurationsOf } from '../parts/offered-configurations.ts';
import { type OpenidParts, openidIssuerOfDid } from '../parts/openid-parts.ts';
import { makeReference, makeStandardsOfferId, secretHash } from '../parts/openid-secrets.ts';
import { offerDocument, walletOfferLink } from './offer-documents.ts';
import {
  addStandardsOffer,
  findStandardsOffer,
  listStandardsOffers,
  moveStandardsOffer,
  type StandardsOffer,
  standardsStateAt,
} from './standards-offer-rows.ts';

export interface OfferParts extends OpenidParts {
  readonly formatIssuers: readonly FormatIssuer[];
}

const timeText = (ms: number): string => new Date(ms).toISOString();

function issuerOf({ did }: Caller): string {
  if (did === undefined) throw new Fault('notAllowed', { detail: 'The API key acts for no issuer' });
  return did;
}

export function createStandardsOfferHandlers(parts: OfferParts) {
  const { database, clock } = parts;
  const { kysely } = database;

  const own = async (offerId: string, caller: Caller): Promise<StandardsOffer> => {
    const offer = await findStandardsOffer(kysely, offerId);
    if (!offer || offer.issuer !== issuerOf(caller)) throw new Fault('offerUnknown');
    return offer;
  };
  const shown = async (offerId: string, caller: Caller) => render(parts, await own(offerId, caller));

  return {
    makeOpenidOffer: (request, { caller }) => makeOffer(parts, request, caller),

    async listOpenidOffers({ isNewestFirst, cursor, itemsMax }, { caller }) {
      const issuer = issuerOf(caller);
      const page = await listStandardsOffers(kysely, { issuer, isNewestFirst, cursor, limit: itemsMax });
      const offers = await Promise.all(page.items.map((offer) => render(parts, offer)));
      return { offers, ...(page.next !== undefined && { nextCursor: page.next }) };
    },

    getOpenidOffer: ({ offerId }, { caller }) => shown(offerId, caller),

    async signOpenidOffer({ offerId, signature }, { caller }) {
      const { vcId, templateId, issuer } = await own(offerId, caller);
      const dataset = await requireDataset(parts, vcId);
      // Signed by an earlier request, of which this may be the repetition.
      if (dataset.signature === encodeHex(signature)) return shown(offerId, caller);
      if (dataset.state !== 'pending') throw alreadyDecided(dataset);
      requireIssuerSignature(parts, await openDataset(parts, dataset), signature);
      const now = clock.nowMs();
      await database.transaction(async (queries) => {
        const approval = { vcId, signature: encodeHex(signature), now };
        if (!(await approveDataset(queries, approval))) throw new Fault('stateForbids');
        const act = { actor: caller, action: 'openidOffer.sign', subject: offerId } as const;
        await parts.audit.record({ ...act, details: { templateId, issuer, vcId } }, queries);
      });
      return shown(offerId, caller);
    },

    async rejectOpenidOffer({ offerId, reason }, { caller }) {
      const offer = await own(offerId, caller);
      const { vcId, templateId, issuer } = offer;
      const dataset = await requireDataset(parts, vcId);
      if (dataset.state === 'rejected') return shown(offerId, caller);
      const now = clock.nowMs();
      const kept =
        reason === undefined
          ? null
          : await parts.vault.encryptText(reason, contexts.openidRejectReason(vcId));
      await database.transaction(async (queries) => {
        if (!(await rejectDataset(queries, { vcId, reason: kept, now }))) throw alreadyDecided(dataset);
        const isWithdrawn = await moveStandardsOffer(queries, 'withdraw', { id: offerId, now });
        if (!isWithdrawn) await moveStandardsOffer(queries, 'deny', { id: offerId, now });
        const act = { actor: caller, action: 'openidOffer.reject', subject: offerId } as const;
        await parts.audit.record({ ...act, details: { templateId, issuer, vcId } }, queries);
      });
      return shown(offerId, caller);
    },
  } satisfies Partial<OpenidIssuanceHandlers>;
}

const alreadyDecided = ({ state }: DatasetRow): Fault =>
  new Fault('stateForbids', { detail: `What was offered is ${shownState[state].toLowerCase()} already` });

async function requireDataset({ database }: OpenidParts, vcId: string): Promise<DatasetRow> {
  const dataset = await findDataset(database.kysely, vcId);
  if (!dataset) throw new Fault('offerUnknown');
  return dataset;
}

/** What an order offers, as far as this issuer may. */
async function offered(
  { database }: OpenidParts,
  { templateId, attributes, places }: OpenidOfferOrder,
  issuer: string,
) {
  const found = await findStoredTemplate(database.kysely, templateId);
  if (!found) throw new Fault('templateUnknown');
  const { template } = found;
  if (template.issuer !== issuer) throw new Fault('issuerMismatch');
  // Wallets of the field do not pay.
  const price = await findPrice(database.kysely, templateId);
  if (price && price.amount !== '0') throw new Fault('templatePriced');
  const values = readAttributeValues(template, arrivedValues(attributes, places), { pointer: places.whole });
  return { template, values };
}

function requireSeconds({ seconds, hasTxCode }: OpenidOfferOrder): number {
  const most = hasTxCode ? limits.codeSecondsWithTxCodeMax : limits.codeSecondsMax;
  if (seconds !== undefined && seconds > most)
    throw new Fault('requestMalformed', {
      detail: `/expiresInSeconds: is ${most} at most${hasTxCode ? '' : ', because whoever has the link has the credential'}`,
    });
  return seconds ?? limits.codeSecondsDefault;
}

async function makeOffer(parts: OfferParts, request: OpenidOfferOrder, caller: Caller) {
  const { database, vault, clock, audit, openidSecrets, crashPoint } = parts;
  const issuer = issuerOf(caller);
  const { template, values } = await offered(parts, request, issuer);
  const seconds = requireSeconds(request);
  const configurations = configurationsFor(parts, template, request);
  const { validFrom, validUntil } = request;
  const kept = makeDataset(parts, { template, values, validFrom, validUntil });
  const vcId = kept.dataset.id;
  const signature = await keptSignature(parts, kept);
  const id = makeStandardsOfferId();
  const reference = makeReference();
  const code = await openidSecrets.code(reference);
  const txCode = request.hasTxCode ? makeTxCode() : undefined;
  const now = clock.nowMs();
  const expiresAt = now + seconds * 1_000;
  const terms = { issuer, templateId: template.id, templateVersion: template.version, vcId };
  const dataset = {
    ...terms,
    digest: datasetDigestHex(kept),
    signature,
    contents: await vault.encryptDocument(kept, contexts.openidDataset(vcId)),
  };
  const offer = {
    ...{ ...terms, id, expiresAt },
    configurations: JSON.stringify(configurations),
    referenceHash: secretHash(reference),
    codeHash: secretHash(code),
    txCodeMark: txCode === undefined ? null : await openidSecrets.txCodeMark(id, txCode),
    hasTxCode: txCode === undefined ? 0 : 1,
    reference:
      request.reference === undefined
        ? null
        : await vault.encryptText(request.reference, contexts.openidOfferReference(id)),
  };
  await database.transaction(async (queries) => {
    await addDataset(queries, { ...dataset, now });
    await addStandardsOffer(queries, { ...offer, now });
    const act = { actor: caller, action: 'openidOffer.make', subject: id } as const;
    await audit.record({ ...act, details: { templateId: template.id, issuer, vcId } }, queries);
  });
  crashPoint('openidOfferStored');
  const identity = openidIssuerOfDid(parts, issuer);
  return {
    ...{ offerId: id, vcId, state: 'created' as const },
    link: walletOfferLink(identity, reference),
    offer: offerDocument(identity, { configurations, code, hasTxCode: txCode !== undefined }),
    ...(txCode !== undefined && { txCode }),
    expiresAt: timeText(expiresAt),
    ...(signature === null &&
      (signingReply(kept) as unknown as { ed25519Blob: string; unsigned: JsonObject })),
  };
}

/** Throws where a format cannot say this template. */
function configurationsFor(
  { formatIssuers, ...parts }: OfferParts,
  template: Template,
  { formats }: OpenidOfferOrder,
): readonly string[] {
  const identity = openidIssuerOfDid(parts, template.issuer);
  return formats.map((format) => {
    const one = formatIssuers.find(({ name }) => name === format);
    if (!one?.configurationOf(template, identity))
      throw new Fault('requestMalformed', { detail: `/formats: the template cannot be had as ${format}` });
    return configurationId(template, one.suffix);
  });
}

async function render({ database, vault, clock }: OpenidParts, offer: StandardsOffer) {
  const { id, vcId, templateId, templateVersion, reference, hasTxCode, wrongTxCodes } = offer;
  const dataset = await findDataset(database.kysely, vcId);
  return {
    ...{ offerId: id, vcId, state: standardsStateAt(offer, clock.nowMs()), templateId, templateVersion },
    status: shownState[dataset?.state ?? 'rejected'],
    configurations: [...configurationsOf(offer)],
    hasTxCode: hasTxCode === 1,
    wrongTxCodes,
    ...(reference && { reference: await vault.decryptText(reference, contexts.openidOfferReference(id)) }),
    createdAt: timeText(offer.createdAt),
    updatedAt: timeText(offer.updatedAt),
    expiresAt: timeText(offer.expiresAt),
  };
}
