/**
 * Offers for whoever has their code: shown, and accepted. An accepted offer is an application of its holder with what
 * was offered, like one that the holder had made; what issuers do with applications works with it unchanged. A code that
 * was never given is unknown; whoever has a given one is told what became of the offer.
 */
import { randomBytes } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex, equalTexts } from '@symbolon/core/basics/bytes';
import { shownState } from '@symbolon/core/credential/application-states';
import { tellingLabel } from '@symbolon/core/credential/telling-label';
import type { AttributeValues } from '@symbolon/core/credential/template-rules';
import { didOfPublicKey } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import { offerLimits } from '@symbolon/core/limits/waiting';
import { contentSubject } from '@symbolon/core/presentation/presence-text';
import { sha256, sha256Hex } from '@symbolon/host/work/sha256';
import { offeredContent } from '@symbolon/wire/offers/offered-content';
import type { OfferAcceptance } from '@symbolon/wire/offers/requests';
import type { OfferHandlers } from '@symbolon/wire/offers/routes';
import { requirePresence } from '../access/presence.ts';
import { givenKey, requireSignature } from '../access/signatures.ts';
import { addApplication, findApplication, findPendingApplication } from '../issuance/application-rows.ts';
import type { AppliedDocument } from '../issuance/issuance-handlers.ts';
import { encryptLabel } from '../issuance/labels.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findStoredTemplate } from '../templates/template-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { offerClosed } from './offer-faults.ts';
import {
  acceptOfferRow,
  countTxCodeTry,
  findOfferByCode,
  findOfferById,
  forgetTxCodeTry,
  lockOffer,
  type OfferRow,
  offerStateAt,
} from './offer-rows.ts';
import { createOfferMarks, type OfferMarks, offerCodeHash } from './offer-secrets.ts';

/** An offer that can still be accepted, and what it offers. */
interface OpenOffer {
  readonly offer: OfferRow;
  readonly values: AttributeValues;
}

export function createOfferBearerHandlers(parts: ServiceParts) {
  const { database, clock } = parts;
  const { kysely } = database;
  const marks = createOfferMarks(parts);

  return {
    async previewOffer({ code, txCode }) {
      const offer = await requireOffer(parts, code);
      const { id, templateId, templateVersion, txCodeMark } = offer;
      const state = offerStateAt(offer, clock.nowMs());
      // Of an accepted one, whoever accepted it is told the rest.
      if (state !== 'open' && offer.vcId === null) throw offerClosed(state);
      const isShown = state === 'open' && (txCodeMark === null || txCode !== undefined);
      const values = isShown ? (await openOffer(parts, marks, { offer, txCode })).values : {};
      const found = await findStoredTemplate(kysely, templateId, templateVersion);
      assert(found, 'a template that was offered is there');
      const { template } = found;
      return {
        offerId: id,
        state,
        templateId,
        templateVersion,
        templateName: template.name,
        issuer: offer.issuer,
        expiresAt: new Date(offer.expiresAt).toISOString(),
        ...(offer.hasTxCode === 1 && {
          tx_code: { input_mode: 'numeric' as const, length: offerLimits.txCodeDigits },
        }),
        attributes: template.attributes
          .filter(({ key }) => !isShown || Object.hasOwn(values, key))
          .map(({ key, label }) => ({ key, label, ...(isShown && { value: values[key] }) })),
      };
    },

    async acceptOffer(request, { caller }) {
      const offer = await requireOffer(parts, request.code);
      const holder = requireHolder(parts, offer, request);
      const again = await acceptedBefore(parts, offer, holder);
      if (again) return again;
      const opened = await openOffer(parts, marks, { offer, txCode: request.txCode });
      return accept(parts, opened, { request, holder, actor: { ...caller, did: holder } });
    },
  } satisfies Partial<OfferHandlers>;
}

async function requireOffer({ database }: Pick<ServiceParts, 'database'>, code: string): Promise<OfferRow> {
  const codeHash = offerCodeHash(code);
  const offer = await findOfferByCode(database.kysely, codeHash);
  if (!offer || !equalTexts(offer.codeHash, codeHash)) throw new Fault('offerUnknown');
  return offer;
}

/** Who accepts: the signature is over a text that names this offer, this service and this moment. */
function requireHolder(
  parts: Pick<ServiceParts, 'keys' | 'profile' | 'settings' | 'clock'>,
  { id }: OfferRow,
  { publicKey, signature, presence }: OfferAcceptance,
): string {
  const { keys, profile } = parts;
  const key = givenKey(publicKey, keys);
  // What it is about is held against the offer once that may be looked at.
  const { challenge } = presence;
  const wanted = { subject: id, ...(challenge !== undefined && { challenge }) };
  const message = requirePresence(parts, presence, { purpose: 'offer-acceptance', ...wanted });
  requireSignature({ messages: [message], signature, expectedKey: key }, keys);
  return didOfPublicKey(key, profile);
}

/** The answer that this holder has got, or should have got, before; throws for an offer that is another's. */
async function acceptedBefore(
  { database, vault }: Pick<ServiceParts, 'database' | 'vault'>,
  { id, state, vcId, holder: acceptedBy, templateId }: OfferRow,
  holder: string,
) {
  if (vcId === null) return undefined;
  if (acceptedBy !== holder) throw offerClosed(state);
  const application = await findApplication(database.kysely, vcId);
  assert(application, 'an offer that was accepted has its application');
  const { rejectReason } = application;
  return {
    offerId: id,
    vcId,
    templateId,
    status: shownState[application.state],
    ...(rejectReason && {
      reason: await vault.decryptDocument<string>(rejectReason, contexts.rejectReason(vcId)),
    }),
  };
}

