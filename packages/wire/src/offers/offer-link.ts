/**
 * The link of a credential offer, as OpenID4VCI 1.0 has it: the whole offer stands in a parameter, so that no address
 * of the service has the code in it.
 */
import { offerLimits as limits } from '@symbolon/core/limits/waiting';
import * as z from 'zod';

export const preAuthorizedGrant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
export const authorizationCodeGrant = 'authorization_code';
export const offerScheme = 'openid-credential-offer';

/** What an offer says; members that are not known here belong to other wallets. */
const linkedOffer = z.object({
  credential_issuer: z.string(),
  credential_configuration_ids: z.array(z.string()).min(1),
  grants: z.object({
    [preAuthorizedGrant]: z.object({
      'pre-authorized_code': z.string().min(1),
      tx_code: z.object({ length: z.int().min(1).max(64).optional() }).optional(),
    }),
  }),
});

/** An offer as its link says it. */
export interface OfferFacts {
  /** The address of the service. */
  readonly service: string;
  readonly templateIds: readonly string[];
  /** Whoever has it may accept the offer. */
  readonly code: string;
  /** Where a further code is needed, which is told on another way. */
  readonly txCode?: { readonly length: number };
}

export function writeOfferLink({ service, templateIds, code, txCode }: OfferFacts): string {
  const offer = {
    credential_issuer: service,
    credential_configuration_ids: templateIds,
    grants: {
      [preAuthorizedGrant]: {
        'pre-authorized_code': code,
        ...(txCode && { tx_code: { input_mode: 'numeric', length: txCode.length } }),
      },
    },
  };
  return `${offerScheme}://?credential_offer=${encodeParameter(JSON.stringify(offer))}`;
}

/** What a query may hold as it is stays so (RFC 3986): a shorter link makes a QR code that fits more screens. */
const encodeParameter = (text: string): string =>
  encodeURIComponent(text).replace(/%(3A|2F)/g, (encoded) => decodeURIComponent(encoded));

/** The offer in the JSON of a link; undefined for whatever is none. */
export function readLinkedOffer(json: unknown): OfferFacts | undefined {
  const read = linkedOffer.safeParse(json);
  if (!read.success) return undefined;
  const { credential_issuer: service, credential_configuration_ids: templateIds, grants } = read.data;
  const { 'pre-authorized_code': code, tx_code: txCode } = grants[preAuthorizedGrant];
  return {
    service,
    templateIds,
    code,
    ...(txCode && { txCode: { length: txCode.length ?? limits.txCodeDigits } }),
  };
}
