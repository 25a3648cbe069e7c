/**
 * Fees paid for others: the service prepares a payment that an account of its own sends and the client's account makes,
 * the client signs it, and the service adds its signature only when it is settled. Each is prepared with an account of
 * its own, so that many can be under way; one that nobody settles costs nothing, and its account is given to others
 * when none is free. How often for one address and how much a day is the operator's to say; what a transaction may cost
 * at most is counted when it is handed in, in the same durable step.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { dayOf } from '@symbolon/core/basics/calendar';
import { Fault } from '@symbolon/core/faults/faults';
import { type PaymentRefusal, refusePayment } from '@symbolon/core/faults/payment-refusals';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { PaymentJudgement } from '@symbolon/core/payments/payment-rules';
import type { MovedTerms, PaidTerms } from '@symbolon/core/payments/payment-terms';
import { addressCaller } from '@symbolon/host/http/rate-limit';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { refusalText } from '@symbolon/wire/http/family-words';
import type { Caller } from '@symbolon/wire/http/service-route';
import {
  type PreparedReply,
  renderPrepared,
  type SettlementStage,
} from '@symbolon/wire/payments/facilitator-replies';
import type { GivenPayment } from '@symbolon/wire/payments/payloads';
import { addBlob, findBlob } from '../blobs/blob-rows.ts';
import type { Queries } from '../database/schema.ts';
import { uncapped } from '../ledger/chain-terms.ts';
import { hashOfBlob } from '../ledger/hand-in.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { paymentFault } from './payment-faults.ts';
import type { PaymentParts, Sponsor } from './payment-parts.ts';
import { newSettlement, type SettlementOrder } from './settlement.ts';
import { addSettlement, type NewSettlement, sumSponsored } from './settlement-rows.ts';
import { fillAccounts, spendable, sponsorUnfunded } from './sponsor-funds.ts';
import {
  type AccountHold,
  findSettling,
  freeSponsorAccount,
  holdSponsorAccount,
  keepSponsorAccount,
  type SponsorAccount,
} from './sponsor-rows.ts';
import { needsMoreSigners } from './verify-payment.ts';

interface PreparedDocument {
  readonly blob: string;
  readonly validBefore: number;
}

export async function preparePayment(
  parts: PaymentParts,
  terms: MovedTerms,
  caller: Pick<Caller, 'keyId' | 'address'>,
): Promise<PreparedReply> {
  const { sponsor, clock, database, vault, crashPoint } = parts;
  if (!sponsor) throw new Fault('sponsorRefused', { detail: 'This service pays no fees for others' });
  const now = clock.nowMs();
  const use = { day: dayOf(now), payer: terms.payer, fee: 0n };
  const refusal = await judgeWithin(database.kysely, sponsor, use);
  if (refusal) throw new Fault('sponsorRefused', { detail: refusal.detail });
  await requirePayable(parts, terms);
  const blobId = randomBytes(16).toString('hex').toUpperCase();
  const holder = { blobId, payer: terms.payer, caller: markOf(caller) };
  const account = await holdAccount(parts, sponsor, holder);
  crashPoint('sponsorAccountHeld');
  const validBefore = Math.floor(account.heldUntil / 1_000);
  try {
    const blob = await buildSponsored(parts, account, terms);
    const document: PreparedDocument = { blob, validBefore };
    await addBlob(database.kysely, {
      id: blobId,
      kind: 'sponsored',
      owner: terms.payer,
      payload: await vault.encryptDocument(document, contexts.blobPayload(blobId)),
      now: clock.nowMs(),
      expiresAt: validBefore * 1_000,
    });
    return renderPrepared({ blob, hash: hashOfBlob(blob), blobId, validBefore }, account.address);
  } catch (error) {
    await freeSponsorAccount(database.kysely, blobId);
    throw error;
  }
}

/** The same for the same caller. */
const markOf = ({ keyId, address }: Pick<Caller, 'keyId' | 'address'>): string =>
  sha256Hex(keyId ?? addressCaller(address));

