/**
 * Offers for wallets of the field, for their issuers (`docs/standards.md`, "OpenID4VCI"): made, signed, withdrawn or
 * denied, listed. Link and codes are told once, in the answer to whoever makes the offer, and kept nowhere.
 */

import { encodeHex } from '@symbolon/core/basics/bytes';
import { shownState } from '@symbolon/core/credential/application-states';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { OpenidOfferOrder } from '@symbolon/wire/openid/issuance-requests';
import type { OpenidIssuanceHandlers } from '@symbolon/wire/openid/issuance-routes';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import { makeTxCode } from '../../offers/offer-secrets.ts';
import { paidBy } from '../../parts/service-parts.ts';
import { findStoredTemplate } from '../../templates/template-rows.ts';
import { contexts } from '../../vault/encryption-contexts.ts';
import { approveDataset, type DatasetRow, findDataset, rejectDataset } from '../datasets/dataset-rows.ts';
import { openContents, requireIssuerSignature } from '../datasets/datasets.ts';
import { findLogin } from '../logins/login-rows.ts';
import { configurationId } from '../parts/configurations.ts';
import type { OfferedFormat } from '../parts/format-issuer.ts';
import { issuerOfCaller } from '../parts/issuer-callers.ts';
import { configurationsOf } from '../parts/offered-configurations.ts';
import { type OpenidParts, openidIssuerOfDid } from '../parts/openid-parts.ts';
import { makeReference, makeStandardsOfferId, secretHash } from '../parts/openid-secrets.ts';
import { offerDocument, offerGrant, walletOfferLink } from './offer-documents.ts';
import { prepareDataset, storeOffered } from './offer-making.ts';
import {
  findStandardsOffer,
  isByLogin,
  listStandardsOffers,
  moveStandardsOffer,
  type StandardsOffer,
  standardsStateAt,
} from './standards-offer-rows.ts';

export interface OfferParts extends OpenidParts {
  readonly formatIssuers: readonly OfferedFormat[];
}

const timeText = (ms: number): string => new Date(ms).toISOString();

export function createStandardsOfferHandlers(parts: OfferParts) {
  const { database, clock } = parts;
  const { kysely } = database;

  const own = async (offerId: string, caller: Caller): Promise<StandardsOffer> => {
    const offer = await findStandardsOffer(kysely, offerId);
    if (!offer || offer.issuer !== issuerOfCaller(caller)) throw new Fault('offerUnknown');
    return offer;
  };
  const shown = async (offerId: string, caller: Caller) => render(parts, await own(offerId, caller));

  return {
    makeOpenidOffer: (request, { caller }) => makeOffer(parts, request, caller),

    async listOpenidOffers({ isNewestFirst, cursor, itemsMax }, { caller }) {
      const issuer = issuerOfCaller(caller);
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
      const kept = await openContents(parts, dataset);
      requireIssuerSignature(parts, dataset, { kept, signature });
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

/** What an order offers a credential of, as far as this issuer may. */
async function offeredTemplate(
  { database }: OpenidParts,
  { templateId, isByLogin }: OpenidOfferOrder,
  issuer: string,
): Promise<Template> {
  const { kysely } = database;
  const found = await findStoredTemplate(kysely, templateId);
  if (!found) throw new Fault('templateUnknown');
  if (found.template.issuer !== issuer) throw new Fault('issuerMismatch');
  if (isByLogin && !(await findLogin(kysely, issuer))?.templateIds.includes(templateId))
    throw new Fault('requestMalformed', { detail: '/login: you have no login for this template' });
  return found.template;
}

function requireSeconds({ seconds, hasTxCode, isByLogin }: OpenidOfferOrder): number {
  const isLinkEnough = !hasTxCode && !isByLogin;
  const most = isLinkEnough ? limits.codeSecondsMax : limits.codeSecondsWithTxCodeMax;
  if (seconds !== undefined && seconds > most)
    throw new Fault('requestMalformed', {
      detail: `/expiresInSeconds: is ${most} at most${isLinkEnough ? ', because whoever has the link has the credential' : ''}`,
    });
  return seconds ?? limits.codeSecondsDefault;
}

async function makeOffer(parts: OfferParts, request: OpenidOfferOrder, caller: Caller) {
  const { database, vault, clock, openidSecrets, crashPoint } = parts;
  const issuer = issuerOfCaller(caller);
  const template = await offeredTemplate(parts, request, issuer);
  const seconds = requireSeconds(request);
  const configurations = configurationsFor(parts, template, request);
  const prepared = await prepareDataset(paidBy(parts, caller), { ...request, template });
  const id = makeStandardsOfferId();
  const reference = makeReference();
  const { hasTxCode, isByLogin: isForLogin } = request;
  const grant = await offerGrant(parts, { reference, hasTxCode, isByLogin: isForLogin });
  const txCode = hasTxCode ? makeTxCode() : undefined;
  const now = clock.nowMs();
  const names = {
    ...{ id, now, expiresAt: now + seconds * 1_000 },
    configurations: JSON.stringify(configurations),
    referenceHash: secretHash(reference),
    codeHash: 'code' in grant ? secretHash(grant.code) : null,
    issuerStateHash: 'code' in grant ? null : secretHash(grant.issuerState),
    authorizationId: null,
    txCodeMark: txCode === undefined ? null : await openidSecrets.txCodeMark(id, txCode),
    hasTxCode: txCode === undefined ? 0 : 1,
    reference:
      request.reference === undefined
        ? null
        : await vault.encryptText(request.reference, contexts.openidOfferReference(id)),
  };
  await database.transaction((queries) => storeOffered(parts, queries, { prepared, names, actor: caller }));
  crashPoint('openidOfferStored');
  const identity = openidIssuerOfDid(parts, issuer);
  return {
    ...{ offerId: id, vcId: prepared.row.vcId, state: 'created' as const },
    link: walletOfferLink(identity, reference),
    offer: offerDocument(identity, { configurations, grant }),
    ...(txCode !== undefined && { txCode }),
    expiresAt: timeText(names.expiresAt),
    ...prepared.toSign,
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
    isByLogin: isByLogin(offer),
    wrongTxCodes,
    ...(reference && { reference: await vault.decryptText(reference, contexts.openidOfferReference(id)) }),
    createdAt: timeText(offer.createdAt),
    updatedAt: timeText(offer.updatedAt),
    expiresAt: timeText(offer.expiresAt),
  };
}
