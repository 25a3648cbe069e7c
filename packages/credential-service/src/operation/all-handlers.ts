/** Every handler of the route table; a missing one does not compile. */
import type { AllHandlers } from '@symbolon/wire/openapi/all-routes';
import { createKeyHandlers } from '../access/key-handlers.ts';
import { createBbsHandlers } from '../bbs/bbs-handlers.ts';
import { createConsoleHandlers } from '../console/console-handlers.ts';
import { createCustodyHandlers } from '../custody/custody-handlers.ts';
import { createInboxHandlers } from '../desks/inbox-handlers.ts';
import { createIssuedHandlers } from '../desks/issued-handlers.ts';
import { createIssuerSettingsHandlers } from '../desks/issuer-settings-handlers.ts';
import { createOwnApplicationHandlers } from '../desks/own-applications.ts';
import { createDirectoryHandlers } from '../directory/directory-handlers.ts';
import { createEventHandlers } from '../events/event-handlers.ts';
import { createIssuanceHandlers } from '../issuance/issuance-handlers.ts';
import { createOfferBearerHandlers } from '../offers/offer-bearers.ts';
import { createOfferHandlers } from '../offers/offer-handlers.ts';
import { createAuthorizationHandlers } from '../openid-issuance/authorizations/authorization-handlers.ts';
import { createStandardsOfferHandlers } from '../openid-issuance/offers/standards-offer-handlers.ts';
import { createPublishedHandlers } from '../openid-issuance/published-handlers.ts';
import { createWalletHandlers } from '../openid-issuance/wallet-handlers.ts';
import { createOpenidVerificationHandlers } from '../openid-verification/verification-handlers.ts';
import { createPaymentHandlers } from '../payments/payment-handlers.ts';
import { findSalePrice } from '../payments/price-rows.ts';
import { createExtendedHandlers } from '../presentations/extended-handlers.ts';
import { createPresentationHandlers } from '../presentations/presentation-handlers.ts';
import { createSessionHandlers } from '../sessions/session-handlers.ts';
import { createIdentityHandlers } from '../standards/identity-handlers.ts';
import { createStatusHandlers } from '../status/status-handlers.ts';
import { createTemplateHandlers } from '../templates/template-handlers.ts';
import { createTrustHandlers } from '../trust/trust-handlers.ts';
import { createVcApiHandlers } from '../vc-api/vc-api-handlers.ts';
import type { AllParts } from '../wiring/all-parts.ts';
import { createServiceHandlers, type ServiceHandlerOptions } from './service-handlers.ts';

export const createHandlers = (parts: AllParts, options: ServiceHandlerOptions): AllHandlers => ({
  ...createTemplateHandlers(parts, findSalePrice),
  ...createIssuanceHandlers(parts),
  ...createInboxHandlers(parts),
  ...createIssuedHandlers(parts),
  ...createIssuerSettingsHandlers(parts),
  ...createOwnApplicationHandlers(parts),
  ...createOfferHandlers(parts),
  ...createOfferBearerHandlers(parts),
  ...createStatusHandlers(parts),
  ...createBbsHandlers(parts),
  ...createPresentationHandlers(parts),
  ...createSessionHandlers(parts),
  ...createExtendedHandlers(parts),
  ...createTrustHandlers(parts),
  ...createStandardsOfferHandlers(parts),
  ...createWalletHandlers(parts),
  ...createAuthorizationHandlers(parts),
  ...createPublishedHandlers(parts),
  ...createOpenidVerificationHandlers(parts),
  ...createPaymentHandlers(parts),
  ...createCustodyHandlers(parts),
  ...createEventHandlers(parts),
  ...createDirectoryHandlers(parts),
  ...createKeyHandlers(parts),
  ...createConsoleHandlers(parts),
  ...createVcApiHandlers(parts),
  ...createIdentityHandlers(parts),
  ...createServiceHandlers(parts, options),
});
