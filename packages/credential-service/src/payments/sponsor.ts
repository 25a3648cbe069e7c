/**
 * Fees paid for others: the service prepares a payment that its own account sends and the client's account makes, the
 * client signs it, and the service adds its signature only when it is settled. A prepared payment that nobody settles
 * therefore costs nothing and blocks nothing. How often for one address and how much a day is the operator's to say;
 * what a transaction may cost at most is counted when it is handed in, in the same durable step.
 */
import { randomBytes } from 'node:crypto';
import { encodeHex } from '@symbolon/core/bytes';
import { Fault } from '@symbolon/core/faults';
import { encodeTransaction } from '@symbolon/core/ledger/transaction';
import { paymentLimits } from '@symbolon/core/payments/payment-limits';
import { type PaymentRefusalWord, refusePayment } from '@symbolon/core/payments/payment-refusals';
import type { PaidTerms, PaymentTerms } from '@symbolon/core/payments/payment-rules';
import type { PreparedFacts } from '@symbolon/wire/facilitator-replies';
import type { GivenPayment } from '@symbolon/wire/payment-payloads';
import { sha256 } from '../handlers/credential-drafts.ts';
import { openDocument, sealDocument } from '../handlers/sealed-documents.ts';
import { uncapped } from '../ledger/chain-terms.ts';
import type { ServiceParts } from '../service-parts.ts';
import { addBlob, findPendingBlob } from '../store/blobs.ts';
import type { Queries } from '../store/schema.ts';
import { addSettlement, sumSponsored } from '../store/settlements.ts';
import { places } from '../vault/places.ts';
import type { Sponsor } from './money.ts';
import { dayOf, type Judged, newSettlement, type SettlementOrder } from './settlement.ts';

interface PreparedDocument {
  readonly blob: string;
  readonly validBefore: number;
}

const refuse = (reason: PaymentRefusalWord, detail: string): Fault =>
  new Fault('paymentRefused', { reason, detail });

export async function preparePayment(
  parts: ServiceParts,
  terms: Required<PaymentTerms>,
): Promise<PreparedFacts> {
  const { money, clock, database, vault } = parts;
  const { sponsor } = money;
  if (!sponsor) throw new Fault('sponsorRefused', { detail: 'This service pays no fees for others' });
  const now = clock.nowMs();
  await requireWithin(database.kysely, sponsor, { day: dayOf(now), payer: terms.payer, fee: 0n });
  await requireFunds(parts, terms);
  const { chainId } = await money.ledger.terms();
  const transaction = await money.ledger.build({
    ...uncapped,
    source: sponsor.signer.address,
    operations: [{ sourceAddress: terms.payer, payCoin: operationOf(parts, terms) }],
    chainId,
    signatureCount: 2,
    withRoom: true,
  });
  if (transaction.feeLimit > BigInt(sponsor.feeLimitMax))
    throw new Fault('sponsorRefused', { detail: 'The fee of this payment is too high' });
  const bytes = encodeTransaction(transaction);
  const validBefore = Math.floor(now / 1_000) + paymentLimits.sponsoredSeconds;
  const blobId = randomBytes(16).toString('hex').toUpperCase();
  const document: PreparedDocument = { blob: encodeHex(bytes), validBefore };
  const payload = await sealDocument(vault, document, places.blobPayload(blobId));
  const expiresAt = validBefore * 1_000;
  await addBlob(database.kysely, {
    id: blobId,
    kind: 'sponsored',
    owner: terms.payer,
    payload,
    now,
    expiresAt,
  });
  return {
    blob: document.blob,
    hash: encodeHex(sha256(bytes)),
    blobId,
    sponsor: sponsor.signer.address,
    validBefore,
  };
}

const operationOf = ({ profile }: ServiceParts, { asset, payTo, amount }: PaymentTerms) =>
  asset === profile.nativeAsset.code
    ? { destAddress: payTo, amount }
    : {
        destAddress: asset,
        amount: 0n,
        input: JSON.stringify({ method: 'transfer', params: { to: payTo, value: amount.toString() } }),
      };