/** In hex. No two with the same terms are the same transaction, also where the account has sent nothing in between. */
async function buildSponsored(
  { paymentLedger: ledger, sponsor, profile }: Pick<PaymentParts, 'paymentLedger' | 'sponsor' | 'profile'>,
  account: SponsorAccount,
  { payer, payTo, asset, amount }: MovedTerms,
): Promise<string> {
  const transfer = JSON.stringify({ method: 'transfer', params: { to: payTo, value: amount.toString() } });
  const payCoin =
    asset === profile.nativeAsset.code
      ? { destAddress: payTo, amount }
      : { destAddress: asset, amount: 0n, input: transfer };
  const { chainId } = await ledger.terms();
  const transaction = await ledger.build({
    ...uncapped,
    source: account.address,
    operations: [{ sourceAddress: payer, payCoin }],
    chainId,
    signatureCount: 2,
    withRoom: true,
  });
  const feeLimit = transaction.feeLimit + BigInt(account.uses % paymentWorkLimits.sponsorFeeMarks);
  if (!sponsor || feeLimit > BigInt(sponsor.feeLimitMax))
    throw new Fault('sponsorRefused', { detail: 'The fee of this payment is too high' });
  return encodeHex(encodeTransaction({ ...transaction, feeLimit }));
}

type Holder = Pick<AccountHold, 'blobId' | 'payer' | 'caller'>;

/**
 * An account that can pay: a free one; after a moment one whose payment nobody has settled yet, of whoever holds most.
 * Numbers are used up by settling alone, so who prepares and does not settle takes nothing from those who do.
 */
async function holdAccount(parts: PaymentParts, sponsor: Sponsor, holder: Holder): Promise<SponsorAccount> {
  const { database, clock } = parts;
  let addresses: readonly string[] = [...sponsor.accounts.keys()];
  const deadline = performance.now() + paymentWorkLimits.sponsorWaitMs;
  for (;;) {
    const isShared = performance.now() >= deadline;
    const now = clock.nowMs();
    const held = await holdSponsorAccount(database.kysely, {
      ...holder,
      addresses,
      now,
      heldUntil: now + paymentWorkLimits.sponsoredSeconds * 1_000,
      isShared,
      perPayerMax: paymentWorkLimits.sponsorHeldPerPayerMax,
    });
    if (held && (await canPay(parts, held.address, sponsor))) return held;
    if (held) {
      await freeSponsorAccount(database.kysely, holder.blobId);
      addresses = await fillAccounts(parts, sponsor);
      if (addresses.length === 0) throw sponsorUnfunded(sponsor);
    } else if (isShared) {
      throw new Fault('overloaded', {
        detail: 'All accounts that pay fees are paying',
        retryAfterSeconds: 1,
      });
    } else await sleep(paymentWorkLimits.sponsorPollMs);
  }
}

async function canPay(
  { paymentLedger: ledger }: Pick<PaymentParts, 'paymentLedger'>,
  address: string,
  { feeLimitMax }: Sponsor,
): Promise<boolean> {
  const { baseReserve } = await ledger.terms();
  return (await spendable(ledger, address, baseReserve)) >= BigInt(feeLimitMax);
}

/** The terms are good, and the payer has what it is to pay. */
async function requirePayable(
  { keys, profile, paymentLedger: ledger }: Pick<PaymentParts, 'keys' | 'profile' | 'paymentLedger'>,
  { network, payer, payTo, asset, amount }: MovedTerms,
): Promise<void> {
  if (network !== profile.networkId)
    throw paymentFault(refusePayment('unsupportedNetwork', `the network must be ${profile.networkId}`));
  const isNative = asset === profile.nativeAsset.code;
  const addresses = isNative ? [payer, payTo] : [payer, payTo, asset];
  if (addresses.some((address) => !keys.isAddress(address)) || amount === 0n)
    throw new Fault('requestMalformed', { detail: 'An address is not valid, or the amount is 0' });
  const account = await ledger.account(payer);
  const { baseReserve } = await ledger.terms();
  if (!account) throw paymentFault(refusePayment('insufficientFunds', 'the payer is not on the ledger'));
  const has = isNative ? account.balance - baseReserve : await ledger.tokenBalance(asset, payer);
  if (has < amount) throw paymentFault(refusePayment('insufficientFunds', 'the payer has too little'));
  if (!account.paysAlone) throw paymentFault(needsMoreSigners);
}

/** What the operator's limits say against it. */
async function judgeWithin(
  queries: Queries,
  sponsor: Sponsor,
  { day, payer, fee }: { readonly day: number; readonly payer: string; readonly fee: bigint },
): Promise<PaymentRefusal | undefined> {
  const { fees, times } = await sumSponsored(queries, { day, payer });
  if (times >= sponsor.perAddressPerDay)
    return refusePayment('sponsorRefused', 'The fees of this address are not paid again today');
  if (BigInt(fees) + fee > BigInt(sponsor.feePerDay))
    return refusePayment('sponsorRefused', 'What is set aside for fees today is used up');
  return undefined;
}

