/**
 * Issuing without the issuer at hand: the keys it left here, sealed in the vault, and the policy that says for whom,
 * how many a day and until when they may be used. A credential is made and signed completely before anything is paid,
 * so that after the payment only recording it is left to do.
 */

import { assert } from '@symbolon/core/basics/assert';
import { equalBytes, parseHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { issuerSigningInput } from '@symbolon/core/credential/credential-assembly';
import type { AttributeValues } from '@symbolon/core/credential/template-rules';
import { encodeBbsPublicKey, parseBbsPublicKey } from '@symbolon/core/did/did';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { sha256 } from '@symbolon/host/work/sha256';
import { signerFromSeed } from '@symbolon/sdk/index';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { AutoIssueRequest } from '@symbolon/wire/payments/requests';
import { keyOfLedgerDid } from '../access/signatures.ts';
import { makeDraft, publishedBbsKeys } from '../issuance/credential-drafts.ts';
import { completeSubmission, type StoredSubmission } from '../issuance/credential-submission.ts';
import { findTemplate } from '../templates/template-rows.ts';
import { findBbsKey, keepBbsKey } from '../vault/caller-keys.ts';
import { places } from '../vault/places.ts';
import { dayOf, type PaymentParts } from './payment-parts.ts';
import { countPayments, type Payment } from './payment-rows.ts';
import {
  type AutoIssuePolicy,
  deleteIssuerKey,
  findAutoIssue,
  findStoredIssuerKey,
  putAutoIssue,
  putIssuerKey,
  stopAutoIssue,
} from './price-rows.ts';

const refused = (detail: string) => new Fault('autoIssueRefused', { detail });

/** The template, of which the caller must be the issuer. */
export async function requireOwnTemplate(
  { database }: PaymentParts,
  templateId: string,
  caller: Caller,
): Promise<Template> {
  const found = await findTemplate(database.kysely, templateId);
  if (!found) throw new Fault('templateUnknown');
  if (caller.did !== found.template.issuer) throw new Fault('issuerMismatch');
  return found.template;
}

/** Keeps keys and policy. What could never issue anything is refused at once. */
export async function setAutoIssue(
  parts: PaymentParts,
  request: AutoIssueRequest,
  caller: Caller,
): Promise<AutoIssuePolicy> {
  const { database, clock, audit } = parts;
  const { issuer } = await requireOwnTemplate(parts, request.templateId, caller);
  const now = clock.nowMs();
  const until = Date.parse(request.until);
  if (until <= now) throw new Fault('validityInvalid', { detail: '/until: lies in the past' });
  await keepKeys(parts, issuer, request);
  if (request.isEnabled) await requireKeys(parts, issuer);
  const { templateId, perDayMax, validSeconds } = request;
  const policy: AutoIssuePolicy = {
    ...{ templateId, issuer, perDayMax, validSeconds, until },
    isEnabled: Number(request.isEnabled),
    holders: request.holders ? request.holders.join(' ') : null,
    allowReissue: Number(request.allowReissue),
    updatedAt: now,
  };
  await database.transaction(async (queries) => {
    await putAutoIssue(queries, policy);
    await audit.record({ actor: caller, action: 'autoIssue.set', subject: templateId }, queries);
  });
  return policy;
}

/** Forgets the issuer's key. What was paid for before is signed already and is still recorded. */
export async function withdrawIssuerKey({ database, clock, audit }: PaymentParts, caller: Caller) {
  const { did: issuer } = caller;
  if (issuer === undefined) throw new Fault('notAllowed', { detail: 'The API key acts for nobody' });
  const now = clock.nowMs();
  return database.transaction(async (queries) => {
    const isRemoved = await deleteIssuerKey(queries, issuer);
    const stoppedTemplates = await stopAutoIssue(queries, { issuer, now });
    await audit.record({ actor: caller, action: 'issuerKey.withdraw', subject: issuer }, queries);
    return { issuer, isRemoved, stoppedTemplates };
  });
}

async function keepKeys(
  parts: PaymentParts,
  issuer: string,
  { privateKey, bbsSecretKey }: AutoIssueRequest,
): Promise<void> {
  const { database, vault, keys, clock, proofs, settings } = parts;
  if ((privateKey !== undefined || bbsSecretKey) && !settings.acceptPrivateKeys)
    throw new Fault('notAllowed', {
      detail: 'This service takes no private keys, unless its operator sets acceptPrivateKeys',
    });
  const now = clock.nowMs();
  if (privateKey !== undefined) {
    const seed = keys.parsePrivateKey(privateKey);
    if (!seed) throw new Fault('requestMalformed', { detail: '/privateKey: must be an encoded private key' });
    try {
      const { publicKey } = await signerFromSeed(seed, { profile: keys.profile });
      if (publicKey !== keys.encodePublicKey(keyOfLedgerDid(issuer, keys)))
        throw new Fault('signerMismatch', { detail: "The private key is not that of the issuer's DID" });
      const secret = await vault.seal(seed, places.issuerSecret(issuer));
      await putIssuerKey(database.kysely, { issuer, secret, createdAt: now });
    } finally {
      seed.fill(0);
    }
  }
  if (bbsSecretKey) {
    try {
      const publicKey = encodeBbsPublicKey(await proofs.publicKeyOf(bbsSecretKey));
      await keepBbsKey(database.kysely, vault, { owner: issuer, publicKey, secretKey: bbsSecretKey, now });
    } finally {
      bbsSecretKey.fill(0);
    }
  }
}

/** Both keys must be here, and the BBS+ key in the issuer's document. */
async function requireKeys(parts: PaymentParts, issuer: string): Promise<void> {
  const { database, vault } = parts;
  if (!(await findStoredIssuerKey(database.kysely, issuer)))
    throw new Fault('keyUnknown', { detail: 'The issuer has not left its Ed25519 key here' });
  for (const { publicKey } of await publishedBbsKeys(parts, issuer)) {
    const name = { owner: issuer, publicKey: encodeBbsPublicKey(publicKey) };
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
  if (policy.until <= now) throw refused('The issuer has stopped issuing it at once');
  const isListed =
    holder === undefined || policy.holders === null || policy.holders.split(' ').includes(holder);
  if (!isListed) throw refused('The issuer does not issue it to this holder at once');
  const count = await countPayments(database.kysely, { templateId, day: dayOf(now) });
  if (count >= policy.perDayMax) throw dayIsFull();
  await requireKeys(parts, issuer).catch((error: unknown) => {
    throw error instanceof Fault && error.code === 'keyUnknown' ? refused(error.message) : error;
  });
  return policy;
}

export const issuingEnded = (): Fault => refused('The issuer does not issue it at once');
export const dayIsFull = (): Fault => refused('The issuer issues no more of these today');

/** Until when a credential is valid: as the holder wants it, within what the issuer allows. */
export function validUntilOf(
  { clock }: PaymentParts,
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
  const [bbsPublicKey, bbsSignature] = [
    parseBbsPublicKey(draft.bbs.publicKey),
    parseHex(draft.bbs.signature),
  ];
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

async function signAsIssuer(parts: PaymentParts, issuer: string, message: Uint8Array) {
  const { database, vault, keys } = parts;
  const stored = await findStoredIssuerKey(database.kysely, issuer);
  if (!stored) throw refused('The issuer has taken its key away');
  const seed = await vault.open(stored.secret, places.issuerSecret(issuer));
  try {
    const signer = await signerFromSeed(seed, { profile: keys.profile });
    const bytes = keys.parsePublicKey(signer.publicKey);
    assert(bytes && equalBytes(bytes, keyOfLedgerDid(issuer, keys)), "the key kept is the issuer's");
    return { signature: await signer.sign(message), bytes };
  } finally {
    seed.fill(0);
  }
}
