/**
 * What issuers set for issuing at once: the price, the policy that says for whom, how many a day and until when, and
 * the keys that they leave here for it, encrypted in the vault.
 */
import { addressOfDid, encodeBbsPublicKey } from '@symbolon/core/did/did';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { signerFromSeed } from '@symbolon/sdk/index';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { AutoIssueRequest, PriceRequest } from '@symbolon/wire/payments/requests';
import { keyOfLedgerDid } from '../access/signatures.ts';
import { findStoredTemplate } from '../templates/template-rows.ts';
import { keepBbsKey } from '../vault/caller-keys.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { requireKeys } from './paid-checks.ts';
import type { PaymentParts } from './payment-parts.ts';
import {
  type AutoIssuePolicy,
  deleteIssuerKey,
  type Price,
  putAutoIssue,
  putIssuerKey,
  putPrice,
  stopAutoIssue,
} from './price-rows.ts';

/** The template, of which the caller must be the issuer. */
async function requireOwnTemplate(
  { database }: Pick<PaymentParts, 'database'>,
  templateId: string,
  caller: Caller,
): Promise<Template> {
  const found = await findStoredTemplate(database.kysely, templateId);
  if (!found) throw new Fault('templateUnknown');
  if (caller.did !== found.template.issuer) throw new Fault('issuerMismatch');
  return found.template;
}

/** Keeps what a credential of the template costs. */
export async function keepPrice(parts: PaymentParts, request: PriceRequest, caller: Caller): Promise<Price> {
  const { keys, profile, paymentLedger, clock, database, audit } = parts;
  const { issuer, id: templateId } = await requireOwnTemplate(parts, request.templateId, caller);
  const native = profile.nativeAsset;
  const { asset = native.code, amount } = request;
  const payTo = request.payTo ?? addressOfDid(issuer, keys);
  if (payTo === undefined || !keys.isAddress(payTo))
    throw new Fault('requestMalformed', { detail: '/payTo: must be an address' });
  const shown = asset === native.code ? { ...native, symbol: native.code } : await paymentLedger.token(asset);
  if (!shown)
    throw new Fault('requestMalformed', { detail: '/asset: must be the native asset or a token contract' });
  const price: Price = {
    templateId,
    issuer,
    amount: amount.toString(),
    asset,
    symbol: shown.symbol,
    decimals: shown.decimals,
    payTo,
    updatedAt: clock.nowMs(),
  };
  await database.transaction(async (queries) => {
    await putPrice(queries, price);
    await audit.record({ actor: caller, action: 'price.set', subject: templateId }, queries);
  });
  return price;
}

/** Keeps keys and policy. What could never issue anything is refused at once. */
export async function keepAutoIssue(
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
export async function withdrawIssuerKey(
  { database, clock, audit }: Pick<PaymentParts, 'database' | 'clock' | 'audit'>,
  caller: Caller,
) {
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
      const secret = await vault.encrypt(seed, contexts.issuerSecret(issuer));
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
