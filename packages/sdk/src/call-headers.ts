/**
 * Headers with which callers show on single routes who they are or what they paid: to be given as `headers` of a call.
 * Everything that one API key cannot say.
 */
import { encodeBase64, encodeHex, encodeUtf8 } from '@symbolon/core/bytes';
import { stringifyJson } from '@symbolon/wire/json';
import type { PaymentDemand } from './payment-required.ts';
import type { Signer } from './signer.ts';

export type CallHeaders = Readonly<Record<string, string>>;

const signed = async (signer: Signer, text: string): Promise<string> =>
  encodeHex(await signer.sign(encodeUtf8(text)));

/** Of a wallet that answers a verification session: its own address under its own key. */
export async function walletHeaders(signer: Signer): Promise<CallHeaders> {
  return {
    'x-wallet-public-key': signer.publicKey,
    'x-wallet-signed-data': await signed(signer, signer.address),
  };
}

/**
 * Of a holder on the routes of extended presentations, and on the status of a payment where `text` is the id of the
 * payment. The address is signed if nothing else is named.
 */
export async function holderHeaders(signer: Signer, text: string = signer.address): Promise<CallHeaders> {
  return { publickey: signer.publicKey, signeddata: await signed(signer, text) };
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
