/** Turns requests about offers into requests of the inside. */
import { offerLimits as limits } from '@symbolon/core/limits/waiting';
import { type GivenPresence, readPresence } from '../credentials/presence-requests.ts';
import {
  type AttributePlaces,
  attributePlaces,
  type GivenAttributes,
  readAttributes,
  readPublicKey,
  readSignature,
} from '../credentials/request-encodings.ts';
import { readIdentifier } from '../credentials/requests.ts';
import type { GivenSignature } from '../credentials/signed-headers.ts';
import type { WithBody } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';
import type * as schemas from './schemas.ts';

export interface OfferOrderRequest {
  readonly templateId: string;
  readonly attributes: GivenAttributes;
  readonly places: AttributePlaces;
  readonly reference: string | undefined;
  readonly seconds: number;
  /** Undefined leaves it as it was, where an offer is renewed. */
  readonly hasTxCode: boolean | undefined;
  readonly isRenewal: boolean;
  readonly isPriceWaived: boolean;
}

export function readOfferOrder({ body }: WithBody<typeof schemas.offerOrder>): OfferOrderRequest {
  const reference = body.reference?.trim();
  if (reference === '') throw malformedAt('/reference', 'must not be empty');
  const isRenewal = body.renew === true;
  if (isRenewal && reference === undefined)
    throw malformedAt('/reference', 'is missing: an offer is renewed by its reference');
  return {
    templateId: readIdentifier(body.templateId),
    attributes: readAttributes(body.metadata, '/metadata'),
    places: attributePlaces(body.metadata, '/metadata'),
    reference,
    seconds: body.expiresInSeconds ?? limits.secondsDefault,
    hasTxCode: body.txCode,
    isRenewal,
    isPriceWaived: body.waivePrice === true,
  };
}

/** Whoever shows the code of an offer, and the further one where it has one. */
export interface OfferBearer {
  readonly code: string;
  readonly txCode: string | undefined;
}

export const readOfferQuestion = ({ body }: WithBody<typeof schemas.offerQuestion>): OfferBearer => ({
  code: body['pre-authorized_code'],
  txCode: body.tx_code,
});

export interface OfferAcceptance extends OfferBearer, Omit<GivenSignature, 'presence'> {
  readonly presence: GivenPresence;
}

export function readOfferAcceptance({ body }: WithBody<typeof schemas.offerAcceptance>): OfferAcceptance {
  const presence = readPresence(body.signedText);
  if (!presence) throw malformedAt('/signedText');
  return {
    code: body['pre-authorized_code'],
    txCode: body.tx_code,
    publicKey: readPublicKey(body.holderPublicKey, '/holderPublicKey'),
    signature: readSignature(body.signData, '/signData'),
    presence,
  };
}
