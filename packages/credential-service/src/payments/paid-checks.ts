/**
 * Everything about a paid application that can be checked before money is spoken of: who signed, the template, its
 * attributes, whether the holder has such a credential already, whether the issuer lets the service issue it, and the
 * price. In this order, and the same for a quote, a demand for payment and the payment itself.
 */
import { concatBytes, encodeHex, encodeUtf8, equalTexts } from '@symbolon/core/basics/bytes';
import { readAttributeValues } from '@symbolon/core/credential/template-rules';
import { didOfPublicKey } from '@symbolon/core/did/did';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { presenceLimits } from '@symbolon/core/limits/documents';
import { contentSubject } from '@symbolon/core/presentation/presence-text';
import { sha256 } from '@symbolon/host/work/sha256';
import type { PaidApplicationRequest, PaidContent } from '@symbolon/wire/payments/requests';
import { signedMessage } from '../access/presence.ts';
import { addressOfIssuer, givenKey, verifyEd25519 } from '../access/signatures.ts';
import { findPendingApplication } from '../issuance/application-rows.ts';
import { arrivedValues } from '../issuance/credential-drafts.ts';
import { findTemplate } from '../templates/template-rows.ts';
import { type OrderedContent, requirePolicy, validUntilOf } from './auto-issue.ts';
import { autoIssueRefused, freeByOldRule } from './payment-faults.ts';
import type { PaymentParts } from './payment-parts.ts';
import { bindOldRuleSignature, listActive, type Payment } from './payment-rows.ts';
import { type AutoIssuePolicy, findPrice, type Price } from './price-rows.ts';

export interface Applicant {
  readonly holder: string;
  /** Of the holder's own key. */
  readonly address: string;
  /** Signed by the old rule, so it is known who it is and hardly what was meant. */
  readonly isByOldRule?: boolean;
}

export interface CheckedApplication extends OrderedContent {
  readonly policy: AutoIssuePolicy;
  readonly price: Price;
  /** When the checks began: what happened since is not seen by them. */
  readonly checkedAt: number;
}

export const dataHashOf = (data: string): string => encodeHex(sha256(encodeUtf8(data)));

/**
 * Of an offer that was made without a signature: together with its id, so that nobody finds it by the text alone and
 * whoever made it learns nothing of applications with the same text.
 */
export const quotedHashOf = (paymentId: string, data: string): string => dataHashOf(`${paymentId}\n${data}`);

/** Whether an offer was made for this text, with a signature or without. */
export const isForText = ({ paymentId, dataHash }: Payment, data: string): boolean =>
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
  const signatureHash = encodeHex(sha256(concatBytes(publicKey.bytes, signature)));
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
  const found = await findTemplate(kysely, content.templateId);
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
