/**
 * The answer 402: not a failure but a price. `applyForPaidCredential` rejects with it when nothing was paid yet; it
 * carries what is asked for, so that a caller can decide, sign a payment (`payment-scheme.ts`) and ask again.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json';
import { ServiceError } from './service-error.ts';

/** What is asked for, as canonical demands have it; the older ones say `maxAmountRequired`. */
export interface PaymentDemand {
  readonly scheme: string;
  readonly network: string;
  readonly payTo: string;
  readonly asset: string;
  readonly amount?: string;
  readonly maxAmountRequired?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export class PaymentRequired extends ServiceError {
  /** What to pay, to whom; the first of the ways that the service accepts. */
  readonly demand: PaymentDemand;
  /** Names this purchase: for its status, and for asking again. */
  readonly paymentId: string | undefined;
  /** What the service sent, whole. */
  readonly body: JsonObject;

  constructor(body: JsonObject, demand: PaymentDemand, requestId = '') {
    const detail = typeof body.error === 'string' ? body.error : 'Payment is required';
    super({ code: 'paymentRequired', status: 402, title: 'Payment is required', detail, requestId });
    this.demand = demand;
    this.body = body;
    const paymentId = demand.extra?.paymentId;
    this.paymentId = typeof paymentId === 'string' ? paymentId : undefined;
  }
}

const isDemand = (value: JsonValue | undefined): value is JsonObject & PaymentDemand =>
  isJsonObject(value) &&
  ['scheme', 'network', 'payTo', 'asset'].every((name) => typeof value[name] === 'string') &&
  ['amount', 'maxAmountRequired'].every((name) => ['string', 'undefined'].includes(typeof value[name])) &&
  ['object', 'undefined'].includes(typeof value.extra);

/** The demand in the body of an answer with status 402; a payment that was refused has none. */
export function readPaymentRequired(body: JsonObject, requestId?: string): PaymentRequired | undefined {
  const demand = Array.isArray(body.accepts) ? body.accepts[0] : undefined;
  return isDemand(demand) ? new PaymentRequired(body, demand, requestId) : undefined;
}
