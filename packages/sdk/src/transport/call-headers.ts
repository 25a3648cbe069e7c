/**
 * Headers with which callers show on single routes who they are or what they paid: to be given as `headers` of a call.
 * Everything that one API key cannot say.
 */
import { encodeBase64, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { presenceHeader } from '@symbolon/wire/credentials/presence-requests';
import { extendedHeaderNames, walletHeaderNames } from '@symbolon/wire/credentials/signed-headers';
import { stringifyJson } from '@symbolon/wire/json/json';
import { assertMembers } from '../arguments/exact-arguments.ts';
import type { Signer } from '../keys/signer.ts';
import type { PaymentDemand } from './payment-required.ts';
import { type Audience, type SignedPresence, signPresence } from './presence.ts';

export type CallHeaders = Readonly<Record<string, string>>;

/** Of a wallet that answers a verification session. */
export async function walletHeaders(
  signer: Signer,
  service: Audience,
  sessionId: string,
): Promise<CallHeaders> {
  const order = { purpose: 'session-answer', subject: sessionId } as const;
  return headersOf(walletHeaderNames, signer, await signPresence(signer, service, order));
}

/**
 * What a holder shows who it is for: extended presentations, all that waits for it, all that it applied for, or the status
 * of a payment.
 */
export type HolderPurpose =
  | { readonly purpose: 'extended-presentation' | 'download-all' | 'own-applications' }
  | { readonly purpose: 'payment-status'; readonly paymentId: string };

/** Of a holder on the routes of extended presentations, and on the status of a payment. */
export async function holderHeaders(
  signer: Signer,
  service: Audience,
  about: HolderPurpose,
): Promise<CallHeaders> {
  const subject = about.purpose === 'payment-status' ? about.paymentId : signer.address;
  const signed = await signPresence(signer, service, { purpose: about.purpose, subject });
  return headersOf(extendedHeaderNames, signer, signed);
}

const headersOf = (
  names: typeof walletHeaderNames | typeof extendedHeaderNames,
  { publicKey }: Signer,
  { text, signature }: SignedPresence,
): CallHeaders => ({
  [names.key]: publicKey,
  [names.signature]: signature,
  [names.text]: presenceHeader(text),
});

/** The member `holder_binding` of an answer whose presentation has no challenge of its own. */
export async function holderBinding(
  signer: Signer,
  service: Audience,
  session: { readonly sessionId: string; readonly nonce: string },
): Promise<{ readonly signBlob: string; readonly publicKey: string; readonly signedText: string }> {
  assertMembers(session, { sessionId: true, nonce: true }, 'the session');
  const { sessionId, nonce } = session;
  const order = { purpose: 'holder-binding', subject: sessionId, challenge: nonce } as const;
  const { text, signature } = await signPresence(signer, service, order);
  return { signBlob: signature, publicKey: signer.publicKey, signedText: text };
}

/** A signed payment (`signPayment`) for what was demanded. */
export function paymentHeaders(
  { scheme, network }: PaymentDemand,
  payload: Readonly<Record<string, unknown>>,
): CallHeaders {
  const payment = { x402Version: 2, scheme, network, payload: payload as never };
  return { 'x-payment': encodeBase64(encodeUtf8(stringifyJson(payment))) };
}

/** An API key of scope admin that approves what the password of a custody account alone cannot do. */
export const custodyApprovalHeaders = (apiKey: string): CallHeaders => ({ 'x-custody-approval': apiKey });

/** The password of a custody account, on a route that has no body to put it into. */
export const custodyPasswordHeaders = (password: string): CallHeaders => ({
  'x-custody-password': encodeURIComponent(password),
});