interface Shown {
  readonly offer: OfferRow;
  readonly txCode: string | undefined;
}

/** What is offered, to whoever knows the further code where there is one. */
async function openOffer(
  parts: Pick<ServiceParts, 'database' | 'vault' | 'clock' | 'audit'>,
  marks: OfferMarks,
  { offer, txCode }: Shown,
): Promise<OpenOffer> {
  const state = offerStateAt(offer, parts.clock.nowMs());
  if (state !== 'open' || !offer.attributes) throw offerClosed(state);
  if (offer.txCodeMark !== null) await requireTxCode(parts, marks, { offer, txCode });
  const context = contexts.offerAttributes(offer.id);
  return { offer, values: await parts.vault.decryptDocument<AttributeValues>(offer.attributes, context) };
}

/**
 * A try counts before it is compared, and what is right is given back in the same transaction: however many come at
 * once, no more than a few wrong ones are heard. One without a code is not a try.
 */
async function requireTxCode(
  { database, clock, audit }: Pick<ServiceParts, 'database' | 'clock' | 'audit'>,
  marks: OfferMarks,
  { offer, txCode }: Shown,
): Promise<void> {
  const { id, codeHash, txCodeMark, templateId, issuer } = offer;
  if (txCode === undefined)
    throw new Fault('txCodeWrong', { detail: 'The offer needs a transaction code: tx_code is missing' });
  const isRight = equalTexts(await marks.txCode(id, txCode), txCodeMark ?? '');
  const triesLeft = await database.transaction(async (queries) => {
    const tries = await countTxCodeTry(queries, id, codeHash);
    if (tries === undefined) return undefined;
    if (isRight) {
      await forgetTxCodeTry(queries, id);
      return offerLimits.txCodeTriesMax;
    }
    const left = offerLimits.txCodeTriesMax - tries;
    if (left > 0) return left;
    await lockOffer(queries, id, clock.nowMs());
    await audit.record(
      { action: 'offer.lock', subject: id, details: { templateId, count: tries, issuer } },
      queries,
    );
    return 0;
  });
  if (triesLeft === undefined) {
    const current = await requireCurrent({ database }, offer);
    throw offerClosed(offerStateAt(current, clock.nowMs()));
  }
  if (isRight) return;
  if (triesLeft === 0) throw offerClosed('locked');
  const detail = `The transaction code is wrong; ${triesLeft} more ${triesLeft === 1 ? 'try' : 'tries'}`;
  throw new Fault('txCodeWrong', { detail, facts: { triesLeft } });
}

interface Accepting {
  readonly request: OfferAcceptance;
  readonly holder: string;
  readonly actor: { readonly keyId?: string; readonly did: string };
}

/** The application and the end of the offer are one: both are there, or neither. */
async function accept(
  parts: ServiceParts,
  { offer, values }: OpenOffer,
  { request: { signature, presence }, holder, actor }: Accepting,
) {
  const { database, vault, clock, audit, profile, crashPoint } = parts;
  const { id: offerId, codeHash, issuer, templateId, templateVersion } = offer;
  const content = offeredContent(
    templateId,
    Object.entries(values).map(([key, value]) => ({ key, value })),
  );
  if (presence.challenge !== contentSubject(content, sha256))
    throw new Fault('presenceRefused', {
      detail: 'The signed text is about other values than those of the offer: its challenge is another',
    });
  const vcId = `did:${profile.didMethod}:${randomBytes(32).toString('hex')}`;
  const signed = { content, signData: encodeHex(signature), signedText: presence.text };
  const applied: AppliedDocument = { values, signed };
  const attributes = await vault.encryptDocument(applied, contexts.applicationAttributes(vcId));
  const found = await findStoredTemplate(database.kysely, templateId, templateVersion);
  const told = tellingLabel(found?.template.attributes ?? [], values);
  const label = await encryptLabel(vault, told, contexts.applicationLabel(vcId));
  const now = clock.nowMs();
  const application = {
    ...{ vcId, templateId, templateVersion, issuer, holder, attributes, label, offerId, now },
    signatureHash: sha256Hex(signature),
    applyMark: null,
  };
  const isAccepted = await database.transaction(async (queries) => {
    if (!(await acceptOfferRow(queries, { id: offerId, codeHash, holder, vcId, now }))) return false;
    if (!(await addApplication(queries, application))) {
      const pending = await findPendingApplication(queries, { holder, templateId });
      throw new Fault('applicationExists', { ...(pending && { facts: { vcId: pending.vcId } }) });
    }
    const details = { templateId, issuer };
    await audit.record({ actor, action: 'offer.accept', subject: offerId, details }, queries);
    await audit.record({ actor, action: 'application.apply', subject: vcId, details }, queries);
    return true;
  });
  if (!isAccepted) return notAccepted(parts, offer, holder);
  crashPoint('offerAccepted');
  return { offerId, vcId, templateId, status: shownState.pending };
}

/** The offer as it is now; one that was renewed meanwhile has another code, and this one is unknown. */
async function requireCurrent(
  { database }: Pick<ServiceParts, 'database'>,
  { id, codeHash }: OfferRow,
): Promise<OfferRow> {
  const current = await findOfferById(database.kysely, id);
  if (!current || current.codeHash !== codeHash) throw new Fault('offerUnknown');
  return current;
}

/** Another request was faster: one of the same holder, which has the answer, or one that has ended the offer. */
async function notAccepted(
  parts: Pick<ServiceParts, 'database' | 'vault' | 'clock'>,
  offer: OfferRow,
  holder: string,
) {
  const current = await requireCurrent(parts, offer);
  const again = await acceptedBefore(parts, current, holder);
  if (again) return again;
  throw offerClosed(offerStateAt(current, parts.clock.nowMs()));
}
