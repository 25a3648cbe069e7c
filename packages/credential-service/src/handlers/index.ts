/** Every handler of the route table; a missing one does not compile. */
import type { AllHandlers } from '@symbolon/wire/documents/all-routes';
import type { ServiceParts } from '../service-parts.ts';
import { createBbsHandlers } from './bbs-handlers.ts';
import { createCustodyHandlers } from './custody-handlers.ts';
import { createExchangeHandlers } from './exchange-handlers.ts';
import { createExtendedHandlers } from './extended-handlers.ts';
import { createInboxHandlers } from './inbox-handlers.ts';
import { createIssuanceHandlers } from './issuance-handlers.ts';
import { createPaymentHandlers } from './payment-handlers.ts';
import { createPresentationHandlers } from './presentation-handlers.ts';
import { createServiceHandlers, type ServiceHandlerOptions } from './service-handlers.ts';
import { createStatusHandlers } from './status-handlers.ts';
import { createTemplateHandlers } from './template-handlers.ts';
import { createTrustHandlers } from './trust-handlers.ts';

export const createHandlers = (parts: ServiceParts, options: ServiceHandlerOptions): AllHandlers => ({
  ...createTemplateHandlers(parts),
  ...createIssuanceHandlers(parts),
  ...createInboxHandlers(parts),
  ...createStatusHandlers(parts),
  ...createBbsHandlers(parts),
  ...createPresentationHandlers(parts),
  ...createExchangeHandlers(parts),
  ...createExtendedHandlers(parts),
  ...createTrustHandlers(parts),
  ...createPaymentHandlers(parts),
  ...createCustodyHandlers(parts),
  ...createServiceHandlers(parts, options),
});