async function requireFunds(
  { keys, profile, money: { ledger } }: ServiceParts,
  { network, payer, payTo, asset, amount }: Required<PaymentTerms>,
): Promise<void> {
  if (network !== profile.networkId)
    throw refuse('unsupportedNetwork', `the network must be ${profile.networkId}`);
  const isNative = asset === profile.nativeAsset.code;
  const addresses = isNative ? [payer, payTo] : [payer, payTo, asset];
  if (addresses.some((address) => !keys.isAddress(address)) || amount === 0n)
    throw new Fault('requestMalformed', { detail: 'An address is not valid, or the amount is 0' });
  const account = await ledger.account(payer);
  const { baseReserve } = await ledger.terms();
  if (!account) throw refuse('insufficientFunds', 'the payer is not on the ledger');
  const has = isNative ? account.balance - baseReserve : await ledger.tokenBalance(asset, payer);
  if (has < amount) throw refuse('insufficientFunds', 'the payer has too little');
}

interface SponsoredUse {
  readonly day: number;
  readonly payer: string;
  readonly fee: bigint;
}

async function requireWithin(
  queries: Queries,
  sponsor: Sponsor,
  { day, payer, fee }: SponsoredUse,
): Promise<void> {
  const { fees, times } = await sumSponsored(queries, { day, payer });
  if (times >= sponsor.perAddressPerDay)
    throw new Fault('sponsorRefused', { detail: 'The fees of this address are not paid again today' });
  if (BigInt(fees) + fee > BigInt(sponsor.feePerDay))
    throw new Fault('sponsorRefused', { detail: 'What is set aside for fees today is used up' });
}

/** Beyond what every payment is judged by: whoever pays the fee must have prepared this very transaction. */
export async function judgeSponsoring(
  parts: ServiceParts,
  payment: GivenPayment,
  paid: PaidTerms,
): Promise<Judged> {
  const { database, vault, clock } = parts;
  const { blobId } = payment;
  if (blobId === undefined) {
    if (paid.feePayer === paid.payer) return { paid };
    return { refusal: refusePayment('sponsorRefused', 'the service signs only what it has prepared') };
  }
  const choice = { id: blobId.toUpperCase(), kinds: ['sponsored'] as const, now: clock.nowMs() };
  const row = await findPendingBlob(database.kysely, choice);
  const unknown = refusePayment('blobUnknown', 'the service has not prepared this, or its time is over');
  if (!row?.payload) return { refusal: unknown };
  const prepared = await openDocument<PreparedDocument>(vault, row.payload, places.blobPayload(choice.id));
  return prepared.blob === encodeHex(payment.blob) && paid.feePayer !== paid.payer
    ? { paid }
    : { refusal: unknown };
}

/** Signs as the one who pays the fee and stores the intent; false when it is settled or being settled already. */
export async function beginSponsored(
  parts: ServiceParts,
  { payment, paid, blobId }: Omit<SettlementOrder, 'sponsored'> & { readonly blobId: string },
): Promise<{ readonly isNew: boolean; readonly order: SettlementOrder }> {
  const { database, clock, money, crashPoint } = parts;
  const { sponsor } = money;
  if (!sponsor) throw new Fault('sponsorRefused');
  const { publicKey } = sponsor.signer;
  const signature = encodeHex(await sponsor.signer.sign(payment.blob));
  const order = { payment, paid, sponsored: { blobId, coSignature: { publicKey, signature } } };
  const now = clock.nowMs();
  const isNew = await database.transaction(async (queries) => {
    await requireWithin(queries, sponsor, { day: dayOf(now), payer: paid.payer, fee: paid.feeLimit });
    return addSettlement(queries, newSettlement(order, now));
  });
  if (isNew) crashPoint('settlementStored');
  return { isNew, order };
}