/**
 * Beyond what every payment is judged by: whoever pays the fee must have prepared this very transaction, and still pay.
 */
export async function judgeSponsoring(
  parts: PaymentParts,
  payment: GivenPayment,
  paid: PaidTerms,
): Promise<PaymentJudgement> {
  const { sponsor, database, clock } = parts;
  const { blobId } = payment;
  if (blobId === undefined) {
    if (paid.feePayer === paid.payer) return { paid };
    return { refusal: refusePayment('sponsorRefused', 'the service signs only what it has prepared') };
  }
  const prepared = await openPrepared(parts, blobId);
  if (prepared?.blob !== encodeHex(payment.blob) || paid.feePayer === paid.payer)
    return { refusal: refusePayment('blobUnknown', 'the service has not prepared this') };
  if (prepared.isLate) return { refusal: signedLate };
  // The account that pays may have been given to another one meanwhile, which is on its way to the ledger.
  const settling = (await findSettling(database.kysely, paid.feePayer)) ?? blobId.toUpperCase();
  if (settling !== blobId.toUpperCase()) return { refusal: accountTaken };
  assert(sponsor, 'who prepares payments pays their fees');
  const use = { day: dayOf(clock.nowMs()), payer: paid.payer, fee: paid.feeLimit };
  const refusal = await judgeWithin(database.kysely, sponsor, use);
  return refusal ? { refusal } : { paid };
}

/** What was prepared under this id, in time or not. */
async function openPrepared(
  { database, vault, clock }: Pick<PaymentParts, 'database' | 'vault' | 'clock'>,
  blobId: string,
): Promise<{ readonly blob: string; readonly isLate: boolean } | undefined> {
  const id = blobId.toUpperCase();
  const row = await findBlob(database.kysely, { id, kinds: ['sponsored'], now: 0 });
  if (!row?.payload) return undefined;
  const { blob } = await vault.decryptDocument<PreparedDocument>(row.payload, contexts.blobPayload(id));
  return { blob, isLate: row.expiresAt <= clock.nowMs() };
}

const signedLate = refusePayment('blobExpired', 'what was prepared has not been signed in time');

/** What is to be told of a payment that was prepared and not settled: without the service's signature it never runs. */
export async function stateOfPrepared(
  parts: PaymentParts,
  blobId: string,
): Promise<{ readonly hash: string; readonly state: SettlementStage } | undefined> {
  const prepared = await openPrepared(parts, blobId);
  if (!prepared) return undefined;
  const state: SettlementStage = prepared.isLate
    ? { kind: 'failed', failure: refusalText(signedLate) }
    : { kind: 'prepared' };
  return { hash: hashOfBlob(prepared.blob), state };
}

const accountTaken = refusePayment(
  'nonceNotNext',
  'the account that pays is paying for another: prepare anew',
);

/** Signs as the one who pays the fee and stores the intent; undefined when it is settled or being settled already. */
export async function beginSponsored(
  parts: PaymentParts,
  { payment, paid, blobId }: Omit<SettlementOrder, 'sponsored'> & { readonly blobId: string },
): Promise<NewSettlement | undefined> {
  const { database, sponsor, crashPoint } = parts;
  const signer = sponsor?.accounts.get(paid.feePayer);
  if (!sponsor || !signer)
    throw paymentFault(refusePayment('sponsorRefused', 'this service does not pay fees from that account'));
  const { publicKey, address } = signer;
  const signature = encodeHex(await signer.sign(payment.blob));
  const sponsored = { blobId, coSignature: { publicKey, signature } };
  const row = newSettlement(parts, { payment, paid, sponsored });
  const isNew = await database.transaction(async (queries) => {
    const use = { day: row.day, payer: paid.payer, fee: paid.feeLimit };
    const over = await judgeWithin(queries, sponsor, use);
    if (over) throw paymentFault(over);
    if (!(await addSettlement(queries, row))) return false;
    if (await keepSponsorAccount(queries, { address, blobId })) return true;
    throw paymentFault(accountTaken);
  });
  if (!isNew) return undefined;
  crashPoint('settlementStored');
  return row;
}
