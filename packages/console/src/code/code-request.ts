/** One request that a page makes, or that an act would make: a row of a route table with what is given to it. */
import type { JsonObject } from '@symbolon/wire/json/json';
import type { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import type { AllRoutes } from '@symbolon/wire/openapi/all-routes';

export type ServiceRouteName = keyof AllRoutes;
export type NodeRouteName = keyof typeof ledgerRoutes;

export type CodeRequest =
  | { readonly server: 'service'; readonly route: ServiceRouteName; readonly given?: JsonObject }
  | { readonly server: 'ledger'; readonly route: NodeRouteName; readonly given?: JsonObject };
