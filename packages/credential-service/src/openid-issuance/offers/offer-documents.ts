/** Offers as wallets read them: the object, and the link that names it. */

import type { JsonObject } from '@symbolon/wire/json/json';
import { authorizationCodeGrant, preAuthorizedGrant } from '@symbolon/wire/offers/offer-link';
import { openidIssuanceLimits } from '../../limits/openid-limits.ts';
import { endpointOf, type OpenidIssuer, type OpenidParts } from '../parts/openid-parts.ts';

/** How a wallet takes it: with a code that it has already, or after its holder has logged in. */
export type OfferGrant =
  | { readonly code: string; readonly hasTxCode: boolean }
  | { readonly issuerState: string };

/** The secrets of an offer, which follow from what its link names it by. */
export const offerGrant = async (
  { openidSecrets }: Pick<OpenidParts, 'openidSecrets'>,
  {
    reference,
    isByLogin,
    hasTxCode,
  }: { readonly reference: string; readonly isByLogin: boolean; readonly hasTxCode: boolean },
): Promise<OfferGrant> =>
  isByLogin
    ? { issuerState: await openidSecrets.issuerState(reference) }
    : { code: await openidSecrets.code(reference), hasTxCode };

export interface OfferContents {
  readonly configurations: readonly string[];
  readonly grant: OfferGrant;
}

export const offerDocument = (
  { identifier }: OpenidIssuer,
  { configurations, grant }: OfferContents,
): JsonObject => ({
  credential_issuer: identifier,
  credential_configuration_ids: [...configurations],
  grants:
    'code' in grant
      ? { [preAuthorizedGrant]: preAuthorized(grant) }
      : { [authorizationCodeGrant]: { issuer_state: grant.issuerState } },
});

const preAuthorized = ({ code, hasTxCode }: { readonly code: string; readonly hasTxCode: boolean }) => ({
  'pre-authorized_code': code,
  ...(hasTxCode && {
    tx_code: {
      input_mode: 'numeric',
      length: openidIssuanceLimits.txCodeDigits,
      description: 'The issuer tells you this code on another way.',
    },
  }),
});

export const standardsOfferAddress = (issuer: OpenidIssuer, reference: string): string =>
  `${endpointOf(issuer, 'offers')}/${reference}`;

export const walletOfferLink = (issuer: OpenidIssuer, reference: string): string =>
  `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(standardsOfferAddress(issuer, reference))}`;
