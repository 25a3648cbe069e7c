/**
 * Asking for something that costs money (x402, scheme `exact`): ask, read the price, pay within the caps, ask again.
 * Both versions of the protocol are read: the demand in the header `PAYMENT-REQUIRED`, or in the body of older servers.
 * Who is paid learns nothing but the payment.
 */

import { decodeUtf8, encodeBase64, encodeUtf8, parseBase64 } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { paymentLimits } from '@symbolon/core/limits/payments';
import { paymentScheme } from '@symbolon/core/payments/payment-terms';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import type { PaymentDemand } from '@symbolon/sdk/transport/payment-required';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { parseJsonObject } from '../terminal/json-file.ts';
import { callOut, type IncomingAnswer } from './calling-policy.ts';
import type { TellStep } from './handing-in.ts';
import { learnOutcomes, signWithinCaps } from './payments.ts';
import { nativeAsset, type SpendingEntry } from './spending.ts';
import { quoted, type ToolValue } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

export interface PaidRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** JSON. */
  readonly body?: string;
  readonly amountMax?: bigint;
}

/** What the agent is told of a payment. */
export const shownPayment = ({ hash, asset, amount, fee, payee }: SpendingEntry) => ({
  transactionHash: hash,
  asset,
  amount,
  feeMax: fee,
  payee,
});

/** Without its fee, which is known when the transaction is executed. */
export const paidInWords = ({ asset, amount }: ReturnType<typeof shownPayment>): string =>
  `${asset === nativeAsset ? coinText(amount) : `${amount} of the token ${asset}`} and a fee were paid`;

export async function payAndFetch(
  wallet: Wallet,
  request: PaidRequest,
  tell: TellStep = () => undefined,
): Promise<ToolValue> {
  const { url, method, body, amountMax } = request;
  const ask = (headers: Readonly<Record<string, string>>) =>
    callOut(wallet.origins, {
      url,
      method,
      headers: {
        accept: '*/*',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
    });
  tell('Asking for it');
  const first = await ask({});
  if (first.status !== 402)
    return { summary: 'Nothing was asked for it, so nothing was paid.', paid: null, ...shownAnswer(first) };
  return wallet.inTurn(async () => {
    const demanded = readDemand(first, wallet);
    tell('Signing the payment');
    const { payload, payment } = await signWithinCaps(wallet, demanded.demand, amountMax);
    tell('Paying, and asking again');
    const answer = await ask(demanded.headersFor(payload)).catch((error: unknown) => {
      throw withPayment(error, payment);
    });
    await learnOutcomes(wallet).catch(() => undefined);
    if (answer.status < 200 || answer.status > 299) throw notServed(answer, payment);
    const paid = shownPayment(payment);
    return { summary: `${paidInWords(paid)} for it.`, paid, ...shownAnswer(answer) };
  });
}

const shownAnswer = ({ status, headers, text }: IncomingAnswer): ToolValue => ({
  status,
  contentType: quoted(headers['content-type'] ?? '', 100),
  body: text.slice(0, walletLimits.answerCharsShown),
  isWhole: text.length <= walletLimits.answerCharsShown,
});

interface Demanded {
  readonly demand: PaymentDemand;
  /** The headers that carry a payment for it. */
  readonly headersFor: (payload: object) => Readonly<Record<string, string>>;
}

/** The first way of paying that the wallet has. */
function readDemand({ headers, text }: IncomingAnswer, { policy }: Wallet): Demanded {
  const header = headers['payment-required'];
  const isCanonical = header !== undefined;
  const body = isCanonical ? parseHeader(header) : parseJsonObject(text);
  const accepts = Array.isArray(body?.accepts) ? body.accepts : [];
  const isPayable = (asset: string) => asset === nativeAsset || policy.caps.has(asset);
  const demands = accepts.filter(isDemand).filter(({ scheme, network }) => {
    return scheme === paymentScheme && network === zetrixProfile.networkId;
  });
  const demand = demands.find(({ asset }) => isPayable(asset)) ?? demands[0];
  if (!demand)
    throw new CommandFailure(
      `The wallet did not pay.\nThe price is in no form that it can pay: ${paymentScheme} on ${zetrixProfile.networkId}.\nNothing was signed.`,
    );
  const base64 = (value: JsonObject) => encodeBase64(encodeUtf8(stringifyJson(value)));
  const headersFor = (payload: object): Readonly<Record<string, string>> => {
    if (!isCanonical) {
      const { scheme, network } = demand;
      return { 'x-payment': base64({ x402Version: 1, scheme, network, payload: payload as JsonObject }) };
    }
    const payment: JsonObject = {
      x402Version: 2,
      accepted: demand as JsonObject,
      payload: payload as JsonObject,
    };
    if (isJsonObject(body?.resource)) payment.resource = body.resource;
    return { 'payment-signature': base64(payment) };
  };
  return { demand, headersFor };
}

const isDemand = (value: JsonValue): value is JsonObject & PaymentDemand =>
  isJsonObject(value) &&
  ['scheme', 'network', 'payTo', 'asset'].every((name) => typeof value[name] === 'string') &&
  ['amount', 'maxAmountRequired'].every((name) => ['string', 'undefined'].includes(typeof value[name]));

function parseHeader(text: string): JsonObject | undefined {
  const bytes = text.length > paymentLimits.headerCharsMax ? undefined : parseBase64(text.trim());
  return bytes && decodeOrNothing(() => parseJsonObject(decodeUtf8(bytes)));
}

/** A failure after a payment went out: it names the payment, which stays counted, and how to ask for it. */
export function withPayment(
  error: unknown,
  { hash, asset, amount }: SpendingEntry,
  paymentId?: string,
): Error {
  const said = error instanceof Error ? error.message : String(error);
  // The wallet's own words say on the second line why.
  const lines = said.split('\n').slice(0, error instanceof CommandFailure ? 2 : 1);
  const name = paymentId === undefined ? `the transactionHash ${hash}` : `the paymentId ${paymentId}`;
  return new CommandFailure(
    [
      ...lines.map((line) => quoted(line)),
      `A payment of ${amount} ${asset} went out before, with the transaction ${hash}; it stays counted until it is proven that it cannot be executed.`,
      `Ask for payment_status with ${name}. Do not pay again before that.`,
    ].join('\n'),
  );
}

const notServed = ({ status, text }: IncomingAnswer, payment: SpendingEntry): Error =>
  withPayment(
    new Error(`The other side answered ${status} after the payment: ${quoted(text, 120)}`),
    payment,
  );
