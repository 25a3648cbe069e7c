/**
 * Issuing without the issuer at hand: whether its policy lets this holder have a credential now, and making it with the
 * keys that the issuer left here (`issuer-settings.ts`). A credential is made and signed completely before anything is
 * paid, so that after the payment only recording it is left to do.
 */
import { assert } from '@symbolon/core/basics/assert';
import { equalBytes, parseHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { issuerSigningInput } from '@symbolon/core/credential/credential-assembly';
import type { AttributeValues } from '@symbolon/core/credential/template-rules';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { encodePublicKey, parsePublicKey } from '@symbolon/core/proofs/key-text';
import { sha256 } from '@symbolon/host/work/sha256';
import { signerFromSeed } from '@symbolon/sdk/index';
import { keyOfLedgerDid } from '../access/signatures.ts';
import { makeDraft, publishedBbsKeys } from '../issuance/credential-drafts.ts';
import { completeSubmission, type StoredSubmission } from '../issuance/credential-submission.ts';
import { findBbsKey } from '../vault/caller-keys.ts';
import { places } from '../vault/places.ts';
import { autoIssueRefused, dayIsFull, issuingEnded } from './payment-faults.ts';
import { dayOf, type PaymentParts } from './payment-parts.ts';
import { countPayments, type Payment } from './payment-rows.ts';
import { type AutoIssuePolicy, findAutoIssue, findIssuerSecret } from './price-rows.ts';

/** Both keys must be here, and the BBS+ key in the issuer's document. */
export async function requireKeys(parts: PaymentParts, issuer: string): Promise<void> {
  const { database, vault } = parts;
  if (!(await findIssuerSecret(database.kysely, issuer)))
    throw new Fault('keyUnknown', { detail: 'The issuer has not left its Ed25519 key here' });
  for (const { publicKey } of await publishedBbsKeys(parts, issuer)) {
    const name = { owner: issuer, publicKey: encodePublicKey(publicKey) };
    const kept = await findBbsKey(database.kysely, vault, name);
    kept?.fill(0);
    if (kept) return;
  }
  throw new Fault('keyNotPublished', {
    detail: "None of the BBS+ keys in the issuer's DID document is kept here",
  });
}

/** The policy under which this holder, or with none named anybody, gets a credential of this template now. */
export async function requirePolicy(
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
export function validUntilOf(
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

/** What the holder applied with, after all checks. */
export interface OrderedContent {
  readonly template: Template;
  readonly values: AttributeValues;
  readonly validUntil: string;
}

/** The whole credential that was offered, signed with both of the issuer's keys and checked like any other. */
export async function makeSubmission(
  parts: PaymentParts,
  { vcId, holder, templateVersion }: Payment,
  { template, values, validUntil }: OrderedContent,
): Promise<StoredSubmission> {
  if (template.version !== templateVersion)
    throw new Fault('paymentUnknown', { detail: 'The template has a new version: ask for a new offer' });
  const none = { attributes: new Map(), places: { whole: '', each: new Map() }, context: undefined };
  const draft = await makeDraft(parts, {
    template,
    application: { vcId, holder },
    values,
    request: { validFrom: undefined, validUntil, ...none },
  });
  if (!draft.bbs) throw new Fault('keyNotPublished', { detail: "The issuer's BBS+ key is not kept here" });
  const [bbsPublicKey, bbsSignature] = [parsePublicKey(draft.bbs.publicKey), parseHex(draft.bbs.signature)];
  assert(bbsPublicKey && bbsSignature, 'a draft holds what the service encoded itself');
  const signed = issuerSigningInput(draft, sha256);
  const { signature, bytes } = await signAsIssuer(parts, template.issuer, signed);
  return completeSubmission(parts, draft, {
    publicKey: { bytes },
    signature,
    bbsPublicKey,
    bbsSignature,
    downloadWindow: undefined,
  });
}

async function signAsIssuer(
  { database, vault, keys }: Pick<PaymentParts, 'database' | 'vault' | 'keys'>,
  issuer: string,
  message: Uint8Array,
) {
  const secret = await findIssuerSecret(database.kysely, issuer);
  if (!secret) throw autoIssueRefused('The issuer has taken its key away');
  const seed = await vault.open(secret, places.issuerSecret(issuer));
  try {
    const signer = await signerFromSeed(seed, { profile: keys.profile });
    const bytes = keys.parsePublicKey(signer.publicKey);
    assert(bytes && equalBytes(bytes, keyOfLedgerDid(issuer, keys)), "the key kept is the issuer's");
    return { signature: await signer.sign(message), bytes };
  } finally {
    seed.fill(0);
  }
}
