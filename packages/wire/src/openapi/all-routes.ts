/**
 * Every route that the credential service serves, one table from several: the interface document's endpoints and its
 * further ones. Server and OpenAPI document are made from this one.
 */
import { consoleRoutes } from '../console/routes.ts';
import { extendedRoutes } from '../credentials/extended-routes.ts';
import { credentialRoutes } from '../credentials/routes.ts';
import { custodyRoutes } from '../custody/routes.ts';
import { deskRoutes } from '../desks/routes.ts';
import { developerRoutes } from '../developer/routes.ts';
import { directoryRoutes } from '../directory/routes.ts';
import { eventRoutes } from '../events/routes.ts';
import type { ServiceHandlers } from '../http/service-route.ts';
import { identityRoutes } from '../oauth/identity-routes.ts';
import { offerRoutes } from '../offers/routes.ts';
import { openidAuthorizationRoutes } from '../openid/authorization-routes.ts';
import { openidIssuanceRoutes } from '../openid/issuance-routes.ts';
import { openidPublishedRoutes } from '../openid/published-routes.ts';
import { openidVerificationRoutes } from '../openid/verification-routes.ts';
import { paymentRoutes } from '../payments/routes.ts';
import { verificationRoutes } from '../sessions/routes.ts';
import { trustRoutes } from '../trust/routes.ts';
import { vcApiRoutes } from '../vc-api/vc-api-routes.ts';

export const allRoutes = {
  ...credentialRoutes,
  ...deskRoutes,
  ...offerRoutes,
  ...verificationRoutes,
  ...extendedRoutes,
  ...trustRoutes,
  ...paymentRoutes,
  ...custodyRoutes,
  ...eventRoutes,
  ...directoryRoutes,
  ...developerRoutes,
  ...consoleRoutes,
  ...openidIssuanceRoutes,
  ...openidAuthorizationRoutes,
  ...openidPublishedRoutes,
  ...openidVerificationRoutes,
  ...identityRoutes,
  ...vcApiRoutes,
};
export type AllRoutes = typeof allRoutes;
export type AllHandlers = ServiceHandlers<AllRoutes>;
