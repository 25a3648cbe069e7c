/** What "Show as code" shows: one request of a route table, or an act that is signed, which is several. */
import type { JsonObject } from '@symbolon/wire/json/json';
import type { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import type { AllRoutes } from '@symbolon/wire/openapi/all-routes';
import type { ActName } from './acts.ts';

export type ServiceRouteName = keyof AllRoutes;
export type NodeRouteName = keyof typeof ledgerRoutes;

/** One request that a page makes: a row of a route table with what is given to it. */
export type RouteRequest =
  | { readonly server: 'service'; readonly route: ServiceRouteName; readonly given?: JsonObject }
  | { readonly server: 'ledger'; readonly route: NodeRouteName; readonly given?: JsonObject };

/** What somebody does with their key: its requests hold signatures that no sample can have. */
export interface CodeAct {
  readonly act: ActName;
  readonly given?: JsonObject;
}

export type CodeRequest = RouteRequest | CodeAct;
