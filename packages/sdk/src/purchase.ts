/**
 * Buying a credential: ask, read the price, sign a payment for exactly that, ask again. Nothing is paid beyond what
 * the caller allows for each asset; without an entry nothing is (`payment-scheme.ts`).
 */
import { type JsonObject, stringifyJson } from '@symbolon/wire/json';
import { paymentHeaders } from './call-headers.ts';
import type { CallOptions, CredentialClient, CredentialReply } from './credential-client.ts';
import { assertMembers, type MembersOf } from './exact-arguments.ts';
import { didOfSigner } from './holder-flows.ts';
import { assertBought } from './orders/bought-credential.ts';
import { assertPins, type NetworkTerms } from './orders/pins.ts';
import { PaymentRequired } from './payment-required.ts';
import { assertPayer, type PayerOptions, signPayment } from './payment-scheme.ts';
import { type Audience, signPresence, subjectOf } from './presence.ts';
import { assertCallOptions } from './service-call.ts';
import type { Signer } from './signer.ts';

export interface PurchaseOrder extends NetworkTerms {
  /** Who gets the credential. */
  readonly signer: Signer;
  readonly templateId: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** RFC 3339; the issuer's policy decides if it is left out. */
  readonly expirationDate?: string;
  /** Who pays, and how much at most; the holder itself where no other signer is named. */
  readonly payer: Omit<PayerOptions, 'signer'> & { readonly signer?: Signer };
  /** Given what was bought before anybody else gets it: rejects what its issuer has not signed or recorded. */
  readonly verify?: (credential: JsonObject) => Promise<void>;
}

const purchaseMembers: MembersOf<PurchaseOrder> = {
  signer: true,
  templateId: true,
  attributes: true,
  expirationDate: true,
  payer: true,
  verify: true,
  pins: true,
  profile: true,
};

/**
 * The issued credential, which is the one that was bought: `notAsOrdered` names what is not. Rejects also with what `applyForPaidCredential` and `signPayment` reject with; after a
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
  const bought = await buy(client, order, options);
  const { vcId, verifiableCredential } = bought;
  const { signer, payer: _payer, verify, ...terms } = order;
  const holder = didOfSigner(signer, order.profile);
  assertBought(verifiableCredential as JsonObject, { ...terms, vcId, holder });
  await verify?.(verifiableCredential as JsonObject);
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
