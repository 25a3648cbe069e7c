/**
 * The answer 402: not a failure but a price. `applyForPaidCredential` rejects with it when nothing was paid yet; it
 * carries what is asked for, so that a caller can decide, sign a payment (`payment-scheme.ts`) and ask again.
 */
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { ServiceError } from '../errors/service-error.ts';

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

/** Which call a demand answers. */
interface DemandContext {
  readonly requestId?: string | undefined;
  readonly route?: string;
}

/** The service asks for a payment before it does what was asked. */
export class PaymentRequired extends ServiceError {
  /** What to pay, to whom; the first of the ways that the service accepts. */
  readonly demand: PaymentDemand;
  /** Names this purchase: for its status, and for asking again. */
  readonly paymentId: string | undefined;
  /** What the service sent, whole. */
  readonly body: JsonObject;

  constructor(body: JsonObject, demand: PaymentDemand, { requestId = '', route }: DemandContext = {}) {
    const detail = typeof body.error === 'string' ? body.error : 'Payment is required';
    const title = 'Payment is required';
    super({ code: 'paymentRequired', status: 402, title, detail, requestId, ...(route && { route }) });
    this.demand = demand;
    this.body = body;
    const paymentId = demand.extra?.paymentId;
    this.paymentId = typeof paymentId === 'string' ? paymentId : undefined;
  }
}

const memberTypes: Readonly<Record<string, readonly string[]>> = {
  scheme: ['string'],
  network: ['string'],
  payTo: ['string'],
  asset: ['string'],
  amount: ['string', 'undefined'],
  maxAmountRequired: ['string', 'undefined'],
  extra: ['object', 'undefined'],
};

/** The paths of what keeps a body from being a demand: of the first member that is not what demands have there. */
export function wrongInDemand({ accepts }: JsonObject): readonly string[] {
  if (!Array.isArray(accepts)) return ['accepts'];
  const [demand] = accepts;
  if (!isJsonObject(demand)) return ['accepts[0]'];
  const wrong = Object.keys(memberTypes).find((name) => !memberTypes[name]?.includes(typeof demand[name]));
  return wrong === undefined ? [] : [`accepts[0].${wrong}`];
}

/** The demand in the body of an answer with status 402; a payment that was refused has none. */
export function readPaymentRequired(
  body: JsonObject,
  place: DemandContext = {},
): PaymentRequired | undefined {
  if (wrongInDemand(body).length > 0) return undefined;
  const [demand] = body.accepts as unknown as readonly PaymentDemand[];
  return demand && new PaymentRequired(body, demand, place);
}
