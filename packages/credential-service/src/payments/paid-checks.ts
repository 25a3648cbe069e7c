/**
 * Everything about a paid application that can be checked before money is spoken of: who signed, the template, its
 * attributes, whether the issuer lets the service issue it without being asked, the price, and whether the holder has
 * such a credential already. In this order, and the same for a quote, a demand for payment and the payment itself.
 */
import { concatBytes, equalTexts } from '@symbolon/core/basics/bytes';
import { dayOf, instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { type AttributeValues, readAttributeValues } from '@symbolon/core/credential/template-rules';
import { didOfPublicKey, encodeBbsPublicKey } from '@symbolon/core/did/did';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { presenceLimits } from '@symbolon/core/limits/documents';
import { contentSubject } from '@symbolon/core/presentation/presence-text';
import { sha256, sha256Hex } from '@symbolon/host/work/sha256';
import type { PaidApplicationRequest, PaidContent } from '@symbolon/wire/payments/requests';
import { signedMessage } from '../access/presence.ts';
import { addressOfIssuer, givenKey, verifyEd25519 } from '../access/signatures.ts';
import { findPendingApplication } from '../issuance/application-rows.ts';
import { arrivedValues, publishedBbsKeys } from '../issuance/credential-drafts.ts';
import { listActive } from '../issuance/credential-rows.ts';
import { findStoredTemplate } from '../templates/template-rows.ts';
import { hasBbsKey } from '../vault/caller-keys.ts';
import { autoIssueRefused, dayIsFull, freeByOldRule, issuingEnded } from './payment-faults.ts';
import type { PaymentParts } from './payment-parts.ts';
import { bindOldRuleSignature, countPayments, type PaymentRow } from './payment-rows.ts';
import {
  type AutoIssuePolicy,
  findAutoIssue,
  findPrice,
  findStoredIssuerKey,
  type Price,
} from './price-rows.ts';

export interface Applicant {
  readonly holder: string;
  /** Of the holder's own key. */
  readonly address: string;
  /** Signed by the old rule, so it is known who it is and hardly what was meant. */
  readonly isByOldRule?: boolean;
}

export interface CheckedApplication {
  readonly template: Template;
  readonly values: AttributeValues;
  readonly validUntil: string;
  readonly policy: AutoIssuePolicy;
  readonly price: Price;
  /** When the checks began: what happened since is not seen by them. */
  readonly checkedAt: number;
}

export const dataHashOf = (data: string): string => sha256Hex(data);

/**
 * Of an offer that was made without a signature: together with its id, so that nobody finds it by the text alone and
 * whoever made it learns nothing of applications with the same text.
 */
export const quotedHashOf = (paymentId: string, data: string): string => dataHashOf(`${paymentId}\n${data}`);

/** Whether an offer was made for this text, with a signature or without. */
export const isForText = ({ paymentId, dataHash }: PaymentRow, data: string): boolean =>
  [dataHashOf(data), quotedHashOf(paymentId, data)].includes(dataHash);

export function applicantOf(
  { keys, profile }: Pick<PaymentParts, 'keys' | 'profile'>,
  { publicKey }: PaidContent,
): Applicant {
  const bytes = givenKey(publicKey, keys);
  return { holder: didOfPublicKey(bytes, profile), address: keys.addressOf(bytes) };
}

/**
 * The holder's signature over a text that names the hash of `data` and a moment, or over `data` itself; by the old rule
 * only where the operator lets it pass.
 */
export async function requireApplicant(
  parts: PaymentParts,
  request: PaidApplicationRequest,
): Promise<Applicant> {
  const { keys, lenientSignatures, warn } = parts;
  const { presence, signature, data } = request;
  const key = givenKey(request.publicKey, keys);
  const applicant = applicantOf(parts, request);
  const wanted = { purpose: 'paid-application', subject: contentSubject(data, sha256) } as const;
  const message = signedMessage(parts, presence, { ...wanted, older: request.signedBytes });
  if (verifyEd25519(key, message, signature)) return applicant;
  const isByOldRule =
    lenientSignatures && !presence && verifyEd25519(key, request.olderSignedBytes, signature);
  if (!isByOldRule)
    throw new Fault('signerMismatch', { detail: 'The signature does not fit the text of data' });
  await bindToText(parts, request);
  warn({ holder: applicant.holder }, 'a signature by the old rule was taken: it fits more than one text');
  return { ...applicant, isByOldRule };
}

/** The first text that such a signature comes with is the one that it stands for; and free it gets nothing. */
async function bindToText(
  { database, clock }: Pick<PaymentParts, 'database' | 'clock'>,
  { templateId, publicKey, signature, data }: PaidApplicationRequest,
): Promise<void> {
  const { kysely } = database;
  const price = await findPrice(kysely, templateId);
  if (!price || price.amount === '0') throw freeByOldRule();
  const textHash = dataHashOf(data);
  const signatureHash = sha256Hex(concatBytes(publicKey.bytes, signature));
  const expiresAt = clock.nowMs() + presenceLimits.oldRuleMemoryMs;
  const kept = await bindOldRuleSignature(kysely, { signatureHash, textHash, expiresAt });
  if (kept !== undefined && equalTexts(kept, textHash)) return;
  throw new Fault('signatureUsed', { detail: 'The signature came with another text before' });
}

/** That the holder has such a credential, or is paying for one. */
export interface CredentialExists {
  readonly detail: string;
  readonly facts: { readonly vcId: string } | { readonly paymentId: string };
}

/** All of it, for an applicant who has signed. */
export async function checkApplication(
  parts: PaymentParts,
  content: PaidContent,
  { holder }: Applicant,
): Promise<CheckedApplication | CredentialExists> {
  const checked = await checkContent(parts, content, holder);
  const { template, policy } = checked;
  if (await findPendingApplication(parts.database.kysely, { holder, templateId: template.id }))
    throw new Fault('applicationExists');
  const existing = policy.allowReissue ? undefined : await findGood(parts, template, holder);
  return existing ?? checked;
}

/** What anybody may be told about an application. Of the holder nothing, unless it is named because it has signed. */
export async function checkContent(
  parts: PaymentParts,
  content: PaidContent,
  holder?: string,
): Promise<CheckedApplication> {
  const { kysely } = parts.database;
  const checkedAt = parts.clock.nowMs();
  const found = await findStoredTemplate(kysely, content.templateId);
  if (!found) throw new Fault('templateUnknown');
  const { template } = found;
  // The attributes are inside of a text.
  const places = { whole: '/data', each: new Map() };
  const arrived = arrivedValues(content.attributes, places);
  const values = readAttributeValues(template, arrived, { pointer: places.whole });
  const policy = await requirePolicy(parts, template, holder);
  const validUntil = validUntilOf(parts, policy, content.validUntil);
  const price = await findPrice(kysely, template.id);
  if (!price) throw autoIssueRefused('The issuer has set no price for it');
  return { template, values, validUntil, policy, price, checkedAt };
}

/** Both keys must be here, and the BBS+ key in the issuer's document. */
export async function requireKeys(parts: PaymentParts, issuer: string): Promise<void> {
  const { database } = parts;
  if (!(await findStoredIssuerKey(database.kysely, issuer)))
    throw new Fault('keyUnknown', { detail: 'The issuer has not left its Ed25519 key here' });
  for (const { publicKey } of await publishedBbsKeys(parts, issuer)) {
    const name = { owner: issuer, publicKey: encodeBbsPublicKey(publicKey) };
    if (await hasBbsKey(database.kysely, name)) return;
  }
  throw new Fault('keyNotPublished', {
    detail: "None of the BBS+ keys in the issuer's DID document is kept here",
  });
}

/** The policy under which this holder, or with none named anybody, gets a credential of this template now. */
async function requirePolicy(
  parts: PaymentParts,
  { id: templateId, issuer }: Template,
  holder: string | undefined,
): Promise<AutoIssuePolicy> {
  const { database, clock } = parts;
  const now = clock.nowMs();
  const policy = await findAutoIssue(database.kysely, templateId);
  if (!policy?.isEnabled || policy.issuer !== issuer) throw issuingEnded();
  if (policy.until <= now) throw autoIssueRefused('The issuer has stopped issuing it at once');
  const isListed =
    holder === undefined || policy.holders === null || policy.holders.split(' ').includes(holder);
  if (!isListed) throw autoIssueRefused('The issuer does not issue it to this holder at once');
  const count = await countPayments(database.kysely, { templateId, day: dayOf(now) });
  if (count >= policy.perDayMax) throw dayIsFull();
  await requireKeys(parts, issuer).catch((error: unknown) => {
    throw error instanceof Fault && error.code === 'keyUnknown' ? autoIssueRefused(error.message) : error;
  });
  return policy;
}

/** Until when a credential is valid: as the holder wants it, within what the issuer allows. */
function validUntilOf(
  { clock }: Pick<PaymentParts, 'clock'>,
  { validSeconds }: AutoIssuePolicy,
  wanted: string | undefined,
): string {
  const latest = clock.nowMs() + validSeconds * 1_000;
  const end = wanted === undefined ? latest : Date.parse(wanted);
  if (end > latest)
    throw new Fault('validityInvalid', {
      detail: `/expirationDate: the issuer allows ${validSeconds} seconds`,
    });
  if (end <= clock.nowMs())
    throw new Fault('validityInvalid', { detail: '/expirationDate: lies in the past' });
  return instantTextOfUnixMs(end);
}

/** The ledger decides whether what the holder has is still good. */
async function findGood(
  { database, keys, ledger, clock }: Pick<PaymentParts, 'database' | 'keys' | 'ledger' | 'clock'>,
  { id: templateId }: Template,
  holder: string,
): Promise<CredentialExists | undefined> {
  const detail = 'The holder has such a credential that has neither expired nor been revoked';
  for (const { vcId, issuer } of await listActive(database.kysely, { holder, templateId })) {
    const entry = await ledger.readEntry(addressOfIssuer(issuer, keys), vcId);
    if (entry?.status === 'active' && Date.parse(entry.validUntil) > clock.nowMs())
      return { detail, facts: { vcId } };
  }
  return undefined;
}
