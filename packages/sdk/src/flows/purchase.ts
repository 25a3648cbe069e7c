/**
 * Buying a credential: ask, read the price, sign a payment for exactly that, ask again. Nothing is paid beyond what
 * the caller allows for each asset; without an entry nothing is (`payment-scheme.ts`). What comes for it is verified
 * before it is handed over.
 */
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { didOfSigner, type Signer } from '../keys/signer.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { assertPins, type NetworkTerms } from '../ledger/pins.ts';
import { assertBought } from '../orders/purchase-order.ts';
import type { CallOptions, CredentialClient, CredentialReply } from '../service/credential-client.ts';
import { paymentHeaders } from '../transport/call-headers.ts';
import { PaymentRequired } from '../transport/payment-required.ts';
import { type Audience, signPresence, subjectOf } from '../transport/presence.ts';
import { assertCallOptions } from '../transport/service-call.ts';
import { assertLedger, requireCredential } from '../verification/verify-credential.ts';
import { assertPayer, type PayerOptions, signPayment } from './payment-scheme.ts';

/** What is bought, for whom, and for how much at most. */
export interface PurchaseOrder extends NetworkTerms {
  /** Who gets the credential. */
  readonly signer: Signer;
  readonly templateId: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** RFC 3339; the issuer's policy decides if it is left out. */
  readonly expirationDate?: string;
  /** Who pays, and how much at most; the holder itself where no other signer is named. */
  readonly payer: Omit<PayerOptions, 'signer'> & { readonly signer?: Signer };
  /** Says whether what was bought is genuine; the payer's `client`, if left out. */
  readonly ledger?: LedgerClient;
  /** Loaded for this one call if left out. */
  readonly engine?: ProofEngine;
  /** Milliseconds since 1970; this machine's clock, if left out. */
  readonly now?: number;
}

const purchaseMembers: MembersOf<PurchaseOrder> = {
  signer: true,
  templateId: true,
  attributes: true,
  expirationDate: true,
  payer: true,
  ledger: true,
  engine: true,
  now: true,
  pins: true,
  profile: true,
};

/**
 * The issued credential, which is the one that was bought, and genuine by the word of the ledger (`requireCredential`):
 * what is not is `notAsOrdered`. Rejects also with what `applyForPaidCredential` and `signPayment` reject with; after a
 * `settlementUnknown` the same call again does not pay twice, the status of the payment says what became of it.
 */
export async function buyCredential(
  client: Pick<CredentialClient, 'applyForPaidCredential' | 'audience'>,
  order: PurchaseOrder,
  options: CallOptions = {},
): Promise<CredentialReply<'applyForPaidCredential'>> {
  assertMembers(order, purchaseMembers, 'the order');
  assertPins(order.pins);
  assertPayer(order.payer);
  assertCallOptions(options);
  const { signer, payer, ledger = payer.client, engine, now, ...terms } = order;
  const { pins, profile } = terms;
  assertLedger(ledger, 'Nothing was paid.');
  const bought = await buy(client, order, options);
  const { vcId } = bought;
  const document = bought.verifiableCredential as JsonObject;
  const holder = didOfSigner(signer, profile);
  assertBought(document, { ...terms, vcId, holder });
  await requireCredential(document, { ledger, pins, profile, engine, now, vcId, holder });
  return bought;
}

async function buy(
  client: Pick<CredentialClient, 'applyForPaidCredential' | 'audience'>,
  { signer, templateId, attributes, expirationDate, payer }: PurchaseOrder,
  options: CallOptions,
): Promise<CredentialReply<'applyForPaidCredential'>> {
  const data = stringifyJson([{ templateId, metadata: { ...attributes } }]);
  // Signed for each of the two requests: between them somebody may be asked to confirm the payment.
  const signedBody = async () => ({
    ...(await signPaidApplication(signer, client, data)),
    ...(expirationDate !== undefined && { expirationDate }),
  });
  try {
    return await client.applyForPaidCredential(await signedBody(), options);
  } catch (error) {
    if (!(error instanceof PaymentRequired)) throw error;
    const { demand, paymentId } = error;
    const payment = await signPayment(demand, { ...payer, signer: payer.signer ?? signer });
    const headers = { ...options.headers, ...paymentHeaders(demand, payment) };
    return client.applyForPaidCredential({ ...(await signedBody()), paymentId }, { ...options, headers });
  }
}

/** `data` as a holder sends it to apply for what is paid for, or given away, at once. */
export async function signPaidApplication(signer: Signer, service: Audience, data: string) {
  const order = { purpose: 'paid-application', subject: subjectOf(data) } as const;
  const { text, signature } = await signPresence(signer, service, order);
  return { data, signData: signature, publicKey: signer.publicKey, signedText: text };
}
