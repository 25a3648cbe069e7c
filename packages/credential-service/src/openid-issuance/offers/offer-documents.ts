/** Offers as wallets read them: the object, and the link that names it. */

import type { JsonObject } from '@symbolon/wire/json/json';
import { preAuthorizedGrant } from '@symbolon/wire/offers/offer-link';
import { openidIssuanceLimits } from '../../limits/openid-limits.ts';
import { endpointOf, type OpenidIssuer } from '../parts/openid-parts.ts';

export interface OfferContents {
  readonly configurations: readonly string[];
  readonly code: string;
  readonly hasTxCode: boolean;
}

export const offerDocument = (
  { identifier }: OpenidIssuer,
  { configurations, code, hasTxCode }: OfferContents,
): JsonObject => ({
  credential_issuer: identifier,
  credential_configuration_ids: [...configurations],
  grants: {
    [preAuthorizedGrant]: {
      'pre-authorized_code': code,
      ...(hasTxCode && {
        tx_code: {
          input_mode: 'numeric',
          length: openidIssuanceLimits.txCodeDigits,
          description: 'The issuer tells you this code on another way.',
        },
      }),
    },
  },
});

export const standardsOfferAddress = (issuer: OpenidIssuer, reference: string): string =>
  `${endpointOf(issuer, 'offers')}/${reference}`;

export const walletOfferLink = (issuer: OpenidIssuer, reference: string): string =>
  `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(standardsOfferAddress(issuer, reference))}`;
